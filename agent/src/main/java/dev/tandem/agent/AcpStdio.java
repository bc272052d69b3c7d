package dev.tandem.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** ACP on two streams: reads requests line by line, writes from any thread. */
final class AcpStdio {
    /** What a request wants; throws {@link Failure} to answer with an error. */
    interface Handler {
        void message(String method, JsonNode id, JsonNode params);
    }

    /** A JSON-RPC error to be sent. */
    static final class Failure extends RuntimeException {
        private final int code;

        Failure(int code, String message) {
            super(message);
            this.code = code;
        }
    }

    private final InputStream in;
    private final OutputStream out;
    private final ReentrantLock lock = new ReentrantLock();

    AcpStdio(InputStream in, OutputStream out) {
        this.in = in;
        this.out = out;
    }

    /** Runs until the client closes its end. */
    void run(Handler handler) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (!line.isBlank()) {
                receive(line, handler);
            }
        }
    }

    private void receive(String line, Handler handler) {
        JsonNode message;
        try {
            message = Json.parse(line);
        } catch (JacksonException notJson) {
            fail(Json.parse("null"), -32700, "This line is not JSON.");
            return;
        }
        JsonNode id = message.path("id");
        String method = Json.text(message, "method");
        if (method.isEmpty()) {
            return;
        }
        try {
            handler.message(method, id, message.path("params"));
        } catch (Failure failure) {
            if (!id.isMissingNode()) {
                fail(id, failure.code, String.valueOf(failure.getMessage()));
            }
        } catch (RuntimeException defect) {
            // One request that makes no sense does not end the others.
            if (!id.isMissingNode()) {
                fail(id, -32603, "The agent failed: " + defect);
            }
        }
    }

    void respond(JsonNode id, JsonNode result) {
        ObjectNode message = Json.object().put("jsonrpc", "2.0").set("id", id);
        write(message.set("result", result));
    }

    void fail(JsonNode id, int code, String text) {
        ObjectNode message = Json.object().put("jsonrpc", "2.0").set("id", id);
        message.putObject("error").put("code", code).put("message", text);
        write(message);
    }

    void update(String sessionId, ObjectNode update) {
        ObjectNode params = Json.object().put("sessionId", sessionId).set("update", update);
        ObjectNode message = Json.object().put("jsonrpc", "2.0").put("method", "session/update");
        write(message.set("params", params));
    }

    private void write(ObjectNode message) {
        byte[] line = (message + "\n").getBytes(StandardCharsets.UTF_8);
        lock.lock();
        try {
            out.write(line);
            out.flush();
        } catch (IOException closed) {
            throw new UncheckedIOException(closed);
        } finally {
            lock.unlock();
        }
    }
}
