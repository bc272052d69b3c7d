package dev.tandem.cli;

import dev.tandem.protocol.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Registers Tandem's tools in other programs, and takes that back. */
final class McpCommands {
    private static final Flag PROGRAM =
            Flag.choice(
                    "program",
                    String.join(" | ", McpProgram.words()),
                    McpProgram.words().toArray(String[]::new));
    private static final Flag PROFILE =
            Flag.choice(
                    "profile",
                    "the tools it sees: core (default) | all | read-only",
                    "core",
                    "all",
                    "read-only");
    private static final Flag MODE =
            Flag.choice("mode", "ask (default) | act | read-only", "ask", "act", "read-only");
    private static final Flag DRY = Flag.toggle("dry-run", "show the change, make none");
    private static final Flag UNDO = Flag.toggle("undo", "the same as tandem mcp uninstall");

    private McpCommands() {}

    static List<Command> all() {
        return List.of(
                new Command(
                        "mcp install",
                        "register the tools in another program",
                        List.of(PROGRAM, PROFILE, MODE, DRY, UNDO),
                        List.of(PROGRAM),
                        McpCommands::install),
                new Command(
                        "mcp uninstall",
                        "take that back and end the program's token",
                        List.of(PROGRAM, DRY),
                        List.of(PROGRAM),
                        McpCommands::uninstall));
    }

    private static int install(Command.Context context) throws IOException {
        if (context.words().isOn("undo")) {
            return uninstall(context);
        }
        McpProgram program = McpProgram.of(context.word("program"));
        String profile = HubCommands.oneOf(context, PROFILE, "core", "all", "read-only");
        String mode = HubCommands.oneOf(context, MODE, "ask", "act", "read-only");
        Port port = context.port();
        Registration registration = registration(program, port);
        String url = port.mcpUrl();
        boolean alive =
                registration
                        .token(url)
                        .flatMap(port::tokenName)
                        .filter(program.title()::equals)
                        .isPresent();
        if (alive && !context.words().has("profile") && !context.words().has("mode")) {
            boolean open = !context.words().isOn("dry-run") && registration.close();
            return answer(
                    context,
                    registration,
                    "",
                    program.title() + " has Tandem's tools already" + closed(open));
        }
        String before = registration.text();
        if (context.words().isOn("dry-run")) {
            String diff = Diff.of(before, registration.with(url, "tdc_…"));
            return answer(context, registration, diff, "This would change");
        }
        // the change must be possible before a token exists for it
        registration.with(url, "tdc_new");
        registration.checkWritable();
        if (port.tokens().stream().anyMatch(token -> token.name().equals(program.title()))) {
            port.revokeToken(program.title());
        }
        String after =
                registration.with(url, port.addToken(program.title(), profile, mode, List.of()));
        boolean open = registration.write(after);
        return answer(
                context,
                registration,
                Diff.of(before, after),
                program.title()
                        + " has Tandem's tools now (profile "
                        + profile
                        + ", mode "
                        + mode
                        + "). Start it again to see them. To undo: tandem mcp uninstall "
                        + program.word()
                        + closed(open));
    }

    private static String closed(boolean open) {
        return open ? ". Only you can read the file now, as it holds a token" : "";
    }

    private static int uninstall(Command.Context context) throws IOException {
        McpProgram program = McpProgram.of(context.word("program"));
        Port port = context.port();
        Registration registration = registration(program, port);
        boolean known =
                port.tokens().stream().anyMatch(token -> token.name().equals(program.title()));
        if (registration.entry().isEmpty() && !known) {
            return answer(
                    context, registration, "", program.title() + " does not have Tandem's tools");
        }
        Optional<String> without = registration.without();
        String diff = Diff.of(registration.text(), without.orElse(""));
        if (context.words().isOn("dry-run")) {
            return answer(context, registration, diff, "This would change");
        }
        if (!diff.isEmpty()) {
            registration.checkWritable();
        }
        if (known) {
            port.revokeToken(program.title());
        }
        registration.undo(without);
        return answer(
                context,
                registration,
                diff,
                program.title() + " no longer has Tandem's tools, and its token is ended");
    }

    private static Registration registration(McpProgram program, Port port) throws IOException {
        boolean mac = System.getProperty("os.name", "").startsWith("Mac");
        Path kept = port.state().resolve("registrations");
        return new Registration(program, program.file(port.home(), mac), kept);
    }

    private static int answer(
            Command.Context context, Registration registration, String diff, String sentence) {
        ObjectNode data = Json.object().put("file", registration.file().toString());
        data.put("changed", !diff.isEmpty()).put("diff", diff);
        String shown = diff.isEmpty() ? "" : registration.file() + "\n" + diff + "\n";
        return context.printer().answer(shown + sentence + ".", data);
    }
}
