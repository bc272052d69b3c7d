package dev.tandem.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Tells a folder of the user's from one of somebody else. */
public final class OwnFolder {
    private static final Path SELF = Path.of("/proc/self");

    private OwnFolder() {}

    /**
     * By number where the system shows this process's own: a user without a line in /etc/passwd, as
     * in a container, has no name.
     */
    public static boolean is(Path folder) throws IOException {
        String owner = Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).getName();
        return owner.equals(System.getProperty("user.name"))
                || (Files.exists(SELF)
                        && Files.getAttribute(SELF, "unix:uid")
                                .equals(
                                        Files.getAttribute(
                                                folder, "unix:uid", LinkOption.NOFOLLOW_LINKS)));
    }
}
