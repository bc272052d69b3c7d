package dev.tandem.hub.relay;

import dev.tandem.hub.agent.ElicitationAnswer;
import dev.tandem.protocol.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A person's answers: to permission cards, forms and links. */
final class AnswerMessages implements Family {
    private final RelayEndpoint.Parts parts;
    private final Wire wire;
    private final RelayClient client;

    AnswerMessages(RelayEndpoint.Parts parts, Wire wire, RelayClient client) {
        this.parts = parts;
        this.wire = wire;
        this.client = client;
    }

    @Override
    public boolean take(String type, ObjectNode message) {
        switch (type) {
            case "permission_response" -> permission(message);
            case "elicitation_response" -> elicitation(message);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void permission(ObjectNode message) {
        String request = Wire.required(message, "requestId");
        JsonNode outcome = message.path("outcome");
        if (Json.text(outcome, "outcome").filter("cancelled"::equals).isPresent()) {
            parts.desk().dismiss(request, client.caller());
        } else {
            String option =
                    Json.text(outcome, "optionId")
                            .orElseGet(() -> Json.text(message, "optionId").orElse(""));
            parts.desk().answer(request, option, client.caller());
        }
        wire.reply(message, Wire.message("permission_accepted").put("requestId", request));
    }

    private void elicitation(ObjectNode message) {
        ElicitationAnswer answer =
                switch (Wire.required(message, "action")) {
                    case "accept" ->
                            new ElicitationAnswer.Accept(
                                    message.path("content") instanceof ObjectNode content
                                            ? content
                                            : Json.object());
                    case "decline" -> new ElicitationAnswer.Decline();
                    default -> new ElicitationAnswer.Cancel();
                };
        String request = Wire.required(message, "requestId");
        parts.engine().answerQuestion(client.sessionId(message), request, answer, client.caller());
        wire.reply(message, Wire.message("elicitation_accepted").put("requestId", request));
    }
}
