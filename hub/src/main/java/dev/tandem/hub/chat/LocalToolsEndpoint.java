package dev.tandem.hub.chat;

import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.LocalTools;
import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Claims and results of tools that a chat client runs. */
final class LocalToolsEndpoint {
    private final ChatEndpoint.Parts parts;
    private final Jobs jobs;

    LocalToolsEndpoint(ChatEndpoint.Parts parts, Jobs jobs, WebServer web) {
        this.parts = parts;
        this.jobs = jobs;
        web.http("chat-tool-results", this::result).http("chat-tool-claims", this::claim);
    }

    private void claim(Exchange exchange) throws IOException {
        JsonNode asked = exchange.json();
        Job job = running(exchange.parameter("id"));
        LocalTools.Lease lease =
                parts.engine()
                        .localTools()
                        .claim(
                                job.sessionId(),
                                ChatEndpoint.required(asked, "toolCallId"),
                                ChatEndpoint.required(asked, "executorId"),
                                exchange.caller().id());
        ObjectNode reply = Json.object().put("ok", true).put("leaseId", lease.leaseId());
        exchange.respond(
                200,
                reply.put(
                        "expiresAt", java.time.Instant.ofEpochMilli(lease.expiresAt()).toString()));
    }

    private void result(Exchange exchange) throws IOException {
        JsonNode asked = exchange.json();
        Job job = running(exchange.parameter("id"));
        LocalTools tools = parts.engine().localTools();
        String call = ChatEndpoint.required(asked, "toolCallId");
        if (!asked.has("result")) {
            throw new TandemException(ErrorCode.BAD_REQUEST, "result is required");
        }
        if (tools.isAnswered(job.sessionId(), call)) {
            exchange.respond(
                    200,
                    Json.object()
                            .put("ok", true)
                            .put("accepted", false)
                            .put("duplicate", true)
                            .put("resumed", false));
            return;
        }
        List<String> waiting =
                tools.waiting(job.sessionId()).stream().map(LocalTools.Call::toolCallId).toList();
        if (waiting.isEmpty()) {
            throw new TandemException(
                    ErrorCode.BAD_REQUEST,
                    "No pending local tool call found for this assistant message");
        }
        if (!waiting.contains(call)) {
            throw new TandemException(
                    ErrorCode.BAD_REQUEST,
                    "Tool call " + call + " is not pending for this assistant message");
        }
        LocalTools.Receipt receipt =
                tools.result(
                        job.sessionId(), call, asked.get("result"), Json.text(asked, "leaseId"));
        ObjectNode reply = Json.object().put("ok", true).put("accepted", receipt.accepted());
        if (receipt.duplicate()) {
            exchange.respond(200, reply.put("duplicate", true).put("resumed", false));
            return;
        }
        boolean resumed = receipt.waiting().isEmpty();
        reply.put("resumed", resumed);
        if (resumed) {
            reply.put("jobId", job.id());
        } else {
            ArrayNode others = reply.putArray("waitingForToolCallIds");
            receipt.waiting().forEach(others::add);
        }
        exchange.respond(200, reply);
    }

    private Job running(String id) {
        Job job = job(id, "Only assistant messages accept tool results");
        if (job.status().over()) {
            throw new TandemException(ErrorCode.CONFLICT, "The turn has ended.", "turn_ended");
        }
        return job;
    }

    /** The assistant's message of that id; a user's is told apart from none. */
    Job job(String id, String otherwise) {
        return jobs.find(id)
                .orElseThrow(() ->
                        parts.log()
                                .find(id)
                                .filter(entry -> entry.kind() == Entry.Kind.USER)
                                .map(user -> new TandemException(ErrorCode.BAD_REQUEST, otherwise))
                                .orElseGet(() ->
                                        new TandemException(
                                                ErrorCode.NOT_FOUND, "Message not found")));
    }
}
