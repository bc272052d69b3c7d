package dev.tandem.agent;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** {@code tandem agent}: speaks ACP on stdin and stdout. */
public final class Main {
    private Main() {}

    public static void main(String[] args) throws IOException {
        OutputStream wire = new FileOutputStream(FileDescriptor.out);
        // Nothing but ACP may reach stdout, whoever prints.
        System.setOut(System.err);
        Brain brain =
                ModelSettings.of(System.getenv())
                        .<Brain>map(settings -> new ModelBrain(settings.api()))
                        .orElseGet(GuideBrain::new);
        AcpStdio stdio = new AcpStdio(System.in, wire);
        stdio.run(new AgentServer(stdio, brain));
    }
}
