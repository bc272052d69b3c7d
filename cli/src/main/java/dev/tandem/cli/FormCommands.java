package dev.tandem.cli;

import dev.tandem.protocol.Json;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Answers to the forms by which agents ask for words. */
final class FormCommands {
    private static final Flag ID = Flag.value("id", "the form, or the beginning of its id");
    private static final Flag FIELDS =
            new Flag("field", "field", Flag.Shape.LIST, "name=value for each field");

    private FormCommands() {}

    static List<Command> all() {
        return List.of(
                new Command(
                        "permissions answer",
                        "fill in an agent's form, or say that its page was visited",
                        List.of(ID, FIELDS),
                        List.of(ID, FIELDS),
                        FormCommands::fill),
                new Command(
                        "permissions decline",
                        "leave an agent's form empty",
                        List.of(ID),
                        List.of(ID),
                        FormCommands::decline));
    }

    private static int fill(Command.Context context) {
        Form form = find(context);
        ObjectNode content = form.content(context.words().all(FIELDS.argument()));
        return done(context, form, "accept", content, "Answered.");
    }

    private static int decline(Command.Context context) {
        return done(context, find(context), "decline", Json.object(), "Declined.");
    }

    private static int done(
            Command.Context context, Form form, String action, ObjectNode content, String text) {
        context.port().cards().answerQuestion(form.requestId(), action, content);
        ObjectNode data = Json.object().put("requestId", form.requestId());
        return context.printer().answer(text, data.put("action", action));
    }

    private static Form find(Command.Context context) {
        String word = context.word(ID.argument());
        List<Form> found =
                context.port().cards().questions().stream()
                        .map(Form::new)
                        .filter(one -> one.requestId().startsWith(word))
                        .toList();
        if (found.size() != 1 || word.length() < 4) {
            boolean card =
                    context.port().cards().cards().stream()
                            .anyMatch(one ->
                                    word.length() >= 4
                                            && one.path("requestId").asString("").startsWith(word));
            if (card) {
                throw new UsageException(
                        "That is a request: tandem permissions allow "
                                + word
                                + ", or reject "
                                + word
                                + ".");
            }
            throw new UsageException(
                    found.isEmpty()
                            ? "No form \"" + word + "\" waits; tandem permissions lists them."
                            : "\"" + word + "\" is too short to name one form.");
        }
        return found.getFirst();
    }
}
