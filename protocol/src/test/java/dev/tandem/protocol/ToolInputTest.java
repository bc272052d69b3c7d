package dev.tandem.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToolInputTest {
    private static final SchemaRegistry JUDGE =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    // OPS-116: a missing argument is invalid_request with the wording that clients know
    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "click # {\"ref\":\"r1\"} # ",
                "click # {\"ref\":\"r1\",\"sessionId\":\"s\",\"targetId\":\"t\",\"timeoutMs\":5,\"diff\":true} # ",
                "click # {} # Missing ref",
                "click # {\"reff\":\"r1\",\"ref\":\"r1\"} # Unknown argument: reff. Did you mean ref?",
                "click # {\"ref\":\"r1\",\"timeoutMs\":600001} # timeoutMs must be at most 600000",
                "click # {\"ref\":\"r1\",\"button\":\"top\"} # button must be one of left, middle, right",
                "goto # {} # Missing url",
                "goto # {\"url\":5} # url must be a string",
                "press # {} # Missing key",
                "get_attr # {\"ref\":\"r1\"} # Missing name",
                "type # {\"ref\":\"r1\"} # Missing ref or text",
                "type # {\"ref\":\"r1\",\"text\":\"\"} # ",
                "select # {\"ref\":\"r1\"} # Missing ref or values",
                "select # {\"ref\":\"r1\",\"values\":[]} # values must not be empty",
                "scroll # {\"dy\":-120.5} # ",
                "snapshot # {\"maxChars\":499} # maxChars must be at least 500",
                "snapshot # {\"mode\":\"actionables\"} # ",
                "pointer_move # {\"x\":1} # Pointer move requires numeric x and y.",
                "pointer_drag # {\"from\":{\"x\":1,\"y\":2},\"to\":{\"x\":3,\"y\":4}} # ",
                "pointer_drag # {\"from\":{\"x\":1,\"y\":2}} # Missing toX",
                "run # {\"steps\":[{\"args\":{}}]} # Missing steps[0].action",
                "skill_list # {\"sessionId\":\"s\"} # Unknown argument: sessionId",
                "targets_list # {\"targetId\":\"t\"} # Unknown argument: targetId",
                "status # {\"sessionId\":\"s\"} # "
            })
    void readsArgumentsOrSaysWhatIsWrong(String name, String arguments, String message) {
        Tool tool = tool(name);
        if (message == null) {
            var read = tool.read(Json.parse(arguments));
            assertThat(JUDGE.getSchema(tool.input()).validate(read)).isEmpty();
            return;
        }
        var error =
                catchThrowableOfType(TandemException.class, () -> tool.read(Json.parse(arguments)));
        assertThat(error.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(error.message()).isEqualTo(message);
        assertThat(error.details().has("argument")).isTrue();
        assertThat(ErrorCode.INVALID_REQUEST.reasons()).containsKey(error.reason().orElseThrow());
    }

    @Test
    void argumentsMustBeAnObject() {
        var error =
                catchThrowableOfType(TandemException.class, () -> tool("click").read(Json.array()));
        assertThat(error.message()).isEqualTo("The arguments must be an object");
    }

    @Test
    void aliasesBecomeTheCanonicalNameAndTheInputStaysUntouched() {
        var given = Json.parseObject("{\"mode\":\"actionables\"}");
        assertThat(tool("snapshot").read(given))
                .isEqualTo(Json.parse("{\"format\":\"actionables\"}"));
        assertThat(given.has("mode")).isTrue();
        assertThat(
                        tool("snapshot")
                                .read(
                                        Json.parse(
                                                "{\"mode\":\"actionables\",\"format\":\"outline\"}")))
                .isEqualTo(Json.parse("{\"format\":\"outline\"}"));
        assertThat(
                        tool("connect")
                                .read(Json.parse("{\"sessionId\":\"s\",\"sessionLeaseId\":\"l\"}")))
                .isEqualTo(Json.parse("{\"sessionId\":\"s\",\"leaseId\":\"l\"}"));
        assertThat(
                        tool("pointer_drag")
                                .read(
                                        Json.parse(
                                                "{\"from\":{\"x\":1,\"y\":2},\"to\":{\"x\":3,\"y\":4}}")))
                .isEqualTo(Json.parse("{\"fromX\":1,\"fromY\":2,\"toX\":3,\"toY\":4}"));
    }

    @ParameterizedTest
    @DisplayName(
            "SEC-3 (the catalogue's half): arguments that name programs, profiles or endpoints are the user's")
    @CsvSource({
        "launch,chromePath",
        "launch,flags",
        "launch,profile",
        "connect,wsEndpoint",
        "connect,host",
        "connect,port"
    })
    void onlyTheUserNamesProgramsAndEndpoints(String name, String argument) {
        var error =
                catchThrowableOfType(
                        TandemException.class,
                        () ->
                                tool(name)
                                        .arguments()
                                        .refuseUserOnly(Json.object().put(argument, "x")));
        assertThat(error.reason()).contains("not_allowed_here");
        assertThat(error.message()).startsWith(argument + " can only be given");
        tool(name).arguments().refuseUserOnly(Json.object().put("startUrl", "https://a.test"));
    }

    @Test
    void knowsItsFaceOnTheCommandLine() {
        assertThat(tool("click").arguments().positional()).contains("ref");
        assertThat(tool("snapshot").arguments().positional()).isEmpty();
        assertThat(tool("launch").arguments().flag("startUrl")).isEqualTo("start-url");
        assertThat(tool("launch").arguments().flag("flags")).isEqualTo("flag");
        assertThat(tool("connect").arguments().flag("port")).isEqualTo("cdp-port");
        assertThat(tool("snapshot").arguments().flag("format")).isEqualTo("mode");
        assertThat(tool("get_attr").arguments().flag("name")).isEqualTo("attr");
    }

    private static Tool tool(String name) {
        return Catalogue.load().byName(name).orElseThrow();
    }
}
