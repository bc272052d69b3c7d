package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebOriginTest {
    @ParameterizedTest
    @DisplayName("SEC-5, SEC-13 an address has the origin that browsers give it")
    @CsvSource({
        "https://Shop.example:443/list?q#x, https://shop.example",
        "HTTP://shop.example:80, http://shop.example",
        "http://shop.example:8080/, http://shop.example:8080",
        "https://bank.example@evil.example/, https://evil.example",
        "https://a:b@evil.example:8443/, https://evil.example:8443",
        "https://my_shop.example/, https://my_shop.example",
        "blob:https://bank.example/0f-1, https://bank.example",
        "http://[::1]:9/x, http://[::1]:9",
        "https://a.example/x y?z#q, https://a.example",
        "https://bücher.example/, https://xn--bcher-kva.example",
    })
    void asBrowsersSpellIt(String address, String origin) {
        assertThat(WebOrigin.of(address)).isEqualTo(origin);
    }

    @ParameterizedTest
    @DisplayName(
            "SEC-5, PLG-94 what is no address of a site, or could be read in two ways, has none")
    @ValueSource(
            strings = {
                "",
                "about:blank",
                "chrome://version",
                "://",
                "x",
                "data:text/html,https://shop.example/",
                "javascript:alert(1)//https://shop.example/",
                "file:///etc/passwd",
                "https:/shop.example",
                "https:shop.example",
                "https://",
                "https://shop.example\\@evil.example/",
                "https://sh\top.example/",
                "https://shop.example%2eevil.example/",
                "view-source:https://shop.example/",
            })
    void elsewhereThereIsNone(String address) {
        assertThat(WebOrigin.of(address)).isEmpty();
    }
}
