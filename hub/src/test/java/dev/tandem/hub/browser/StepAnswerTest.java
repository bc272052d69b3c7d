package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Schema;
import dev.tandem.protocol.Tool;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/** OPS-8, OPS-57 to OPS-60: however a step led to another site, it answers in its own shape. */
class StepAnswerTest {
    private static final Set<String> STEPS = Set.of("interaction", "pointer", "dialog");

    private static Stream<Tool> steps() {
        return Catalogue.load().tools().stream().filter(tool -> STEPS.contains(tool.group()));
    }

    private static ObjectNode arrived() {
        return Json.object().put("finalUrl", "https://b.example/").put("timingMs", 12.5);
    }

    @ParameterizedTest
    @MethodSource("steps")
    void everyStepAnswersAsItsToolDoes(Tool step) {
        ObjectNode payload = Json.object().put("ref", "r1").put("targetId", "tab-7");
        ObjectNode answer = StepAnswer.of(step, payload, arrived());
        assertThat(Schema.of(step.output()).check(answer)).as("%s", answer).isEmpty();
    }

    @Test
    void whatWasTypedIsNotGivenBack() {
        Tool type = Catalogue.load().byName("type").orElseThrow();
        ObjectNode payload = Json.object().put("ref", "r1").put("text", "hunter2");
        ObjectNode answer = StepAnswer.of(type, payload, arrived());
        assertThat(Json.write(answer)).doesNotContain("hunter2");
        assertThat(answer.path("redacted").asBoolean()).isTrue();
    }

    @Test
    void aClickSaysWhereItLed() {
        Tool click = Catalogue.load().byName("click").orElseThrow();
        ObjectNode answer = StepAnswer.of(click, Json.object().put("ref", "r1"), arrived());
        assertThat(answer.path("navigated").asBoolean()).isTrue();
        assertThat(answer.path("url").asString()).isEqualTo("https://b.example/");
    }
}
