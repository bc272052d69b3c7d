package dev.tandem.hub.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ComponentTest {

    @Test
    void markupBecomesJsx() {
        // OPS-84, OPS-165 (format)
        Component component =
                Component.from(
                        "<div class=\"c1\"><label for=\"a\">Na &amp; {me}</label><input id=\"a\""
                                + " value=\"x&quot;y\" disabled=\"\" /><br /></div>",
                        ".c1{color:red}");
        assertThat(component.source())
                .contains(
                        "<div className=\"c1\"><label htmlFor=\"a\">Na &amp; {'{'}me{'}'}</label>")
                .contains("<input id=\"a\" defaultValue=\"x&quot;y\" disabled /><br /></div>")
                .startsWith("import './tandem.css';");
        assertThat(component.css()).isEqualTo(".c1{color:red}");
        assertThat(component.warnings()).isEmpty();
    }

    @Test
    void whatReactReadsOtherwiseIsWrittenItsWay() {
        // OPS-75 (it compiles): numbers, lines, entered text, names in SVG
        Component component =
                Component.from(
                        "<div><pre>one\n  two</pre><textarea rows=\"2\" cols=\"x\">a\n{b} \"c\"</textarea>"
                                + "<table><td colspan=\"3\">1</td></table><li value=\"4\">x</li>"
                                + "<progress value=\"0.5\"></progress><svg viewBox=\"0 0 1 1\">"
                                + "<linearGradient id=\"g\" gradientUnits=\"userSpaceOnUse\" /></svg></div>",
                        "");
        assertThat(component.source())
                .contains("<pre>one{'\\n'}  two</pre>")
                .contains("<textarea rows={2} defaultValue=\"a&#10;{b} &quot;c&quot;\" />")
                .contains("<td colSpan={3}>1</td>", "<li value={4}>x</li>")
                .contains("<progress value=\"0.5\"></progress>", "<svg viewBox=\"0 0 1 1\">")
                .contains("<linearGradient id=\"g\" gradientUnits=\"userSpaceOnUse\">");
    }

    @Test
    void whatCouldRunIsLeftOutAgain() {
        Component component =
                Component.from(
                        "<div onclick=\"x()\"><script>alert(1)<b>deep</b></script><a"
                                + " href=\"javascript:alert(1)\">go</a><iframe src=\"https://x\" />"
                                + "<div style=\"width:3px;behavior:url(x)\"></div></div>",
                        ".a{width:expression(alert(1))}\n.b{color:red}");
        assertThat(component.source())
                .doesNotContain("alert", "onclick", "javascript", "iframe", "deep", "behavior")
                .contains("<a>go</a>", "style={{'width': '3px'}}");
        assertThat(component.css()).isEqualTo(".b{color:red}");
        assertThat(component.warnings()).isNotEmpty();
    }

    @Test
    void brokenMarkupIsSaidToBeBroken() {
        assertThatThrownBy(() -> Component.from("<div><p></div>", ""))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
