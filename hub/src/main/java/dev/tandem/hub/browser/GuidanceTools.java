package dev.tandem.hub.browser;

import dev.tandem.hub.guidance.Skills;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** prompting_guide, skill_list, skill_load: they need no browser. */
public final class GuidanceTools {
    private final Skills skills;

    public GuidanceTools(ToolRunner runner, Skills skills) {
        this.skills = skills;
        runner.with("prompting_guide", this::guide)
                .with("skill_list", this::list)
                .with("skill_load", this::load);
    }

    private ToolResult guide(ToolCall call) {
        Skills.Skill guide = skills.find("best-practices").orElseThrow();
        String text = section(guide, call.text("topic"));
        return ToolResult.of(call.tool(), Json.object().put("guide", text));
    }

    private ToolResult list(ToolCall call) {
        ObjectNode data = Json.object();
        ArrayNode entries = data.putArray("skills");
        List<Skills.Skill> all = skills.all();
        for (Skills.Skill skill : all) {
            entries.addObject()
                    .put("name", skill.name())
                    .put("description", skill.description())
                    .put("version", skill.version())
                    .put("source", skill.source());
        }
        data.put("count", all.size());
        return ToolResult.of(call.tool(), data);
    }

    private ToolResult load(ToolCall call) {
        String name = call.text("name").orElse("");
        Skills.Skill skill = skills.find(name).orElseThrow(() -> notFound(name));
        ObjectNode data = Json.object();
        data.put("skill", skill.name());
        Optional<String> topic = call.text("topic");
        topic.ifPresentOrElse(t -> data.put("topic", t), () -> data.putNull("topic"));
        data.put("content", section(skill, topic));
        return ToolResult.of(call.tool(), data);
    }

    private static String section(Skills.Skill skill, Optional<String> topic) {
        return topic.map(wanted ->
                        skill.section(wanted)
                                .orElseThrow(() ->
                                        new TandemException(
                                                ErrorCode.INVALID_REQUEST,
                                                "There is no topic \""
                                                        + wanted
                                                        + "\". Topics: "
                                                        + String.join(", ", skill.topics())
                                                        + ".")))
                .orElse(skill.text());
    }

    private TandemException notFound(String name) {
        List<String> names = skills.all().stream().map(Skills.Skill::name).toList();
        return new TandemException(
                ErrorCode.SKILL_NOT_FOUND,
                "Skill \"" + name + "\" not found. Available: " + String.join(", ", names));
    }
}
