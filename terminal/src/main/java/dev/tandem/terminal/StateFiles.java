package dev.tandem.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The files that hub, agent and programs share. Whole or absent, never half written. */
final class StateFiles {
    private static final FileAttribute<Set<PosixFilePermission>> OURS =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final Set<PosixFilePermission> OTHERS =
            EnumSet.range(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_EXECUTE);

    private final Path directory;

    StateFiles(Path directory) {
        this.directory = directory;
    }

    /** Refuses a directory that is a link, belongs to somebody else or is open to others. */
    static StateFiles open(Path directory) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException(directory + " is not a directory");
        }
        if (!own(directory)) {
            throw new IOException(directory + " belongs to another user");
        }
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(directory);
        if (mode.stream().anyMatch(OTHERS::contains)) {
            throw new IOException(directory + " is open to other users (chmod 700 it)");
        }
        return new StateFiles(directory);
    }

    /** By number where it is known: in a container the user may have no name. */
    private static boolean own(Path directory) throws IOException {
        Path self = Path.of("/proc/self");
        return Files.getOwner(directory).getName().equals(System.getProperty("user.name"))
                || (Files.exists(self)
                        && Files.getAttribute(self, "unix:uid")
                                .equals(Files.getAttribute(directory, "unix:uid")));
    }

    Path path(String name) {
        return directory.resolve(name);
    }

    void write(String name, String content) {
        Path whole = path(name);
        Path part = path("." + name + "." + Secrets.make(6));
        try {
            Files.createFile(part, OURS);
            Files.writeString(part, content, StandardOpenOption.WRITE);
            Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    void write(String name, JsonNode content) {
        write(name, content.toString());
    }

    ObjectNode readJson(String name) {
        try {
            ObjectNode read = Messages.parse(Files.readString(path(name)));
            return read == null ? Messages.JSON.createObjectNode() : read;
        } catch (IOException _) {
            return Messages.JSON.createObjectNode();
        }
    }

    void remove(String name) {
        try {
            Files.deleteIfExists(path(name));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
