package dev.tandem.hub.sessions;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.permission.Ask;
import dev.tandem.protocol.Json;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * A conversation with one agent in one project.
 *
 * @param fields what was asked for and what became of it, by the names of the Ambient API
 * @param lastSeq the newest entry of its log
 * @param readSeq the newest entry somebody has seen
 */
public record Session(
        String id,
        String projectId,
        ObjectNode fields,
        Phase phase,
        long lastSeq,
        long readSeq,
        long createdAt,
        long updatedAt) {

    public String name() {
        return field("name").orElse(id);
    }

    public Optional<String> field(String name) {
        return Json.text(fields, name);
    }

    /** The agent it works with, or would have: used, tried in vain, or wished for. */
    public Optional<String> agent() {
        return field("agent_used")
                .or(() -> field("agent_tried"))
                .or(() -> annotation("tandem/agent"))
                .filter(id -> !id.isBlank());
    }

    /** One of the annotations, which the API keeps as JSON inside a string. */
    public Optional<String> annotation(String name) {
        return field("annotations")
                .filter(text -> !text.isBlank())
                .map(Json::parse)
                .flatMap(all -> Json.text(all, name));
    }

    /** Its agent, as doors know it. */
    public Caller caller() {
        return new Caller(
                TokenKind.SESSION,
                id,
                name(),
                annotation("tandem/profile").orElseGet(this::usualProfile),
                mode(),
                Optional.of(id));
    }

    /** The built-in agent takes hold of the tab the user looks at, which core has no tool for. */
    private String usualProfile() {
        return field("agent_used").filter("tandem"::equals).isPresent() ? "all" : "core";
    }

    /** Its agent, as the permission desk knows it. */
    public Ask.Who asker() {
        return new Ask.Who("mcp", id, name(), projectId, mode(), "");
    }

    /** The same with other fields. */
    Session with(ObjectNode changed) {
        return new Session(id, projectId, changed, phase, lastSeq, readSeq, createdAt, updatedAt);
    }

    /** How much its agent may do without asking; only the user changes it. */
    public Caller.Mode mode() {
        return annotation("tandem/mode").flatMap(Caller.Mode::of).orElse(Caller.Mode.ASK);
    }
}
