package dev.tandem.hub.chat;

import dev.tandem.hub.web.EventStream;
import dev.tandem.hub.web.Exchange;
import dev.tandem.hub.web.Outlet;
import dev.tandem.hub.web.WebServer;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Limits;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code /api/v1/streams}: one connection carries every stream a client wants. */
final class StreamsEndpoint {
    private static final int MOST_STREAMS = 200;
    private static final int MOST_JOBS = 500;

    private final ChatStreams streams;
    private final Jobs jobs;

    StreamsEndpoint(ChatStreams streams, Jobs jobs, WebServer web) {
        this.streams = streams;
        this.jobs = jobs;
        web.http("streams-sse", this::sse).http("streams-active", this::active);
    }

    private void sse(Exchange exchange) throws IOException {
        Set<String> wanted = ids(exchange, "streamIds", MOST_STREAMS);
        wanted.addAll(ids(exchange, "jobIds", MOST_JOBS));
        ids(exchange, "organizationIds", MOST_JOBS);
        Map<String, Long> seen = cursor(exchange.query("cursor").orElse(""));
        exchange.patient();
        EventStream stream = exchange.events();
        Outlet outlet =
                new Outlet(
                        stream,
                        Limits.of("streamQueueEvents"),
                        Duration.ofMillis(Limits.of("chatPingMs")),
                        one -> {
                            ObjectNode ping = Json.object().put("ts", System.currentTimeMillis());
                            one.send("", "ping", Json.write(ping));
                        });
        AutoCloseable reading = streams.read(wanted, seen, outlet::add);
        try {
            // who hears it may begin what the streams tell of
            stream.comment("connected");
            outlet.live();
            outlet.run();
        } finally {
            close(reading);
        }
    }

    private static void close(AutoCloseable one) {
        try {
            one.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Set<String> ids(Exchange exchange, String name, int most) {
        Set<String> ids = new LinkedHashSet<>();
        for (String value : exchange.queries(name)) {
            for (String id : value.split(",", -1)) {
                if (!id.isBlank() && id.strip().length() <= 255) {
                    ids.add(id.strip());
                }
            }
        }
        if (ids.size() > most) {
            throw new TandemException(
                    ErrorCode.BAD_REQUEST, name + " holds at most " + most + " ids");
        }
        return ids;
    }

    private static Map<String, Long> cursor(String text) {
        Map<String, Long> seen = new HashMap<>();
        if (!text.isEmpty()) {
            try {
                JsonNode cursor =
                        Json.parse(
                                new String(
                                        Base64.getUrlDecoder().decode(text),
                                        StandardCharsets.UTF_8));
                cursor.properties()
                        .forEach(one -> seen.put(one.getKey(), one.getValue().asLong(0)));
            } catch (IllegalArgumentException e) {
                throw new TandemException(ErrorCode.BAD_REQUEST, "Invalid cursor");
            }
        }
        return seen;
    }

    private void active(Exchange exchange) {
        List<Job> running = jobs.list(MOST_STREAMS);
        ObjectNode reply = Json.object();
        ArrayNode ids = reply.putArray("streamIds");
        running.stream().filter(job -> !job.status().over()).forEach(job -> ids.add(job.id()));
        exchange.respond(200, reply);
    }
}
