package dev.tandem.hub;

import dev.tandem.hub.browser.Browser;
import dev.tandem.hub.browser.Browsers;
import dev.tandem.hub.browser.OpsClient;
import dev.tandem.hub.browser.ToolRunner;
import dev.tandem.hub.browser.ToolText;
import dev.tandem.hub.browser.Untrusted;
import dev.tandem.hub.browser.Watch;
import dev.tandem.hub.cli.Tools;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/** Command lines meet the tools. */
record CliTools(ToolRunner runner, Browsers connected) implements Tools {
    @Override
    public ObjectNode call(Call call) {
        Watch watch = Watch.nobody();
        var _ = call.gone().thenRun(watch::cancel);
        OpsClient client = OpsClient.inHub(call.caller(), OpsClient.Door.CLI);
        return runner.run(call.tool().name(), call.arguments(), client, watch).data();
    }

    @Override
    public UnaryOperator<String> marks() {
        return new Untrusted()::mark;
    }

    @Override
    public ObjectNode marked(Tool tool, ObjectNode data) {
        return ToolText.structured(tool, data, new Untrusted());
    }

    @Override
    public String marked(TandemException failure) {
        return ToolText.sentence(failure, new Untrusted());
    }

    @Override
    public ObjectNode markedData(TandemException failure) {
        return ToolText.failureData(failure, new Untrusted());
    }

    @Override
    public List<ObjectNode> browsers() {
        return connected.connected().stream().map(CliTools::described).toList();
    }

    @Override
    public Set<String> ownBrowsers() {
        return connected.own().map(Browser::id).collect(Collectors.toSet());
    }

    @Override
    public Optional<ObjectNode> awaitOwnBrowser(Set<String> before, Duration atMost) {
        return connected.awaitOwn(before, atMost.toMillis()).map(CliTools::described);
    }

    private static ObjectNode described(Browser browser) {
        return Json.object()
                .put("name", browser.name())
                .put("mode", browser.mode())
                .put("version", browser.facts().browserVersion());
    }
}
