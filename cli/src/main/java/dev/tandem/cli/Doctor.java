package dev.tandem.cli;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Looks at everything that must be right and says, for each thing that is not, why and what to do.
 */
final class Doctor {
    /** With less than this left, a database cannot be worked with. */
    private static final long FULL_BYTES = 8L * 1024 * 1024;

    private final Map<String, String> environment;
    private final Invocation.Sink sink;
    private final Path state;
    private final ToLongFunction<Path> room;
    private final List<Finding> findings = new ArrayList<>();

    /** One thing that was looked at. A remedy is empty where nothing is wrong. */
    record Finding(String what, Verdict verdict, String found, String remedy) {}

    enum Verdict {
        OK,
        NOTE,
        WRONG
    }

    private Doctor(
            Map<String, String> environment,
            Invocation.Sink sink,
            Path state,
            ToLongFunction<Path> room) {
        this.environment = environment;
        this.sink = sink;
        this.state = state;
        this.room = room;
    }

    static Doctor of(Map<String, String> environment, Invocation.Sink sink) {
        return of(environment, sink, path -> path.toFile().getUsableSpace());
    }

    /**
     * @param room how many bytes the disk of a folder can still take
     */
    static Doctor of(
            Map<String, String> environment, Invocation.Sink sink, ToLongFunction<Path> room) {
        return new Doctor(environment, sink, stateDir(environment), room);
    }

    /** Where a hub of this user keeps its state. */
    static Path stateDir(Map<String, String> environment) {
        String named = environment.getOrDefault("TANDEM_STATE_DIR", "");
        Path home = Path.of(System.getProperty("user.home"));
        return named.isBlank() ? home.resolve(".local/state/tandem") : Path.of(named);
    }

    /** Exit code 0 when nothing is wrong, else 2. */
    int run(List<String> given) {
        Words words;
        Printer printer;
        try {
            words = Words.read(given, Flag.GLOBAL, List.of());
            printer = new Printer(sink, Printer.formatOf(words), words.isOn("quiet"));
        } catch (UsageException e) {
            return new Printer(sink, Cli.guess(given), false)
                    .usage(e, "Usage: tandem doctor [--json]");
        }
        if (words.isOn("help")) {
            sink.out(Help.doctor(Main.columns(environment)));
            return 0;
        }
        examine();
        List<Finding> wrong =
                findings.stream().filter(one -> one.verdict == Verdict.WRONG).toList();
        boolean text = Printer.formatOf(words) == Printer.Format.TEXT;
        if (wrong.isEmpty()) {
            return printer.answer(text ? text(findings) : "Nothing is wrong.", json());
        }
        if (text) {
            sink.out(text(words.isOn("quiet") ? wrong : findings));
            return Printer.FAILED;
        }
        String first = wrong.getFirst().what + ": " + wrong.getFirst().found;
        return printer.failed(first, json());
    }

    private void examine() {
        add("JDK", Verdict.OK, System.getProperty("java.vm.version", ""), "");
        new ChromiumExam(environment, this::add).run(state);
        if (stateDir()) {
            Optional<JsonNode> hub = hubFile();
            hub.ifPresent(this::running);
            if (hub.isEmpty() && new StateLock(state).holder().isEmpty()) {
                HubExam.freePort(
                        Json.resource("limits.json").path("defaultPort").asInt(), this::add);
            }
        }
    }

    private void running(JsonNode file) {
        Optional<JsonNode> status = new HubExam(file, this::add).run(extensionVersion(state));
        if (status.isPresent()) {
            age(file.path("binaryVersion").asString(""), extensionVersion(home()));
            parts(status.get());
        }
    }

    /** A hub runs on as it was started, whatever is installed meanwhile. */
    private void age(String hub, String installed) {
        if (!hub.isEmpty() && !installed.isEmpty() && !hub.equals(installed)) {
            add(
                    "Version",
                    Verdict.WRONG,
                    "the hub runs version " + hub + ", installed is " + installed,
                    "Start it anew when your sessions can wait: tandem stop, tandem up");
        }
    }

    /** What a hub that answers has beside its browsers. */
    private void parts(JsonNode status) {
        add("Log", Verdict.OK, state.resolve("logs/hub.log").toString(), "");
        new TerminalExam(status.path("terminal"), state, this::add).run(home());
    }

    private Path home() {
        return Path.of(environment.getOrDefault("TANDEM_HOME", ""));
    }

