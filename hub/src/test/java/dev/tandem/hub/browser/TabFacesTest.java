package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The chat clients' names for tabs are other words for tools of the catalogue. */
class TabFacesTest {
    // OPS-C1, PLG-84 (what each means)
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "tab_read       | {}                                       | status        | {}",
                "tab_read       | {\"mode\":\"dom\",\"ref\":\"r1\"}        | dom_get_text  | {\"ref\":\"r1\"}",
                "tab_read       | {\"mode\":\"dom\",\"tabId\":7}           | snapshot      | {\"targetId\":\"tab-7\"}",
                "tab_read       | {\"mode\":\"elements\"}                  | snapshot      | {\"format\":\"actionables\"}",
                "tab_read       | {\"mode\":\"screenshot\",\"format\":\"jpeg\"} | screenshot | {\"format\":\"jpeg\"}",
                "tab_info       | {\"tabId\":7}                            | status        | {}",
                "tab_read_dom   | {}                                       | snapshot      | {}",
                "tab_screenshot | {}                                       | screenshot    | {}",
                "tab_click      | {\"ref\":\"r2\"}                         | click         | {\"ref\":\"r2\"}",
                "tab_type       | {\"ref\":\"r2\",\"text\":\"a\"}          | type          | {\"ref\":\"r2\",\"text\":\"a\",\"clear\":true}",
                "tab_scroll     | {}                                       | scroll        | {\"dy\":500}",
                "tab_scroll     | {\"direction\":\"up\",\"pixels\":20}     | scroll        | {\"dy\":-20}",
                "tab_scroll     | {\"direction\":\"top\"}                  | scroll        | {\"dy\":-10000000}",
                "tab_action     | {\"action\":\"wait\",\"text\":\"Done\"}  | wait          | {\"text\":\"Done\"}",
                "tab_action     | {\"actions\":[{\"action\":\"click\",\"ref\":\"r2\"}]} | click | {\"ref\":\"r2\"}"
            })
    void eachNameMeansATool(String name, String given, String tool, String arguments) {
        TabFaces.Meant meant = TabFaces.of(name, Json.parse(given)).orElseThrow();
        assertThat(meant.tool()).isEqualTo(tool);
        assertThat(meant.arguments()).isEqualTo(Json.parse(arguments));
        Tool known = Catalogue.load().byName(tool).orElseThrow();
        assertThat(known.read(meant.arguments())).isNotNull();
    }

    @Test
    void severalStepsAreOneRun() {
        var given =
                Json.parse(
                        """
                        {"tabId": 9, "timeoutMs": 2000, "actions": [
                          {"action": "type", "ref": "r1", "text": "a", "clear": false},
                          {"action": "click", "x": 3, "y": 4},
                          {"action": "scroll", "direction": "bottom"}]}
                        """);
        TabFaces.Meant run = TabFaces.of("tab_action", given).orElseThrow();
        assertThat(run.tool()).isEqualTo("run");
        assertThat(run.arguments().path("timeoutMs").asInt()).isEqualTo(2000);
        var steps = run.arguments().path("steps");
        assertThat(steps.valueStream().map(step -> step.path("action").asString()))
                .containsExactly("type", "pointer_down", "pointer_up", "scroll");
        for (var step : steps) {
            assertThat(step.at("/args/targetId").asString()).isEqualTo("tab-9");
            Tool tool = Catalogue.load().byRunAction(step.path("action").asString()).orElseThrow();
            assertThat(tool.read(step.path("args"))).isNotNull();
        }
        assertThat(steps.at("/0/args/clear").asBoolean(true)).isFalse();
    }

    @Test
    void whatMeansNothingIsRefusedAndOtherNamesAreNotTaken() {
        assertThat(TabFaces.of("tab_reader", Json.object())).isEmpty();
        assertThatThrownBy(() -> TabFaces.of("tab_action", Json.object()))
                .hasMessage("tab_action requires at least one action step.");
        assertThatThrownBy(() -> TabFaces.of("tab_read", Json.object().put("mode", "all")))
                .hasMessageContaining("mode must be one of");
        assertThatThrownBy(() -> TabFaces.of("tab_action", Json.object().put("action", "jump")))
                .hasMessage("action must be one of click, type, scroll, wait.");
        assertThatThrownBy(() -> TabFaces.of("tab_scroll", Json.object().put("direction", "in")))
                .hasMessage("direction must be one of up, down, top, bottom.");
    }
}
