package dev.tandem.hub.browser;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** {@code tandem mcp} as a program of its own, from the sources under test. */
enum BridgeCommand {
    JAVA {
        @Override
        List<String> argv(Path folder) {
            List<String> words = java();
            words.add("mcp");
            return words;
        }
    },
    NATIVE {
        @Override
        List<String> argv(Path folder) {
            return List.of(inside(folder).toString(), "mcp");
        }
    };

    /** The command line, in a folder that is the caller's to fill. */
    abstract List<String> argv(Path folder);

    /** Those that this machine can have; without a C compiler there is nothing native to test. */
    static Stream<BridgeCommand> possible() {
        boolean compiler =
                Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(place -> Files.isExecutable(Path.of(place, "cc")));
        return compiler ? Stream.of(values()) : Stream.of(JAVA);
    }

    /** A launcher in that folder, for a hub whose home it is. */
    void launcherIn(Path folder) {
        List<String> argv = argv(folder);
        script(folder.resolve("tandem"), argv.subList(0, argv.size() - 1));
    }

    private static List<String> java() {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // whoever measures the tests measures the programs they start
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(word -> word.startsWith("-javaagent:"))
                .forEach(words::add);
        words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
        words.addAll(List.of(System.getProperty("java.class.path"), "dev.tandem.cli.Main"));
        return words;
    }

    /** The native launcher with what it leaves to the other one beside it. */
    private static Path inside(Path folder) {
        try {
            script(
                    Files.createDirectories(folder.resolve("scripts")).resolve("launcher.sh"),
                    java());
            Path made = folder.resolve("native");
            return Files.exists(made) ? made : Files.copy(Native.PROGRAM, made, COPY_ATTRIBUTES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path script(Path at, List<String> words) {
        try {
            Files.writeString(at, "#!/bin/sh\nexec '" + String.join("' '", words) + "' \"$@\"\n");
            return Files.setPosixFilePermissions(at, PosixFilePermissions.fromString("rwx------"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Compiled once. */
    private static final class Native {
        static final Path PROGRAM = compile();

        private static Path compile() {
            try (Stream<Path> sources = Files.list(Path.of("../launcher"))) {
                Path made = Files.createTempFile("tandem-launcher", "");
                made.toFile().deleteOnExit();
                List<String> words =
                        new ArrayList<>(
                                List.of(
                                        "cc",
                                        "-std=c11",
                                        "-D_GNU_SOURCE",
                                        "-fsanitize=undefined,address"));
                words.addAll(List.of("-fno-sanitize-recover=all", "-g", "-o", made.toString()));
                sources.map(Path::toString).filter(name -> name.endsWith(".c")).forEach(words::add);
                Process compiler = new ProcessBuilder(words).inheritIO().start();
                if (compiler.waitFor() != 0) {
                    throw new AssertionError("the native launcher does not compile");
                }
                return made;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
