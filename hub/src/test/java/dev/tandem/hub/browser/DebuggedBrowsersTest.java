package dev.tandem.hub.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.ExtensionTokens;
import dev.tandem.hub.auth.PairedBrowsers;
import dev.tandem.hub.store.Database;
import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** The addresses that connect takes, and browsers that do not let the extension in. */
class DebuggedBrowsersTest {
    private static final int HUB = 8787;

    @TempDir Path folder;

    private static ToolCall connect(ObjectNode arguments) {
        return new ToolCall(
                Catalogue.load().byName("connect").orElseThrow(),
                arguments,
                OpsClient.inHub(Caller.USER, OpsClient.Door.CLI),
                Optional.empty(),
                Watch.nobody());
    }

    private static Optional<Endpoint> endpoint(ObjectNode arguments) {
        return Endpoint.of(connect(arguments), HUB);
    }

    // OPS-42, OPS-87: the hub's own addresses are /ops, /cdp is said by name, others are browsers
    @ParameterizedTest
    @CsvSource({
        "ws://127.0.0.1:8787, OPS",
        "ws://localhost:8787/ops, OPS",
        "ws://127.0.0.1:8787/cdp, LEGACY",
        "ws://127.0.0.1:9222, DEBUGGER",
        "ws://127.0.0.1:9222/devtools/browser/x, DEBUGGER"
    })
    void addressesAreTold(String address, Endpoint.Kind kind) {
        assertThat(endpoint(Json.object().put("wsEndpoint", address)))
                .get()
                .extracting(Endpoint::kind)
                .isEqualTo(kind);
    }

    @Test
    void portAndHostMakeAnAddressAndNothingMakesNone() {
        assertThat(endpoint(Json.object())).isEmpty();
        assertThat(endpoint(Json.object().put("port", 9222)))
                .get()
                .extracting(one -> one.address().toString())
                .isEqualTo("ws://127.0.0.1:9222");
        assertThat(endpoint(Json.object().put("port", 9222).put("host", "localhost")))
                .get()
                .extracting(one -> one.address().toString())
                .isEqualTo("ws://localhost:9222");
    }

    // OPS-93: contradictions are usage errors; other machines are refused
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"host\":\"localhost\"} | usage | --host needs --cdp-port",
                "{\"wsEndpoint\":\"ws://127.0.0.1:1\",\"port\":2} | usage | exclude each other",
                "{\"wsEndpoint\":\"not an address\"} | usage | Invalid --ws-endpoint",
                "{\"wsEndpoint\":\"http://127.0.0.1:9222\"} | usage | Invalid --ws-endpoint",
                "{\"wsEndpoint\":\"ws://10.0.0.7:9222\"} | unsupported_mode | another machine",
                "{\"host\":\"example.org\",\"port\":9222} | unsupported_mode | another machine",
            })
    void wrongAddressesAreRefused(String arguments, String code, String words) {
        TandemException refused =
                catchThrowableOfType(
                        TandemException.class, () -> endpoint(Json.parseObject(arguments)));
        assertThat(refused.code().code()).isEqualTo(code);
        assertThat(refused.message()).contains(words);
    }

    @Test
    void aBrowserThatTakesNoExtensionIsUnsupportedWithWhatToDo() throws IOException {
        try (FakeDebugger debugger = new FakeDebugger();
                Database store = Database.open("", folder.resolve("t.db"))) {
            TandemException refused =
                    catchThrowableOfType(
                            TandemException.class, () -> browsers(store).open(at(debugger.port())));
            assertThat(refused.code().code()).isEqualTo("unsupported_mode");
            assertThat(refused.message())
                    .contains("--enable-unsafe-extension-debugging", "Load unpacked", "/built");
            assertThat(debugger.methods())
                    .containsExactly("Target.setDiscoverTargets", "Extensions.loadUnpacked");
        }
    }

    // each way of not being a browser that can be used, and what is said of it
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "SENDS_AWAY ; No browser's debugger answers at http://127.0.0.1:",
                "SPEAKS_OF_OTHER_THINGS ; No browser's debugger answers at http://127.0.0.1:",
                "REFUSES ; No browser answers at ws://127.0.0.1:",
                "LEAVES ; Target.setDiscoverTargets: |The browser does not take commands",
                "DIES ; Target.setDiscoverTargets: |The browser does not take commands",
                "LOADS_ANOTHER ; has the id somebodyelse, not the pinned one. Build it again."
            })
    void whatIsNoBrowserIsSaid(FakeDebugger.Manner manner, String words) throws IOException {
        try (FakeDebugger debugger = new FakeDebugger(manner);
                Database store = Database.open("", folder.resolve("t.db"))) {
            TandemException failed =
                    catchThrowableOfType(
                            TandemException.class, () -> browsers(store).open(at(debugger.port())));
            assertThat(failed.code().code()).isEqualTo("connect_failed");
            assertThat(failed.message()).containsPattern(words);
            URI whole = URI.create("ws://127.0.0.1:" + debugger.port() + "/devtools/browser/one");
            Endpoint exact = new Endpoint(Endpoint.Kind.DEBUGGER, whole);
            assertThat(exact.debugger()).as("an address with a path is not asked").isEqualTo(whole);
        }
    }

    @Test
    void anAddressWhereNobodyListensFails() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        try (Database store = Database.open("", folder.resolve("t.db"))) {
            TandemException failed =
                    catchThrowableOfType(
                            TandemException.class, () -> browsers(store).open(at(port)));
            assertThat(failed.code().code()).isEqualTo("connect_failed");
            assertThat(failed.message()).contains(Integer.toString(port));
        }
    }

    @Test
    void aCommandThatIsNotAnsweredFailsAndAnswersToNobodyAreNotHeard() {
        CdpCalls calls = new CdpCalls(bytes -> {}, (method, params) -> {});
        calls.receive(Json.object().put("id", 99).set("result", Json.object()));
        assertThat(
                        catchThrowableOfType(
                                IOException.class,
                                () -> calls.send("Browser.close", Json.object(), 1)))
                .hasMessage("Browser.close was not answered within 1 ms");
    }

    private static Endpoint at(int port) {
        return endpoint(Json.object().put("port", port)).orElseThrow();
    }

    private static DebuggedBrowsers browsers(Database store) {
        Clock clock = Clock.systemUTC();
        return new DebuggedBrowsers(
                new Browsers(new OpsSessions(), clock, Patience.standard()),
                new Pairing(
                        new ExtensionTokens(store, clock),
                        new PairedBrowsers(store, clock),
                        () -> HUB),
                Path.of("/built"),
                "abcdefghijklmnopabcdefghijklmnop");
    }
}
