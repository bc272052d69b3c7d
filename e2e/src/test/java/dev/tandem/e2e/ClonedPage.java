package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.e2e.ParityBench.Way;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.JsonNode;

/** What clone_page writes, put through a compiler and drawn again beside the page it came from. */
record ClonedPage(ParityBench bench) {
    private static final String SOURCE =
            """
            <!doctype html><html lang="en"><title>Source</title>
            <style>
              body { margin: 20px; font: 16px/20px sans-serif }
              .card { display: flex; gap: 12px; border: 2px solid rgb(200, 0, 0); max-width: 600px }
              .card > * { flex: 1 }
              td { border: 1px solid; padding: 3px }
            </style>
            <h1>Title &amp; {braces} &lt;tag&gt;</h1>
            <div class="card"><p>Left words that wrap over some lines</p><p>Right&nbsp;words</p></div>
            <pre>one
              two {three}
            four</pre>
            <textarea rows="3" cols="20">first "line"
            second {line}</textarea>
            <select id="s"><option>A</option><option>B</option></select>
            <label><input type="checkbox" id="c" checked> Box</label> <progress value="0.5"></progress>
            <table><tr><td colspan="2">wide</td></tr><tr><td>1</td><td>2</td></tr></table>
            <ol start="3"><li>three</li><li value="7">seven</li></ol>
            <svg width="60" height="30"><linearGradient id="g"><stop offset="1" stop-color="red"/>
            </linearGradient><rect width="60" height="30" fill="url(#g)"/></svg>
            <script>by = (id) => document.getElementById(id); by('s').selectedIndex = 1;
            by('c').checked = false</script>
            """;

    private static final String LOOK =
            """
            (() => {
              const shown = [...document.querySelectorAll('h1, p, pre, textarea, select, input, \
            progress, td, li, svg, rect')].map((el) => {
                const { x, y, width, height } = el.getBoundingClientRect();
                return [el.localName, ...[x, y, width, height].map(Math.round)].join(' ');
              });
              const find = (name) => document.querySelector(name);
              return JSON.stringify([shown, find('h1').textContent, find('pre').textContent, \
            find('textarea').value, find('select').selectedIndex, find('input').checked, \
            find('progress').value, [...document.querySelectorAll('li')].map((li) => li.value), \
            find('stop').parentElement.constructor.name]);
            })()
            """;

    void compilesAndLooksTheSame() throws Exception {
        Driver driver = bench.driver(Way.MANAGED);
        go(driver, bench.pages().put("/source", SOURCE));
        String before = driver.page(LOOK).asString();
        JsonNode clone = bench.cli().call("clone-page", "--session-id", driver.session());
        String script = compiled(clone.path("component").asString());
        go(driver, bench.pages().put("/clone", page(clone.path("css").asString(), script)));
        assertThat(driver.page(LOOK).asString()).isEqualTo(before);
    }

    private void go(Driver driver, String url) {
        bench.cli().call("goto", url, "--session-id", driver.session());
    }

    private static String support(String file) throws IOException {
        return Files.readString(Hub.root().resolve("test/support/clone").resolve(file));
    }

    private String compiled(String component) throws Exception {
        Path folder = Files.createDirectories(bench.folder().resolve("clone"));
        Path source = Files.writeString(folder.resolve("TandemComponent.tsx"), component);
        Path types = Files.writeString(folder.resolve("react.d.ts"), support("react.d.ts"));
        Path compiler = Hub.root().resolve("node_modules/typescript/bin/tsc").toAbsolutePath();
        Process process =
                new ProcessBuilder(
                                "node",
                                compiler.toString(),
                                "--strict",
                                "--jsx",
                                "react",
                                "--jsxFactory",
                                "h",
                                "--module",
                                "esnext",
                                "--target",
                                "es2022",
                                source.toString(),
                                types.toString())
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said + component).isZero();
        return Files.readString(folder.resolve("TandemComponent.js"))
                .replace("import './tandem.css';", "");
    }

    private static String page(String css, String script) throws IOException {
        return "<!doctype html><html lang=en><title>Clone</title><style>html,body{margin:0}"
                + css
                + "</style><body><script>"
                + (support("render.js") + script).replace("export function", "function")
                + "document.body.prepend(draw(TandemComponent()))</script>";
    }
}
