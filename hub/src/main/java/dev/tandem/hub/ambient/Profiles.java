package dev.tandem.hub.ambient;

import dev.tandem.hub.sessions.Session;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.sessions.SessionStore;
import dev.tandem.protocol.Json;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.databind.node.ObjectNode;

/** Agent profiles at work: their start prompt and their sessions. */
final class Profiles {
    static final String AGENT = "Agent";
    static final String INBOX = "InboxMessage";
    private static final List<String> HANDED_ON =
            List.of(
                    "repo_url",
                    "workflow_id",
                    "llm_model",
                    "llm_temperature",
                    "llm_max_tokens",
                    "bot_account_name",
                    "resource_overrides",
                    "environment_variables",
                    "annotations");

    private final Documents documents;
    private final SessionEngine engine;
    private final SessionStore store;
    private final Clock clock;
    private final ReentrantLock starting = new ReentrantLock();

    Profiles(Documents documents, SessionEngine engine, SessionStore store, Clock clock) {
        this.documents = documents;
        this.engine = engine;
        this.store = store;
        this.clock = clock;
    }

    /** A started session; the prompt is empty when it ran already. */
    record Started(Session session, String prompt) {}

    Optional<Session> active(Documents.Document profile) {
        return sessions(profile).stream().filter(session -> session.phase().canStop()).findFirst();
    }

    List<Session> sessions(Documents.Document profile) {
        return store.sessions().stream()
                .filter(session ->
                        session.field("agent_id").filter(profile.id()::equals).isPresent())
                .toList();
    }

    /** Starts the profile, unless a session of it is active. */
    Started start(Documents.Document profile, String task, ObjectNode more) {
        starting.lock();
        try {
            Optional<Session> active = active(profile);
            if (active.isPresent()) {
                return new Started(active.get(), "");
            }
            String prompt = prompt(profile, task);
            ObjectNode fields = Json.object();
            HANDED_ON.stream()
                    .filter(profile.fields()::has)
                    .forEach(name -> fields.set(name, profile.fields().get(name)));
            fields.setAll(more);
            String name = MessageView.text(profile.fields(), "name");
            fields.put("name", name + "-" + clock.millis() / 1000);
            fields.put("agent_id", profile.id()).put("prompt", prompt);
            fields.put("created_by_user_id", AccessEndpoint.OWNER);
            Session made = engine.create(profile.parent(), fields);
            unread(profile).forEach(this::markRead);
            documents.update(profile, stored -> stored.put("current_session_id", made.id()));
            return new Started(engine.start(made.id()), prompt);
        } finally {
            starting.unlock();
        }
    }

    List<Documents.Document> unread(Documents.Document profile) {
        return documents.list(INBOX, profile.id()).stream()
                .filter(message -> !message.fields().path("read").asBoolean(false))
                .toList();
    }

    private void markRead(Documents.Document message) {
        documents.update(message, fields -> fields.put("read", true));
    }

    /** What a new session of the profile is told first. */
    String prompt(Documents.Document profile, String task) {
        StringBuilder text = new StringBuilder("# Agent Start: ");
        text.append(MessageView.text(profile.fields(), "name")).append('\n');
        store.project(profile.parent())
                .map(project -> MessageView.text(project.fields(), "prompt"))
                .ifPresent(words -> section(text, "Workspace", words));
        section(text, "Standing instructions", MessageView.text(profile.fields(), "prompt"));
        section(text, "Other agents here", peers(profile));
        StringBuilder messages = new StringBuilder();
        for (Documents.Document message : unread(profile)) {
            messages.append("- ")
                    .append(Json.text(message.fields(), "from_name").orElse("Somebody"))
                    .append(": ")
                    .append(MessageView.text(message.fields(), "body"))
                    .append('\n');
        }
        section(text, "Unread messages", messages.toString());
        section(text, "Task", task);
        return text.toString();
    }

    private String peers(Documents.Document profile) {
        StringBuilder rows = new StringBuilder();
        for (Documents.Document other : documents.list(AGENT, profile.parent())) {
            if (!other.id().equals(profile.id())) {
                rows.append(rows.isEmpty() ? "| name | description |\n|---|---|\n" : "");
                rows.append("| ").append(MessageView.text(other.fields(), "name")).append(" | ");
                rows.append(MessageView.text(other.fields(), "description")).append(" |\n");
            }
        }
        return rows.toString();
    }

    private static void section(StringBuilder text, String title, String words) {
        if (!words.isBlank()) {
            text.append("\n## ").append(title).append("\n\n").append(words.strip()).append('\n');
        }
    }
}
