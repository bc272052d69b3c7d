package dev.tandem.bench;

import dev.tandem.protocol.Json;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/** Sessions under load: one stream, many viewers, many sessions, a long log. */
final class SessionBench {
    private static final Pattern STAMP = Pattern.compile("\"t(\\d+) \"");
    private static final int CHUNKS = 10_000;
    private static final int VIEWERS = 1_000;
    private static final int SESSIONS = 50;
    private static final int MESSAGES = 100_000;

    private SessionBench() {}

    static List<Result> run(Path home) throws Exception {
        List<Result> results = new ArrayList<>(LogBench.run());
        String agent = String.join(" ", agent());
        try (HubUnderTest hub = new HubUnderTest(home, "--browser", "none", "--agent", agent);
                HttpClient client = HttpClient.newHttpClient()) {
            results.add(stream(hub, client));
            results.add(viewers(hub, client));
            results.add(longLog(hub, client));
            results.add(sessions(hub, client));
        }
        return results;
    }

    private static List<String> agent(String... more) {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                ChattyAgent.class.getName()));
        words.addAll(List.of(more));
        return words;
    }

    private static TextSocket chat(HubUnderTest hub, HttpClient client) throws Exception {
        TextSocket chat = new TextSocket(client, hub.port(), "/ws", hub.token());
        chat.ask("{\"type\":\"connect\",\"dialect\":\"tandem\"}", "\"connected\"");
        return chat;
    }

    private static String session(TextSocket chat) throws Exception {
        String made = chat.ask("{\"type\":\"new_session\",\"id\":\"n\"}", "\"id\":\"n\"");
        return Json.parse(made).path("sessionId").asString();
    }

    private static String prompt(String session, String words) {
        ObjectNode message = Json.object().put("type", "prompt").put("sessionId", session);
        message.putArray("content").addObject().put("type", "text").put("text", words);
        return Json.write(message);
    }

    /** Takes what comes until the turn ends; samples the age of every piece. */
    private static Samples ages(TextSocket socket, String end) throws Exception {
        Samples ages = new Samples();
        for (String text = socket.next(); !text.contains(end); text = socket.next()) {
            Matcher stamp = STAMP.matcher(text);
            if (stamp.find()) {
                ages.add(System.nanoTime() - Long.parseLong(stamp.group(1)));
            }
        }
        return ages;
    }

    private static Result stream(HubUnderTest hub, HttpClient client) throws Exception {
        Samples ours;
        try (TextSocket chat = chat(hub, client)) {
            String session = session(chat);
            chat.say(prompt(session, "say 2000"));
            ages(chat, "\"prompt_complete\"");
            chat.say(prompt(session, "say " + CHUNKS));
            ours = ages(chat, "\"prompt_complete\"");
        }
        Samples floor;
        try (LineSocket line = new LineSocket(agent("--bare", Integer.toString(CHUNKS)));
                TextSocket bare = new TextSocket(client, line.port(), "/", "")) {
            floor = ages(bare, "end");
        }
        return new Result(
                "agent line to viewer, 10,000 chunks (p50)",
                ours.millis(0.5),
                floor.millis(0.5),
                3,
                "ms");
    }

    /** How long after the last piece was said everybody has everything. */
    private static Result viewers(HubUnderTest hub, HttpClient client) throws Exception {
        List<TextSocket> viewers = new ArrayList<>();
        try (TextSocket chat = chat(hub, client)) {
            String session = session(chat);
            for (int i = 0; i < VIEWERS; i++) {
                TextSocket viewer = chat(hub, client);
                viewers.add(viewer);
                viewer.ask(
                        "{\"type\":\"attach\",\"sessionId\":\"" + session + "\"}", "\"attached\"");
            }
            chat.say(prompt(session, "say 50"));
            Samples last = new Samples();
            for (TextSocket viewer : viewers) {
                last.add((long) (ages(viewer, "\"prompt_complete\"").millis(1) * 1e6));
            }
            return new Result(
                    "1,000 viewers, oldest piece when read (max)", last.millis(1), 0, 10_000, "ms");
        } finally {
            viewers.forEach(TextSocket::close);
        }
    }

    private static Result longLog(HubUnderTest hub, HttpClient client) throws Exception {
        String session;
        try (TextSocket chat = chat(hub, client)) {
            session = session(chat);
            chat.say(prompt(session, "fill " + MESSAGES / 2));
            // Nobody reads along: what counts is how the end is shown later.
            chat.ask("{\"type\":\"detach\",\"sessionId\":\"" + session + "\"}", "\"detached\"");
            String list = "{\"type\":\"list_sessions\",\"sessionIds\":[\"" + session + "\"]}";
            while (Json.parse(chat.ask(list, "\"session_list\""))
                    .at("/sessions/0/running")
                    .asBoolean(true)) {
                LockSupport.parkNanos(200_000_000);
            }
        }
        Samples opening = new Samples();
        for (int i = 0; i < 20; i++) {
            try (TextSocket chat = chat(hub, client)) {
                opening.time(() ->
                        chat.ask(
                                "{\"type\":\"attach\",\"tail\":50,\"sessionId\":\""
                                        + session
                                        + "\"}",
                                "\"attached\""));
            }
        }
        return new Result(
                "opening a session of 100,000 messages (p50)", opening.millis(0.5), 0, 200, "ms");
    }

    /** From the first request to the answer of the last of fifty agents. */
    private static Result sessions(HubUnderTest hub, HttpClient client) throws Exception {
        List<TextSocket> chats = new ArrayList<>();
        Samples all = new Samples();
        try {
            all.time(() -> {
                List<String> ids = new ArrayList<>();
                for (int i = 0; i < SESSIONS - 3; i++) {
                    TextSocket chat = chat(hub, client);
                    chats.add(chat);
                    ids.add(session(chat));
                }
                for (int i = 0; i < chats.size(); i++) {
                    chats.get(i).say(prompt(ids.get(i), "say 20"));
                }
                for (TextSocket chat : chats) {
                    ages(chat, "\"prompt_complete\"");
                }
            });
            return new Result(
                    "50 running sessions, started and answered", all.millis(1), 0, 120_000, "ms");
        } finally {
            chats.forEach(TextSocket::close);
        }
    }
}
