package dev.tandem.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** A file that a command line names, to be read as text; what is wrong with it is a usage error. */
final class NamedFile {
    /** As much as standard input may bring. */
    private static final long MAX_BYTES = 12L * 1024 * 1024;

    private NamedFile() {}

    static String text(Flag flag, Path folder, String name) throws IOException {
        try {
            return text(flag, folder.resolve(name));
        } catch (InvalidPathException e) {
            throw invalid(flag, name, "cannot be read.");
        }
    }

    private static String text(Flag flag, Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw invalid(flag, file, "is a folder. Name a file.");
        }
        // a pipe or a device might never end
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw invalid(flag, file, "cannot be read.");
        }
        if (Files.size(file) > MAX_BYTES) {
            throw invalid(flag, file, "is larger than 12 MiB.");
        }
        try {
            return Files.readString(file);
        } catch (CharacterCodingException e) {
            throw invalid(flag, file, "is not text in UTF-8.");
        }
    }

    private static UsageException invalid(Flag flag, Object file, String why) {
        return new UsageException("Invalid " + flag.dashed() + ": " + file + " " + why);
    }
}
