package dev.tandem.hub.ambient;

import dev.tandem.hub.sessions.Session;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.protocol.Json;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Starts sessions by the clock. Times that passed while the hub was off are not made up for. */
final class Schedules implements AutoCloseable {
    static final String KIND = "ScheduledSession";
    static final String OF_SCHEDULE = "scheduled_session_id";
    private static final Logger LOG = LoggerFactory.getLogger(Schedules.class);
    private static final long LOOK_EVERY_MS = 10_000;
    private static final List<String> HANDED_ON =
            List.of("timeout", "inactivity_timeout", "stop_on_run_finished");

    private final Documents documents;
    private final Profiles profiles;
    private final SessionEngine engine;
    private final Clock clock;
    private final ScheduledExecutorService ticker =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("schedules").factory());
    private volatile long looked;

    Schedules(Documents documents, Profiles profiles, SessionEngine engine, Clock clock) {
        this.documents = documents;
        this.profiles = profiles;
        this.engine = engine;
        this.clock = clock;
        this.looked = clock.millis();
    }

    void open() {
        var _ =
                ticker.scheduleWithFixedDelay(
                        this::look, LOOK_EVERY_MS, LOOK_EVERY_MS, TimeUnit.MILLISECONDS);
    }

    static boolean enabled(Documents.Document schedule) {
        return schedule.fields().path("enabled").asBoolean(true);
    }

    static ZoneId zone(ObjectNode fields) {
        String name = Json.text(fields, "timezone").filter(t -> !t.isBlank()).orElse("UTC");
        try {
            return ZoneId.of(name);
        } catch (DateTimeException e) {
            throw Problems.invalid("timezone is not known: " + name);
        }
    }

    static Optional<Instant> next(ObjectNode fields, Instant after) {
        return Cron.parse(MessageView.text(fields, "schedule"))
                .next(after.atZone(zone(fields)))
                .map(java.time.ZonedDateTime::toInstant);
    }

    /** Runs what became due since the last look. */
    void look() {
        Instant from = Instant.ofEpochMilli(looked);
        Instant now = clock.instant();
        looked = now.toEpochMilli();
        for (Documents.Document schedule : documents.list(KIND)) {
            try {
                boolean due =
                        enabled(schedule)
                                && next(schedule.fields(), from)
                                        .filter(at -> !at.isAfter(now))
                                        .isPresent();
                if (due) {
                    run(schedule);
                }
            } catch (RuntimeException e) {
                LOG.warn("Scheduled session {} did not start: {}", schedule.id(), e.toString());
            }
        }
    }

    /** Starts a run; empty when its agent has an active session already. */
    Optional<Session> run(Documents.Document schedule) {
        ObjectNode asked = schedule.fields();
        ObjectNode fields = Json.object().put(OF_SCHEDULE, schedule.id());
        for (String name : HANDED_ON) {
            JsonNode value = asked.path(name);
            if (!value.isMissingNode()) {
                fields.set(name, value);
            }
        }
        String prompt = MessageView.text(asked, "session_prompt");
        String agent = MessageView.text(asked, "agent_id");
        Optional<Session> started;
        if (agent.isEmpty()) {
            fields.put("name", MessageView.text(asked, "name") + "-" + clock.millis() / 1000);
            fields.put("prompt", prompt).put("created_by_user_id", AccessEndpoint.OWNER);
            started = Optional.of(engine.start(engine.create(schedule.parent(), fields).id()));
        } else {
            Documents.Document profile =
                    documents.required(Profiles.AGENT, schedule.parent(), agent);
            Profiles.Started run = profiles.start(profile, prompt, fields);
            started = run.prompt().isEmpty() ? Optional.empty() : Optional.of(run.session());
        }
        if (started.isPresent()) {
            documents.update(
                    schedule, stored -> stored.put("last_run_at", Resource.time(clock.millis())));
        }
        return started;
    }

    Instant now() {
        return clock.instant();
    }

    @Override
    public void close() {
        ticker.shutdownNow();
    }
}
