package dev.tandem.hub.sessions;

import dev.tandem.protocol.Json;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A session's past in the forms that others need: context for an agent, an export, a preview. */
final class History {
    private static final int CONTEXT_CHARACTERS = 48_000;
    private static final int CONTEXT_ENTRIES = 400;
    private static final int PREVIEW_CHARACTERS = 160;
    private static final int PAGE = 1_000;

    private History() {}

    /**
     * The end of the conversation for an agent that does not remember it; empty if there is none.
     */
    static String context(SessionLog log, String sessionId) {
        StringBuilder said = new StringBuilder();
        List<Entry> newest = log.before(sessionId, Long.MAX_VALUE, CONTEXT_ENTRIES).reversed();
        for (Entry entry : newest) {
            String line = line(entry);
            if (said.length() + line.length() > CONTEXT_CHARACTERS) {
                break;
            }
            said.insert(0, line);
        }
        boolean spoken = newest.stream().anyMatch(e -> e.kind() == Entry.Kind.ASSISTANT);
        return spoken
                ? "This conversation went on before you were started. For your information only,"
                        + " its last part:\n\n"
                        + said
                        + "\nThe user's next message follows."
                : "";
    }

    private static String line(Entry entry) {
        return switch (entry.kind()) {
            case USER ->
                    entry.body().path("withdrawn").asBoolean(false)
                            ? ""
                            : "User: " + entry.text("text").orElse("") + "\n";
            case ASSISTANT -> "You: " + entry.text("text").orElse("") + "\n";
            case TOOL_USE -> "You used: " + entry.text("title").orElse("a tool") + "\n";
            case THOUGHT, TOOL_RESULT, PLAN, PERMISSION, LIFECYCLE, ERROR, SYSTEM -> "";
        };
    }

    /** The session and its whole log. */
    static ObjectNode export(Session session, SessionLog log, long now) {
        ObjectNode export = Json.object();
        ObjectNode about = export.putObject("session");
        about.setAll(session.fields().deepCopy());
        about.put("id", session.id()).put("project_id", session.projectId());
        about.put("phase", session.phase().word());
        about.put("created_at", Instant.ofEpochMilli(session.createdAt()).toString());
        export.put("export_at", Instant.ofEpochMilli(now).toString()).put("version", "1");
        ArrayNode messages = export.putArray("messages");
        long seq = 0;
        List<Entry> page = log.after(session.id(), seq, PAGE);
        while (!page.isEmpty()) {
            for (Entry entry : page) {
                ObjectNode message = messages.addObject().put("id", entry.id());
                message.put("seq", entry.seq()).put("kind", entry.kind().word());
                message.set("body", entry.body());
                message.put("created_at", Instant.ofEpochMilli(entry.createdAt()).toString());
                seq = entry.seq();
            }
            page = log.after(session.id(), seq, PAGE);
        }
        return export;
    }

    static String preview(Entry entry) {
        String text = entry.text("text").orElse("").strip().replaceAll("\\s+", " ");
        return text.codePointCount(0, text.length()) <= PREVIEW_CHARACTERS
                ? text
                : text.substring(0, text.offsetByCodePoints(0, PREVIEW_CHARACTERS - 1)) + "…";
    }
}
