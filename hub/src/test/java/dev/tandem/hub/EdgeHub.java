package dev.tandem.hub;

import static org.awaitility.Awaitility.await;

import dev.tandem.hub.agent.scripted.ScriptedAgentCommand;
import dev.tandem.protocol.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A real hub without a browser, in a home of its own whose only agent is the scripted one. */
public final class EdgeHub implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String home = System.getProperty("user.home");
    private final App app;
    public final String token;

    public EdgeHub(Path folder) throws IOException {
        this(folder, Timings.standard(), Map.of("scripted", ScriptedAgentCommand.argv()), "");
    }

    /**
     * @param agents command lines by agent id
     * @param chosen the agent named at start
     */
    public EdgeHub(Path folder, Timings timings, Map<String, List<String>> agents, String chosen)
            throws IOException {
        Path config = Files.createDirectories(folder.resolve("home/.config/tandem"));
        Path file = config.resolve("config.json");
        // What a test wrote before stays: the other settings of the user.
        ObjectNode all =
                Files.exists(file) ? Json.parseObject(Files.readString(file)) : Json.object();
        ArrayNode entries = all.putArray("agents");
        agents.forEach((id, argv) -> {
            ObjectNode agent = entries.addObject().put("id", id).put("name", "Agent " + id);
            agent.put("command", argv.getFirst());
            ArrayNode args = agent.putArray("args");
            argv.stream().skip(1).forEach(args::add);
            agent.put("sharedProcess", id.startsWith("shared"));
        });
        Files.writeString(file, Json.write(all));
        System.setProperty("user.home", folder.resolve("home").toString());
        app =
                App.start(
                        new Options(
                                0,
                                folder.resolve("state"),
                                folder.resolve("install"),
                                Options.BrowserChoice.NONE,
                                Optional.of(true),
                                "",
                                false,
                                false,
                                chosen),
                        timings,
                        _ -> {});
        token =
                Json.parse(Files.readString(app.stateDir().resolve("browse.json")))
                        .get("token")
                        .asString();
    }

    /** A status and what came with it. */
    public record Answer(int status, JsonNode body, HttpResponse<String> response) {}

    public int port() {
        return app.port();
    }

    /** A code for pairing one browser, as the user is shown it. */
    public String pairingCode() {
        return app.pairingCode();
    }

    public Answer call(String method, String path, @Nullable Object body, String... headers)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path));
        String text = body == null ? "" : body.toString();
        request.method(
                method,
                body == null
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(text));
        request.timeout(PATIENCE);
        boolean own = false;
        for (int i = 0; i < headers.length; i += 2) {
            own |= headers[i].equalsIgnoreCase("authorization");
            if (!headers[i + 1].isEmpty()) {
                request.header(headers[i], headers[i + 1]);
            }
        }
        if (!own) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<String> response =
                client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        boolean json =
                response.headers().firstValue("Content-Type").orElse("").contains("json")
                        && !response.body().isEmpty();
        return new Answer(
                response.statusCode(),
                json ? Json.parse(response.body()) : Json.object(),
                response);
    }

    /** The answer to a body of that length, which is announced and not sent. */
    public RawHttp.Answer announce(String method, String path, long length) throws IOException {
        return RawHttp.send(
                port(),
                method + " " + path,
                "",
                "Host: 127.0.0.1:" + port(),
                "Authorization: Bearer " + token,
                "Content-Type: application/json",
                "Content-Length: " + length);
    }

    /** Lines of an event stream as they come, without line ends. */
    public Lines lines(String path, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path));
        request.header("Authorization", "Bearer " + token).header("Accept", "text/event-stream");
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        HttpResponse<InputStream> response =
                client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        return new Lines(response);
    }

    public static final class Lines implements AutoCloseable {
        private static final String END = "\u0000end";
        public final HttpResponse<InputStream> response;
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

        Lines(HttpResponse<InputStream> response) {
            this.response = response;
            Thread.ofVirtual()
                    .start(() -> {
                        try (BufferedReader reader =
                                new BufferedReader(
                                        new InputStreamReader(
                                                response.body(), StandardCharsets.UTF_8))) {
                            for (String l = reader.readLine(); l != null; l = reader.readLine()) {
                                lines.add(l);
                            }
                        } catch (IOException cut) {
                            lines.add(END);
                            return;
                        }
                        lines.add(END);
                    });
        }

        /** The next line, or empty at the end of the stream. */
        public Optional<String> next() throws InterruptedException {
            String line = lines.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (line == null) {
                throw new AssertionError("No line came");
            }
            return line.equals(END) ? Optional.empty() : Optional.of(line);
        }

        /** The JSON of the next data line. */
        public Optional<JsonNode> data() throws InterruptedException {
            while (true) {
                Optional<String> line = next();
                if (line.isEmpty()) {
                    return Optional.empty();
                }
                if (line.get().startsWith("data: ")) {
                    return Optional.of(Json.parse(line.get().substring(6)));
                }
            }
        }

        @Override
        public void close() throws IOException {
            response.body().close();
        }
    }

    public void awaitPhase(String session, String phase) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> {
                    JsonNode last = call("GET", "/api/ambient/v1/sessions/" + session, null).body();
                    String now = last.path("phase").asString("");
                    if (now.equals("Failed") && !phase.equals("Failed")) {
                        throw new AssertionError("The session failed: " + last);
                    }
                    return now.equals(phase);
                });
    }

    public SessionAccess sessions() {
        return new SessionAccess(app);
    }

    /** What tests need from inside the hub. */
    public record SessionAccess(App app) {
        public dev.tandem.hub.sessions.SessionLog log() {
            return app.sessionLog();
        }

        public dev.tandem.hub.sessions.SessionEngine engine() {
            return app.engine();
        }

        public dev.tandem.hub.store.Database store() {
            return app.store();
        }

        public dev.tandem.hub.permission.PermissionDesk desk() {
            return app.desk();
        }
    }

    @Override
    public void close() throws IOException {
        System.setProperty("user.home", home);
        app.close();
    }
}
