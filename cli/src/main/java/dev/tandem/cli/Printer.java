package dev.tandem.cli;

import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Prints answers and errors in the form that the caller chose. */
final class Printer {
    /** The forms of {@code --output-format}. */
    enum Format {
        TEXT,
        JSON,
        STREAM_JSON
    }

    static final int USAGE = 1;
    static final int FAILED = 2;

    private final Invocation.Sink sink;
    private final Format format;
    private final boolean quiet;

    Printer(Invocation.Sink sink, Format format, boolean quiet) {
        this.sink = sink;
        this.format = format;
        this.quiet = quiet;
    }

    /** The form that the words ask for, also when something else in them is wrong. */
    static Format formatOf(Words words) {
        if (words.isOn("json")) {
            return Format.JSON;
        }
        return words.value("output-format").map(Printer::format).orElse(Format.TEXT);
    }

    private static Format format(String word) {
        return switch (word) {
            case "text" -> Format.TEXT;
            case "json" -> Format.JSON;
            case "stream-json" -> Format.STREAM_JSON;
            default ->
                    throw new UsageException(
                            "Invalid --output-format: "
                                    + word
                                    + ". One of text, json, stream-json.");
        };
    }

    /** An answer: {@code text} for people, {@code data} for programs. */
    int answer(String text, JsonNode data) {
        if (quiet) {
            return 0;
        }
        switch (format) {
            case TEXT -> {
                String shown = Visible.text(text);
                sink.out(shown.isEmpty() || shown.endsWith("\n") ? shown : shown + "\n");
            }
            case JSON -> line(envelope(text, data));
            case STREAM_JSON -> stream(text, data);
        }
        return 0;
    }

    /** A drawing of our own; it goes to people as it is. */
    void picture(String drawing) {
        if (text()) {
            sink.out(drawing);
        }
    }

    /** JSON that is the answer itself, for people and programs alike. */
    int document(JsonNode document) {
        if (format == Format.TEXT && !quiet) {
            sink.out(
                    Visible.json(
                                    Json.mapper()
                                            .writerWithDefaultPrettyPrinter()
                                            .writeValueAsString(document))
                            + "\n");
            return 0;
        }
        return answer("", document);
    }

    /** Part of an answer that comes piece by piece; people see it at once, programs at its end. */
    void piece(String text) {
        if (!quiet && format == Format.TEXT) {
            sink.out(Visible.text(text));
        }
    }

    /** One piece of news, for programs that asked for a stream. */
    void event(JsonNode event) {
        if (!quiet && format == Format.STREAM_JSON) {
            line(event);
        }
    }

    boolean text() {
        return format == Format.TEXT && !quiet;
    }

    boolean streaming() {
        return format == Format.STREAM_JSON;
    }

    private void line(JsonNode json) {
        sink.out(Visible.json(Json.write(json)) + "\n");
    }

    /** A remark for people, beside the answer. */
    void remark(String text) {
        if (!quiet && format == Format.TEXT) {
            sink.err(Visible.text(text) + "\n");
        }
    }

    int usage(UsageException e, String help) {
        if (format == Format.TEXT) {
            sink.err("tandem: " + Visible.line(e.message()) + "\n" + help + "\n");
        } else {
            line(failure(e.message(), USAGE).put("code", "usage"));
        }
        return USAGE;
    }

    /** A failure; the port knows whether words of a page in it need marks. */
    int error(TandemException e, Port port) {
        int exit = e.code().exit();
        if (format == Format.TEXT) {
            String hint = Spoken.atTheShell(e.hint());
            String said = hint.isEmpty() ? port.marked(e) : port.marked(e).replace(e.hint(), hint);
            sink.err("[" + e.code().code() + "] " + Visible.text(said) + "\n");
            if (!hint.isEmpty() && !e.message().contains(e.hint())) {
                sink.err("  " + Visible.text(hint) + "\n");
            }
            return exit;
        }
        ObjectNode said = port.markedData(e);
        ObjectNode body = failure(said.path("error").asString(""), exit);
        Json.text(e.details(), "reason").ifPresent(reason -> body.put("reason", reason));
        body.put("code", e.code().code());
        body.put("retryable", e.retryable());
        body.put("hint", e.hint());
        if (!e.details().isEmpty()) {
            body.set("details", said.path("details"));
        }
        line(body);
        return exit;
    }

    /** Something of ours did not work out; programs get what was found with it. */
    int failed(String message, JsonNode data) {
        if (format == Format.TEXT) {
            sink.err("tandem: " + Visible.text(message) + "\n");
        } else {
            ObjectNode body = failure(message, FAILED);
            body.set("data", data);
            line(body);
        }
        return FAILED;
    }

    private static ObjectNode failure(String message, int exit) {
        return Json.object().put("success", false).put("error", message).put("exitCode", exit);
    }

    private static ObjectNode envelope(String text, JsonNode data) {
        ObjectNode body = Json.object().put("success", true);
        body.put("message", text.strip().lines().findFirst().orElse(""));
        body.set("data", data);
        return body;
    }

    /** A list goes out one item per line; anything else as one line. */
    private void stream(String text, JsonNode data) {
        if (!data.isArray()) {
            line(envelope(text, data));
            return;
        }
        for (JsonNode item : data) {
            line(item);
        }
    }
}
