package dev.tandem.hub.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.browser.Watch;
import dev.tandem.protocol.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What a client sees of a call that takes its time. */
@Timeout(60)
class McpAnswerTest {
    @TempDir Path folder;

    /** One tool that does what the test says. */
    private record Work(Consumer<Watch> work) implements McpTools {
        @Override
        public ArrayNode list(Caller caller) {
            return Json.array();
        }

        @Override
        public Optional<ObjectNode> call(Call call) {
            work.accept(call.watch());
            return Optional.of(Json.object().set("content", Json.array()));
        }

        @Override
        public String instructions() {
            return "";
        }
    }

    private static Socket call(int port, Era era) throws IOException {
        ObjectNode message = Json.object().put("jsonrpc", "2.0").put("id", 1);
        ObjectNode params = message.put("method", "tools/call").putObject("params");
        ObjectNode meta = params.put("name", "work").putObject("_meta").put("progressToken", "p");
        String version = Era.LATEST_LEGACY;
        if (era == Era.MODERN) {
            version = Era.MODERN_VERSION;
            meta.put(Era.META + "protocolVersion", version);
            meta.putObject(Era.META + "clientCapabilities");
        }
        String body = Json.write(message);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        String request =
                String.join(
                        "\r\n",
                        "POST /mcp HTTP/1.1",
                        "Host: 127.0.0.1:" + port,
                        "Authorization: Bearer " + FixtureServer.TOKEN,
                        "Content-Type: application/json",
                        "MCP-Protocol-Version: " + version,
                        "Mcp-Method: tools/call",
                        "Mcp-Name: work",
                        "Content-Length: " + body.length(),
                        "",
                        body);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    private static JsonNode event(BufferedReader reader) throws IOException {
        String line = reader.readLine();
        while (!line.startsWith("data: ")) {
            line = reader.readLine();
        }
        return Json.parse(line.substring(6));
    }

    @Test
    @DisplayName("ACP-138 progress rises with every word, whatever a tool counts and who is asked")
    void progressRises() throws IOException {
        Consumer<Watch> work =
                watch -> {
                    watch.pending(Json.object());
                    watch.progress(0, 2, "first");
                    watch.pending(Json.object());
                    watch.progress(1, 2, "second");
                    watch.progress(1, 2, "again");
                    watch.progress(0, 1, "back");
                    List<Thread> threads = new ArrayList<>();
                    for (int i = 0; i < 4; i++) {
                        threads.add(
                                Thread.startVirtualThread(() -> {
                                    for (int n = 0; n < 50; n++) {
                                        watch.progress(0, 1, "at once");
                                    }
                                }));
                    }
                    for (Thread thread : threads) {
                        try {
                            thread.join();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                    watch.progress(2, 2, "last");
                };
        List<Double> told = new ArrayList<>();
        try (FixtureServer server = new FixtureServer(folder, new Work(work), Clock.systemUTC());
                Socket socket = call(server.port(), Era.LEGACY);
                BufferedReader reader = reader(socket)) {
            for (JsonNode one = event(reader); one.has("method"); one = event(reader)) {
                JsonNode params = one.path("params");
                told.add(params.path("progress").asDouble());
                assertThat(params.path("total").asDouble(Double.MAX_VALUE))
                        .as(one.toString())
                        .isPositive()
                        .isGreaterThanOrEqualTo(told.getLast());
            }
        }
        assertThat(told).hasSize(207).doesNotHaveDuplicates().isSorted();
        assertThat(told.get(1)).isLessThan(1);
        assertThat(told.get(3)).isEqualTo(1);
        assertThat(told.getLast()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    @DisplayName("ACP-139 hanging up stops a call of the stateless era, and no other")
    void hangingUp(Era era) throws Exception {
        CompletableFuture<Boolean> stopped = new CompletableFuture<>();
        CompletableFuture<Void> gone = new CompletableFuture<>();
        Consumer<Watch> work =
                watch -> {
                    watch.progress(0, 1, "begun");
                    gone.join();
                    // each of these is written, so that the hub must see that nobody reads
                    for (int i = 0; i < 100 && !watch.cancelled(); i++) {
                        watch.progress(0, 1, "more");
                        LockSupport.parkNanos(20_000_000);
                    }
                    stopped.complete(watch.cancelled());
                };
        try (FixtureServer server = new FixtureServer(folder, new Work(work), Clock.systemUTC())) {
            try (Socket socket = call(server.port(), era)) {
                assertThat(event(reader(socket)).has("method")).isTrue();
                socket.setSoLinger(true, 0);
            }
            gone.complete(null);
            assertThat(stopped.get(30, TimeUnit.SECONDS)).isEqualTo(era == Era.MODERN);
        }
    }
}