    /** Whether there is one to look into. */
    private boolean stateDir() {
        if (!Files.exists(state, LinkOption.NOFOLLOW_LINKS)) {
            add(
                    "State dir",
                    Verdict.NOTE,
                    state + " does not exist yet",
                    "Start the hub: tandem up");
            return false;
        }
        try {
            String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(state));
            if (Files.isSymbolicLink(state) || !Files.isDirectory(state)) {
                add(
                        "State dir",
                        Verdict.WRONG,
                        state + " is not a folder",
                        "Name the folder itself in TANDEM_STATE_DIR.");
            } else if (!OwnFolder.is(state)) {
                add(
                        "State dir",
                        Verdict.WRONG,
                        state + " belongs to somebody else",
                        "Name a folder of your own in TANDEM_STATE_DIR.");
            } else if (!mode.equals("rwx------")) {
                String found = mode.endsWith("------") ? "cannot be written" : "is open to others";
                add(
                        "State dir",
                        Verdict.WRONG,
                        state + " " + found + " (" + mode + ")",
                        "chmod 700 " + state);
                return true;
            } else {
                disk(room.applyAsLong(state));
                return true;
            }
        } catch (IOException e) {
            add(
                    "State dir",
                    Verdict.WRONG,
                    state + " cannot be read",
                    "Check its owner and permissions.");
        }
        return false;
    }

    private void disk(long left) {
        boolean full = left < FULL_BYTES;
        add(
                "State dir",
                full ? Verdict.WRONG : Verdict.OK,
                state
                        + (full
                                ? " is on a disk that is full: " + left / 1024 + " KiB are left"
                                : ""),
                full ? "Free some space there; until then nothing new is kept." : "");
    }

    private Optional<JsonNode> hubFile() {
        Path file = state.resolve("browse.json");
        boolean there = Files.exists(file);
        try {
            if (there) {
                return Optional.of(Json.parseObject(Files.readString(file)));
            }
        } catch (IOException | RuntimeException e) {
            // it is of no use, which is said below
        }
        StateLock lock = new StateLock(state);
        OptionalLong holder = lock.holder();
        if (holder.isPresent() && !there && lock.isFresh()) {
            add(
                    "Hub",
                    Verdict.NOTE,
                    "process " + holder.getAsLong() + " is starting",
                    "Look again in a moment. If it stays so: " + state.resolve("logs/hub.log"));
        } else if (holder.isPresent()) {
            add(
                    "Hub",
                    Verdict.WRONG,
                    "process %d runs, but %s %s"
                            .formatted(
                                    holder.getAsLong(), file, there ? "cannot be read" : "is gone"),
                    "End that process (kill " + holder.getAsLong() + "), then: tandem up");
        } else if (there) {
            add(
                    "Hub",
                    Verdict.WRONG,
                    file + " cannot be read",
                    "Remove it and start the hub: tandem up");
        } else {
            add("Hub", Verdict.NOTE, "not running", "Start it: tandem up");
        }
        return Optional.empty();
    }

    /** Of the extension in the state dir, which browsers load, or of the installed one. */
    private static String extensionVersion(Path place) {
        Path manifest = place.resolve("extension/manifest.json");
        try {
            return Json.parse(Files.readString(manifest)).path("version").asString("");
        } catch (IOException | RuntimeException e) {
            return "";
        }
    }

    private void add(String what, Verdict verdict, String found, String remedy) {
        findings.add(new Finding(what, verdict, found, remedy));
    }

    private static String text(List<Finding> findings) {
        StringBuilder out = new StringBuilder();
        for (Finding one : findings) {
            String mark =
                    switch (one.verdict) {
                        case OK -> "ok   ";
                        case NOTE -> "note ";
                        case WRONG -> "WRONG";
                    };
            out.append(String.format("%s  %-10s %s%n", mark, one.what, Visible.line(one.found)));
            if (!one.remedy.isEmpty()) {
                out.append(String.format("       %-10s → %s%n", "", Visible.line(one.remedy)));
            }
        }
        return out.toString();
    }

    private ArrayNode json() {
        ArrayNode list = Json.array();
        for (Finding one : findings) {
            list.addObject()
                    .put("what", one.what)
                    .put("verdict", one.verdict.name().toLowerCase(java.util.Locale.ROOT))
                    .put("found", one.found)
                    .put("remedy", one.remedy);
        }
        return list;
    }
}
