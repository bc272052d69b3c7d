package dev.tandem.hub.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Json;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** ACP-102: every limit of a form, whoever answers it. */
class FormSchemaTest {
    private static String problem(String field, String value) {
        return new FormSchema(Json.parse("{\"properties\":{\"it\":" + field + "}}"))
                .problem(Json.parse("{\"it\":" + value + "}"))
                .orElse("");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'type':'integer','minimum':0 | -1 | 0 | be at least 0",
                "'type':'integer','maximum':120 | 121 | 120 | be at most 120",
                "'type':'integer' | 1.5 | 2.0 | be a whole number",
                "'type':'integer' | '3' | 3 | be a whole number",
                "'type':'number','minimum':0.5 | 0.4 | 0.5 | be at least 0.5",
                "'type':'number','maximum':9 | 1e300 | -1e300 | be at most 9",
                "'type':'number' | 1e999 | 1.5 | be a number",
                "'type':'number' | null | 1 | be a number",
                "'type':'boolean' | 'yes' | false | be true or false",
                "'type':'string' | 1 | '1' | be text",
                "'type':'string','minLength':2 | '😀' | '😀😀' | have at least 2 characters",
                "'type':'string','maxLength':1 | 'ab' | '😀' | have at most 1 character",
                "'type':'string','pattern':'^[A-Z]+$' | 'ab' | 'AB' | have the form ^[A-Z]+$",
                "'type':'string','enum':['a','b'] | 'c' | 'a' | be one of a, b",
                "'type':'string','oneOf':[{'const':'a'}] | 'A' | 'a' | be one of a",
                "'type':'string','format':'email' | 'ada' | 'ada@home' | be an e-mail address",
                "'type':'string','format':'uri' | 'a.test' | 'https://a.test/b c' | be a whole"
                        + " address, like https://…",
                "'type':'string','format':'date' | '2026-02-30' | '2026-02-28' | be a day, like"
                        + " 2026-01-31",
                "'type':'string','format':'date-time' | '2026-02-28' | '2026-02-28T10:00:00.000Z'"
                        + " | be a time, like 2026-01-31T12:00:00Z",
                "'type':'array','minItems':2 | ['a'] | ['a','b'] | have at least 2 choices",
                "'type':'array','maxItems':1 | ['a','b'] | ['a'] | have at most 1 choice",
                "'type':'array','items':{'enum':['a']} | ['b'] | ['a'] | be one of a",
                "'type':'array','items':{'anyOf':[{'const':'a'}]} | ['b'] | ['a'] | be one of a",
                "'type':'array' | 'a' | [] | be a list",
                "'type':'array' | [1] | ['1'] | be a list of texts"
            })
    void everyLimitHolds(String field, String bad, String good, String must) {
        String schema = "{" + field.replace('\'', '"') + "}";
        assertThat(problem(schema, bad.replace('\'', '"')))
                .isEqualTo("The field it must " + must + ".");
        assertThat(problem(schema, good.replace('\'', '"'))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"{}", "{'it':null}", "{'it':''}", "{'it':[]}", "{'other':1}"})
    void whatIsNeededIsThere(String content) {
        FormSchema schema = new FormSchema(Json.parse("{\"required\":[\"it\"]}"));
        assertThat(schema.problem(Json.parse(content.replace('\'', '"'))))
                .contains("The field it is needed.");
        assertThat(schema.problem(Json.parse("{\"it\":false}"))).isEmpty();
    }

    @Test
    void whatIsNoLimitForbidsNothing() {
        assertThat(problem("{\"type\":\"string\",\"pattern\":\"(\"}", "\"x\"")).isEmpty();
        assertThat(problem("{\"type\":\"colour\"}", "\"x\"")).isEmpty();
        assertThat(new FormSchema(Json.object().path("none")).problem(Json.object())).isEmpty();
    }

    @Test
    void noPatternHoldsTheHubUp() {
        String endless = "{\"type\":\"string\",\"pattern\":\"^(a|aa)+\\\\1$\"}";
        Assertions.assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertThat(problem(endless, "\"" + "a".repeat(90) + "c\"")).isEmpty());
        String deep = "{\"type\":\"string\",\"pattern\":\"^(a|b)*$\"}";
        assertThat(problem(deep, "\"" + "a".repeat(400_000) + "\"")).isEmpty();
    }
}
