package dev.tandem.cli;

import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** run: where its steps come from, and where they run when no session was named. */
final class RunCommand {
    private static final Flag SCRIPT =
            Flag.value("script", "file with the steps; - reads stdin").orPiped();
    private static final Flag EXTENSION_OPS =
            Flag.toggle("extension-ops", "in your own browser, not in a managed one");
    private static final Tool LAUNCH = tool("launch");
    private static final Tool STATUS = tool("status");

    /** Arguments of launch that only a managed browser has. */
    private static final List<String> MANAGED =
            List.of("headless", "profile", "chromePath", "flags", "persistProfile");

    /** What is said of a session that is opened for the run, and of no other. */
    private static final List<String> LAUNCHING =
            Stream.concat(MANAGED.stream(), Stream.of("startUrl")).toList();

    private RunCommand() {}

    /** What run takes beside the tool's own arguments. */
    static List<Flag> flags() {
        List<Flag> flags = new ArrayList<>(List.of(SCRIPT, EXTENSION_OPS));
        new ToolArguments(LAUNCH)
                .flags().stream()
                        .filter(flag -> LAUNCHING.contains(flag.argument()))
                        .forEach(flags::add);
        return flags;
    }

    /** The arguments of the call: steps read, and a session found or opened for them. */
    static ObjectNode prepare(ToolArguments arguments, Command.Context context) throws IOException {
        Words words = context.words();
        ObjectNode script = Json.object();
        if (words.has(SCRIPT.argument())) {
            script.set("steps", script(context));
        } else if (!words.has("steps")) {
            script.set("steps", piped(context));
        }
        ObjectNode given = arguments.read(words, context.invocation(), script);
        given.set("steps", list(given.path("steps")));
        List<Flag> launching =
                flags().stream()
                        .filter(flag -> LAUNCHING.contains(flag.argument()))
                        .filter(flag -> words.has(flag.argument()))
                        .toList();
        List<Flag> managed =
                launching.stream().filter(flag -> MANAGED.contains(flag.argument())).toList();
        boolean own = words.isOn(EXTENSION_OPS.argument());
        if (own && !managed.isEmpty()) {
            throw excluded(EXTENSION_OPS, managed.getFirst());
        }
        if (given.has("sessionId")) {
            if (own || !launching.isEmpty()) {
                throw excluded(
                        Flag.value("session-id", ""), own ? EXTENSION_OPS : launching.getFirst());
            }
            return given;
        }
        if (!launching.isEmpty()) {
            return given.put("sessionId", launch(context, own));
        }
        ObjectNode status =
                context.port().call(STATUS, Json.object(), context.invocation().folder());
        Optional<String> inOwn = own ? ownSession(status) : Optional.empty();
        if (inOwn.isPresent()) {
            given.put("sessionId", inOwn.get());
        } else if (own || !hasSession(status)) {
            given.put("sessionId", launch(context, own));
        }
        return given;
    }

    /** Of several, the tool itself says that one is to be named. */
    private static boolean hasSession(ObjectNode status) {
        return status.has("sessionId") || status.path("sessions").size() > 1;
    }

    /** The only session in the user's own browser, whatever others there are. */
    private static Optional<String> ownSession(ObjectNode status) {
        Stream<JsonNode> all =
                status.has("sessionId") ? Stream.of(status) : status.path("sessions").valueStream();
        List<String> own =
                all.filter(session -> session.path("mode").asString("").equals("extension"))
                        .filter(session ->
                                session.path("state").asString("active").equals("active"))
                        .map(session -> session.path("sessionId").asString(""))
                        .toList();
        if (own.size() > 1) {
            throw new TandemException(
                    ErrorCode.INVALID_REQUEST,
                    "There are several sessions in your own browser: "
                            + String.join(", ", own)
                            + ".",
                    "several_sessions");
        }
        return own.stream().findFirst();
    }

    private static String launch(Command.Context context, boolean own) throws IOException {
        ObjectNode wish =
                new ToolArguments(LAUNCH)
                        .read(context.words(), context.invocation(), Json.object());
        wish.retain(LAUNCHING);
        wish.put(own ? "extensionOnly" : "noExtension", true);
        return context.port()
                .call(LAUNCH, wish, context.invocation().folder())
                .path("sessionId")
                .asString("");
    }

    private static JsonNode script(Command.Context context) throws IOException {
        String name = context.words().value(SCRIPT.argument()).orElse("");
        if (name.equals(Words.STDIN)) {
            return parsed(context.invocation().stdin().readAll());
        }
        return parsed(NamedFile.text(SCRIPT, context.invocation().folder(), name));
    }

    /** Steps that no word names come from standard input; a person at it is told so instead. */
    private static JsonNode piped(Command.Context context) throws IOException {
        Invocation invocation = context.invocation();
        String text = invocation.terminal().asks() ? "" : invocation.stdin().readAll();
        if (text.isBlank()) {
            throw new UsageException("Provide --script <path> or pipe JSON to stdin.");
        }
        return parsed(text);
    }

    private static JsonNode parsed(String text) {
        try {
            return Json.parse(text);
        } catch (TandemException e) {
            throw new UsageException("Invalid --script: " + e.getMessage());
        }
    }

    private static JsonNode list(JsonNode script) {
        JsonNode steps = script.isObject() ? script.path("steps") : script;
        if (!steps.isArray()) {
            throw new UsageException("Script must be a JSON array or an object with steps.");
        }
        return steps;
    }

    private static UsageException excluded(Flag one, Flag other) {
        return new UsageException(one.dashed() + " and " + other.dashed() + " exclude each other.");
    }

    private static Tool tool(String name) {
        return Catalogue.load().byName(name).orElseThrow();
    }
}
