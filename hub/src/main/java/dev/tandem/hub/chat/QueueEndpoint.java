package dev.tandem.hub.chat;

import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.function.Function;
import java.util.function.Predicate;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code /api/v1/queue}: the jobs that messages became, with their state. */
final class QueueEndpoint {
    private static final int MOST = 500;

    private final ChatEndpoint.Parts parts;
    private final Jobs jobs;
    private final ChatStreams streams;
    private final Predicate<Job> end;
    private final Function<Entry, ObjectNode> again;

    QueueEndpoint(
            ChatEndpoint.Parts parts,
            Jobs jobs,
            ChatStreams streams,
            Predicate<Job> end,
            Function<Entry, ObjectNode> again,
            WebServer web) {
        this.parts = parts;
        this.jobs = jobs;
        this.streams = streams;
        this.end = end;
        this.again = again;
        web.http("queue-jobs", this::list)
                .http("queue-job", this::one)
                .http("queue-bootstrap", this::bootstrap)
                .http("queue-cancel", this::cancel)
                .http("queue-retry", this::retry)
                .http("queue-stats", this::stats)
                .http("queue-purge", this::purge);
    }

    private void list(Exchange exchange) {
        ArrayNode all = Json.array();
        jobs.list(MOST).forEach(job -> all.add(job.toJson()));
        exchange.respond(200, all);
    }

    private void one(Exchange exchange) {
        Job job = job(exchange);
        if (exchange.method().equals("DELETE")) {
            if (!job.status().over()) {
                throw new TandemException(ErrorCode.CONFLICT, "The job is not over.", "running");
            }
            jobs.remove(job.id());
            exchange.respond(200, Json.object().put("success", true));
            return;
        }
        exchange.respond(200, job.toJson());
    }

    private void bootstrap(Exchange exchange) {
        Job job = job(exchange);
        int limit = 500;
        String wanted = exchange.query("limit").orElse("");
        if (wanted.matches("\\d{1,4}")) {
            limit = Math.clamp(Integer.parseInt(wanted), 1, 5000);
        }
        ObjectNode reply = Json.object().put("jobId", job.id()).put("streamId", job.id());
        ArrayNode events = reply.putArray("events");
        for (StreamEvent event : streams.kept(job.id())) {
            if (events.size() < limit) {
                events.addObject()
                        .put("sequence", event.sequence())
                        .put("eventType", event.type())
                        .set("data", event.data());
            }
        }
        exchange.respond(200, reply);
    }

    private void cancel(Exchange exchange) {
        if (!end.test(job(exchange))) {
            throw new TandemException(ErrorCode.CONFLICT, "The job is over.", "over");
        }
        exchange.respond(200, Json.object().put("success", true));
    }

    private void retry(Exchange exchange) {
        Job job = job(exchange);
        Entry user =
                parts.log()
                        .find(job.userMessageId())
                        .orElseThrow(() ->
                                new TandemException(ErrorCode.NOT_FOUND, "Message not found"));
        exchange.respond(200, again.apply(user));
    }

    private void stats(Exchange exchange) {
        ObjectNode stats = Json.object();
        jobs.count().forEach((status, number) -> stats.put(status.word(), number));
        exchange.respond(200, stats);
    }

    private void purge(Exchange exchange) {
        int purged = 0;
        for (Job job : jobs.list(Integer.MAX_VALUE)) {
            if (job.status().over()) {
                jobs.remove(job.id());
                purged++;
            }
        }
        exchange.respond(200, Json.object().put("success", true).put("purged", purged));
    }

    private Job job(Exchange exchange) {
        return jobs.find(exchange.parameter("id"))
                .orElseThrow(() -> new TandemException(ErrorCode.NOT_FOUND, "Job not found"));
    }
}
