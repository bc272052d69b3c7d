package dev.tandem.hub.debug;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.browser.FrontTab;
import dev.tandem.hub.browser.OpsClient;
import dev.tandem.hub.browser.ToolResult;
import dev.tandem.hub.browser.ToolRunner;
import dev.tandem.hub.browser.ToolText;
import dev.tandem.hub.browser.Untrusted;
import dev.tandem.hub.browser.Watch;
import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Commands in words, {@code {command, args}}, one or a row of them. The panel's Screenshot comes
 * this way: it shows what the person sees, and no terminal is part of it.
 */
public final class Commands {
    private static final int MOST = Limits.of("batchCommands");

    private final ToolRunner runner;
    private final FrontTab front;
    private final Aliases aliases;

    public Commands(ToolRunner runner, FrontTab front, WebServer web) {
        this.runner = runner;
        this.front = front;
        this.aliases = new Aliases(runner.catalogue());
        web.http("batch", this::batch);
    }

    /** What one command answered: text for people, or JSON where there is more to it. */
    private record Answer(int status, Optional<String> text, ObjectNode json) {}

    /** Answers {@code POST /command} whose body has a {@code command}. */
    public void one(Exchange exchange, JsonNode asked) throws IOException {
        Answer answer = run(exchange.caller(), asked);
        if (answer.text.isPresent()) {
            exchange.respond(
                    answer.status,
                    "text/plain; charset=utf-8",
                    answer.text.get().getBytes(StandardCharsets.UTF_8));
        } else {
            exchange.respond(answer.status, answer.json);
        }
    }

    private void batch(Exchange exchange) throws IOException {
        JsonNode commands = exchange.json().path("commands");
        if (!commands.isArray() || commands.isEmpty() || commands.size() > MOST) {
            throw new TandemException(
                    ErrorCode.INVALID_REQUEST, "A batch has 1 to " + MOST + " commands.");
        }
        long began = System.nanoTime();
        ObjectNode body = Json.object();
        ArrayNode results = body.putArray("results");
        int succeeded = 0;
        for (JsonNode asked : commands) {
            Answer answer = run(exchange.caller(), asked);
            ObjectNode row = results.addObject().put("index", results.size() - 1);
            row.put("status", answer.status).put("command", asked.path("command").asString(""));
            if (asked.has("tabId")) {
                row.set("tabId", asked.get("tabId"));
            }
            if (answer.text.isPresent()) {
                row.put("result", answer.text.get());
            } else {
                row.set("result", answer.json);
            }
            succeeded += answer.status == 200 ? 1 : 0;
        }
        body.put("duration", (System.nanoTime() - began) / 1_000_000);
        body.put("total", results.size());
        body.put("succeeded", succeeded);
        body.put("failed", results.size() - succeeded);
        exchange.respond(200, body);
    }

    private Answer run(Caller caller, JsonNode asked) throws IOException {
        try {
            Optional<String> command = Json.text(asked, "command").filter(c -> !c.isBlank());
            if (command.isEmpty()) {
                throw new TandemException(
                        ErrorCode.INVALID_REQUEST, "Missing command", "missing_field");
            }
            checkWords(asked);
            Aliases.Line line = aliases.read(command.get(), Json.texts(asked, "args"));
            if (asked.has("tabId") && line.tool().input().path("properties").has("targetId")) {
                line.arguments().put("targetId", "tab-" + asked.path("tabId").asLong());
            }
            boolean person = caller.kind() == TokenKind.EXTENSION;
            if (person && line.tool().name().equals("screenshot")) {
                return picture(front.screenshot(caller, Json.text(asked, "browser")));
            }
            ToolResult result =
                    runner.run(
                            line.tool().name(),
                            line.arguments(),
                            OpsClient.inHub(caller, OpsClient.Door.COMMAND),
                            Watch.nobody());
            return line.tool().name().equals("screenshot")
                    ? new Answer(
                            200, Optional.empty(), ToolText.structured(result, new Untrusted()))
                    : new Answer(
                            200, Optional.of(ToolText.of(result, new Untrusted())), Json.object());
        } catch (TandemException e) {
            String said =
                    caller.kind() == TokenKind.EXTENSION
                            ? Untrusted.clean(e.message())
                            : ToolText.sentence(e, new Untrusted());
            ObjectNode error = Json.object().put("error", said);
            error.put("hint", Untrusted.clean(e.hint())).put("code", e.code().code());
            return new Answer(e.code().http(), Optional.empty(), error);
        }
    }

    /** What would be passed over, or taken for something else, is refused. */
    private static void checkWords(JsonNode asked) {
        JsonNode args = asked.path("args");
        boolean words = args.isArray() && args.valueStream().allMatch(JsonNode::isString);
        if (!args.isMissingNode() && !words) {
            throw wrong("args must be an array of strings");
        }
        JsonNode tab = asked.path("tabId");
        if (!tab.isMissingNode() && !(tab.isIntegralNumber() && tab.canConvertToLong())) {
            throw wrong("tabId must be an integer");
        }
        if (asked.has("name")) {
            throw wrong("A command has a name or a command, not both");
        }
    }

    private static TandemException wrong(String why) {
        return new TandemException(ErrorCode.INVALID_REQUEST, why, "wrong_type");
    }

    private static Answer picture(ToolResult result) {
        ObjectNode json = result.data().deepCopy();
        result.picture()
                .ifPresent(shot -> json.put("mime", shot.mime()).put("base64", shot.base64()));
        return new Answer(200, Optional.empty(), json);
    }
}
