package dev.tandem.hub.permission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PatternsTest {
    /** No label of a name is longer than 63 letters. */
    private static final String TOO_LONG =
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

    @ParameterizedTest
    @DisplayName("PLG-95 the golden scores")
    @CsvSource({
        "*, *, 0",
        "tab_read:*, *, 1509",
        "tab_action, *, 2510",
        "tab_read:dom, *, 3012",
        "tab_action:*, https://*, 10091511",
        "tab_action:click, *.example.com, 20133016",
        "tab_action:click, https://*.example.com, 30213016",
        "tab_action:*, app.example.com, 35151511",
        "*, https://app.example.com, 40230000",
        "tab_action:input, https://app.example.com, 40233016"
    })
    void scores(String tool, String origin, long score) {
        assertThat(new Rule("id", "", tool, origin, "*", true, 0, 0, true).score())
                .isEqualTo(score);
    }

    @ParameterizedTest
    @DisplayName("PLG-100 patterns have one spelling")
    @CsvSource({
        "TAB_ACTION:*, tab_action:*",
        "' tab_read:dom ', tab_read:dom",
        "tab_action:type, tab_action:input"
    })
    void toolSpelling(String given, String stored) {
        assertThat(Patterns.tool(given)).isEqualTo(stored);
    }

    @ParameterizedTest
    @DisplayName("PLG-100 unsafe tool patterns are refused")
    @ValueSource(strings = {"tab action", "tab_action:**", "", "a/b"})
    void unsafeTools(String given) {
        assertThatThrownBy(() -> Patterns.tool(given)).hasMessage("Invalid tool pattern");
    }

    @ParameterizedTest
    @DisplayName("PLG-94 PLG-100 origins have one spelling")
    @CsvSource({
        "https://github.com/a/b, https://github.com",
        "HTTPS://GitHub.com:443, https://github.com",
        "http://localhost:3000/x?q=1 2, http://localhost:3000",
        "'*', '*'",
        "'https://*', 'https://*'",
        "'*.Example.com', '*.example.com'",
        "'https://*.example.com', 'https://*.example.com'",
        "app.example.com, app.example.com",
        "https://bücher.example/, https://xn--bcher-kva.example",
        "'http://[::1]:8080/', 'http://[::1]:8080'"
    })
    void originSpelling(String given, String stored) {
        assertThat(Patterns.origin(given)).isEqualTo(stored);
    }

    @ParameterizedTest
    @DisplayName("PLG-100 unsafe origin patterns are refused")
    @ValueSource(
            strings = {
                "chrome://extensions",
                "https://*.bad/path",
                "*.bad_host.com",
                "javascript:alert(1)",
                "https://user@host.com",
                "file:///etc/passwd",
                "single",
                "https://a b/",
                "https://" + TOO_LONG + "ü.example",
                TOO_LONG + "ü.example"
            })
    void unsafeOrigins(String given) {
        assertThatThrownBy(() -> Patterns.origin(given)).hasMessage("Invalid origin pattern");
    }

    @Test
    @DisplayName("PLG-94 a rule can be made for every site that a card names")
    void unusualSites() {
        assertThat(Patterns.origin("http://my_shop.example:8080"))
                .isEqualTo("http://my_shop.example:8080");
    }

    @Test
    @DisplayName("PLG-93 PLG-94 what patterns match")
    void matching() {
        assertThat(Patterns.toolMatches("tab_read:*", "tab_read:dom")).isTrue();
        assertThat(Patterns.toolMatches("tab_action", "tab_action:click")).isTrue();
        assertThat(Patterns.toolMatches("tab_action", "tab_actions:click")).isFalse();
        assertThat(Patterns.toolMatches("tab_action:click", "tab_action:input")).isFalse();
        assertThat(Patterns.toolMatches("*", "bash:rm -rf")).isFalse();
        assertThat(Patterns.originMatches("*.example.com", "https://example.com")).isTrue();
        assertThat(Patterns.originMatches("*.example.com", "http://a.b.example.com:81")).isTrue();
        assertThat(Patterns.originMatches("*.example.com", "https://evilexample.com")).isFalse();
        assertThat(Patterns.originMatches("https://*.example.com", "http://example.com")).isFalse();
        assertThat(Patterns.originMatches("https://*", "http://example.com")).isFalse();
        assertThat(Patterns.originMatches("example.com", "http://example.com:99")).isTrue();
        assertThat(Patterns.originMatches("https://example.com", "https://example.com:99"))
                .isFalse();
        assertThat(Patterns.originMatches("https://*", "")).isFalse();
    }
}
