package dev.tandem.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Our small validator against a complete one. */
class SchemaTest {
    private static final SchemaRegistry JUDGE =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private static final String EVERYTHING =
            """
            {"type":"object","required":["s"],"additionalProperties":false,"properties":{
              "s":{"type":"string","minLength":1},"w":{"type":"string","minLength":3},
              "i":{"type":"integer","minimum":1,"maximum":9},"n":{"type":"number","minimum":-0.5},
              "b":{"type":"boolean"},"e":{"type":"string","enum":["left","right"]},"c":{"const":1},
              "x":{"type":["string","null"]},"o":{"type":"object"},"any":{},
              "a":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":2},
              "p":{"type":"array","minItems":2},
              "d":{"type":"object","properties":{"k":{"type":"boolean"}},"required":["k"],"additionalProperties":false}}}
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "{\"s\":\"a\"} # ",
                "{\"s\":\"a\",\"i\":9,\"n\":-0.5,\"b\":true,\"e\":\"left\",\"c\":1,\"x\":null,\"o\":{\"z\":1},\"any\":[1]} # ",
                "{\"s\":\"a\",\"i\":3.0,\"c\":1.0,\"x\":\"\",\"a\":[\"q\",\"r\"],\"d\":{\"k\":false}} # ",
                "{} # Missing s",
                "[] # The value must be an object",
                "{\"s\":\"\"} # s must not be empty",
                "{\"s\":\"a\",\"w\":\"éé\"} # w must have at least 3 characters",
                "{\"s\":\"a\",\"w\":\"😀😀\"} # w must have at least 3 characters",
                "{\"s\":1} # s must be a string",
                "{\"s\":null} # s must be a string",
                "{\"s\":\"a\",\"i\":1.5} # i must be an integer",
                "{\"s\":\"a\",\"i\":0} # i must be at least 1",
                "{\"s\":\"a\",\"i\":10} # i must be at most 9",
                "{\"s\":\"a\",\"i\":\"1\"} # i must be an integer",
                "{\"s\":\"a\",\"n\":-0.6} # n must be at least -0.5",
                "{\"s\":\"a\",\"b\":\"true\"} # b must be a boolean",
                "{\"s\":\"a\",\"e\":\"up\"} # e must be one of left, right",
                "{\"s\":\"a\",\"c\":2} # c must be 1",
                "{\"s\":\"a\",\"x\":1} # x must be a string or null",
                "{\"s\":\"a\",\"o\":[]} # o must be an object",
                "{\"s\":\"a\",\"a\":[]} # a must not be empty",
                "{\"s\":\"a\",\"p\":[1]} # p must have at least 2 items",
                "{\"s\":\"a\",\"a\":[\"1\",\"2\",\"3\"]} # a must have at most 2 items",
                "{\"s\":\"a\",\"a\":[\"1\",2]} # a[1] must be a string",
                "{\"s\":\"a\",\"d\":{}} # Missing d.k",
                "{\"s\":\"a\",\"d\":{\"k\":true,\"kk\":1}} # Unknown argument: d.kk. Did you mean k?",
                "{\"s\":\"a\",\"zzzzzz\":1} # Unknown argument: zzzzzz"
            })
    void agreesWithACompleteValidatorAndSaysWhy(String value, String message) {
        JsonNode schema = Json.parse(EVERYTHING);
        JsonNode node = Json.parse(value);
        String said = Schema.of(schema).check(node).map(Schema.Problem::message).orElse(null);
        assertThat(said).isEqualTo(message);
        assertThat(judge(schema).validate(node).isEmpty()).isEqualTo(message == null);
    }

    @Test
    void refusesKeywordsAndTypesItDoesNotKnow() {
        assertThatThrownBy(() -> Schema.of(Json.parse("{\"type\":\"string\",\"pattern\":\"a\"}")))
                .hasMessage("The schema keyword pattern is not supported.");
        assertThatThrownBy(() -> Schema.of(Json.parse("{\"type\":\"date\"}")).check(Json.object()))
                .hasMessage("The schema type date is not supported.");
    }

    @Test
    void everySchemaOfTheProtocolIsValidJsonSchema() {
        var meta =
                JUDGE.getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));
        Map<String, JsonNode> schemas = allSchemas();
        assertThat(schemas).hasSizeGreaterThan(170);
        schemas.forEach((name, schema) -> assertThat(meta.validate(schema)).as(name).isEmpty());
        schemas.forEach((name, schema) -> assertThat(Schema.of(schema)).as(name).isNotNull());
    }

    @Test
    void aWrongSchemaWouldBeNoticed() {
        var meta =
                JUDGE.getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));
        assertThat(meta.validate(Json.parse("{\"type\":\"strong\"}"))).isNotEmpty();
    }

    private static Map<String, JsonNode> allSchemas() {
        Map<String, JsonNode> schemas = new LinkedHashMap<>();
        for (Tool tool : Catalogue.load().tools()) {
            schemas.put(tool.name() + ".input", tool.input());
            schemas.put(tool.name() + ".mcpInput", tool.mcpInput());
            schemas.put(tool.name() + ".output", tool.output());
            tool.wire()
                    .properties()
                    .forEach(part ->
                            schemas.put(tool.name() + "." + part.getKey(), part.getValue()));
        }
        for (String family : new String[] {"ops", "link", "annotation", "cdp", "relay"}) {
            Json.resource("messages/" + family + ".json")
                    .path("messages")
                    .properties()
                    .forEach(entry -> schemas.put(entry.getKey(), entry.getValue().get("schema")));
        }
        return schemas;
    }

    private static com.networknt.schema.Schema judge(JsonNode schema) {
        return JUDGE.getSchema(schema);
    }
}
