package dev.tandem.e2e;

import java.nio.file.Path;

/** The same command lines where no native launcher was built. */
class CommandLineInBashTest extends CommandLineTest {
    @Override
    Path script() {
        return Launcher.IN_BASH;
    }
}
