package dev.tandem.cli;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.Tool;
import dev.tandem.protocol.ToolInput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The commands that are tools of the catalogue. */
final class ToolCommands {
    private static final Set<String> MANAGED_ONLY =
            Set.of("profile", "chromePath", "flags", "persistProfile");

    private ToolCommands() {}

    static Command of(Tool tool) {
        ToolArguments arguments = new ToolArguments(tool);
        List<Flag> flags = new ArrayList<>(arguments.flags());
        if (tool.name().equals("launch")) {
            flags.add(Flag.toggle("extension-ops", "use the extension (the default)"));
        }
        if (tool.name().equals("run")) {
            flags.addAll(RunCommand.flags());
        }
        return new Command(
                tool.cli(),
                tool.description(),
                flags,
                arguments.positions(),
                context -> run(tool, arguments, context));
    }

    private static int run(Tool tool, ToolArguments arguments, Command.Context context)
            throws IOException {
        ObjectNode given =
                tool.name().equals("run")
                        ? RunCommand.prepare(arguments, context)
                        : arguments.read(context.words(), context.invocation());
        if (tool.name().equals("launch")) {
            checkLaunch(given, context.words());
        }
        ObjectNode data = context.port().call(tool, given, context.invocation().folder());
        context.invocation().sink().ending();
        Port port = context.port();
        UnaryOperator<String> page = pageWords(context);
        ToolText words = new ToolText(context.columns(), page);
        Optional<String> failure = words.failure(tool, data);
        if (failure.isPresent() && !(context.printer().text() && tool.name().equals("run"))) {
            return context.printer().failed(failure.get(), port.marked(tool, data));
        }
        String text = words.of(tool, given, data);
        JsonNode marked = port.marked(tool, data);
        Optional<String> list = context.printer().streaming() ? list(tool) : Optional.empty();
        context.printer().answer(text, list.map(marked::path).orElse(marked));
        String more = ToolText.more(data);
        if (!more.isEmpty()) {
            context.printer().remark(more);
        }
        String warnings = ToolText.warnings(data);
        if (!warnings.isEmpty()) {
            context.printer().remark(page.apply(warnings));
        }
        return failure.isPresent() ? Printer.FAILED : 0;
    }

    /** The field that is a tool's answer when the answer is a list of things. */
    private static Optional<String> list(Tool tool) {
        JsonNode fields = tool.output().path("properties");
        return Json.texts(tool.output(), "required").stream()
                .filter(name ->
                        fields.path(name).path("items").path("type").asString("").equals("object"))
                .findFirst();
    }

    /** Programs get one line of the text beside the data; its marks must close in that line. */
    private static UnaryOperator<String> pageWords(Command.Context context) {
        if (context.printer().text()) {
            return context.port().marks(false);
        }
        UnaryOperator<String> marks = context.port().marks(true);
        return words -> marks.apply(words.strip().lines().findFirst().orElse(""));
    }

    /** Flags that exclude each other; what only the hub can know, it refuses itself. */
    private static void checkLaunch(ObjectNode given, Words words) {
        boolean managed = given.path("noExtension").asBoolean(false);
        boolean legacy = given.path("extensionLegacy").asBoolean(false);
        if (managed && given.path("extensionOnly").asBoolean(false)) {
            throw excluded("--extension-only", "--no-extension");
        }
        if (legacy && managed) {
            throw excluded("--extension-legacy", "--no-extension");
        }
        if (legacy && words.isOn("extension-ops")) {
            throw excluded("--extension-legacy", "--extension-ops");
        }
        if (managed && words.isOn("extension-ops")) {
            throw excluded("--extension-ops", "--no-extension");
        }
        for (String name : MANAGED_ONLY) {
            if (!managed && given.has(name)) {
                String flag = name.equals("flags") ? "--flag" : "--" + ToolInput.kebab(name);
                throw new UsageException(
                        flag + " needs --no-extension; without it, it would be ignored.");
            }
        }
    }

    private static UsageException excluded(String one, String other) {
        return new UsageException(one + " and " + other + " exclude each other.");
    }
}
