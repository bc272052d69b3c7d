package dev.tandem.hub.browser;

import dev.tandem.hub.guidance.Skills;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** prompting_guide, skill_list, skill_load: they need no browser. */
public final class GuidanceTools {
    private final Skills skills;
    private final Function<String, List<Skills.Skill>> ofSession;

    /**
     * @param ofSession the packs in the folder that an agent session works in, by its id
     */
    public GuidanceTools(
            ToolRunner runner, Skills skills, Function<String, List<Skills.Skill>> ofSession) {
        this.skills = skills;
        this.ofSession = ofSession;
        runner.with("prompting_guide", this::guide)
                .with("skill_list", this::list)
                .with("skill_load", this::load);
    }

    /** What this caller can see: an agent also the packs of its project. */
    private List<Skills.Skill> all(ToolCall call) {
        return skills.all(call.client().caller().session().map(ofSession).orElse(List.of()));
    }

    /** Never the project's: what the hub says of its tools comes from the user or from us. */
    private ToolResult guide(ToolCall call) {
        Skills.Skill guide = skills.find("best-practices").orElseThrow();
        String text = section(guide, call.text("topic"));
        return ToolResult.of(call.tool(), Json.object().put("guide", text));
    }

    private ToolResult list(ToolCall call) {
        ObjectNode data = Json.object();
        ArrayNode entries = data.putArray("skills");
        List<Skills.Skill> all = all(call);
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
        List<Skills.Skill> all = all(call);
        Skills.Skill skill =
                all.stream()
                        .filter(one -> one.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> notFound(name, all));
        ObjectNode data = Json.object();
        data.put("skill", skill.name());
        if (skill.source().equals(Skills.PROJECT)) {
            data.put("source", skill.source());
        }
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
                                                        + "\"."
                                                        + topics(skill))))
                .orElse(skill.text());
    }

    /** The headings of a project are its own words, which an error cannot mark. */
    private static String topics(Skills.Skill skill) {
        return skill.source().equals(Skills.PROJECT)
                ? ""
                : " Topics: " + String.join(", ", skill.topics()) + ".";
    }

    private static TandemException notFound(String name, List<Skills.Skill> all) {
        List<String> names = all.stream().map(Skills.Skill::name).toList();
        return new TandemException(
                ErrorCode.SKILL_NOT_FOUND,
                "Skill \"" + name + "\" not found. Available: " + String.join(", ", names));
    }
}
