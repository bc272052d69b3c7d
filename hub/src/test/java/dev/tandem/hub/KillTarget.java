package dev.tandem.hub;

import dev.tandem.hub.sessions.Entry;
import dev.tandem.hub.sessions.Phase;
import dev.tandem.hub.sessions.Prompt;
import dev.tandem.hub.sessions.Session;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.sessions.SessionFeed;
import dev.tandem.protocol.Json;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/**
 * A hub to be killed: tells what its store holds, then starts sessions, sends prompts and tells of
 * each message once it is acknowledged, and of the stream while it runs. Started by {@link
 * HubKillTest} as a program of its own.
 */
final class KillTarget {
    private KillTarget() {}

    public static void main(String[] args) throws Exception {
        Path state = Path.of(args[0]);
        Options options =
                new Options(
                        0,
                        state,
                        Path.of(args[1]),
                        Options.BrowserChoice.NONE,
                        Optional.of(true),
                        "",
                        false,
                        false);
        App app = App.start(options, text -> {});
        SessionEngine engine = app.engine();
        for (Session session : engine.summaries().stream().map(s -> s.session()).toList()) {
            ObjectNode all = engine.export(session.id());
            tell("stored", all.put("lastSeq", session.lastSeq()));
        }
        tell("ready", Json.object());
        for (int i = 0; i < 2; i++) {
            Thread.ofVirtual().start(() -> work(app, engine));
        }
        Thread.currentThread().join();
    }

    private static void work(App app, SessionEngine engine) {
        ObjectNode fields = Json.object().put("name", "stream");
        fields.put("annotations", "{\"tandem/agent\":\"scripted\"}");
        Session session = engine.create("default", fields);
        app.sessionLog()
                .feed(session.id())
                .follow(
                        0,
                        0,
                        new SessionFeed.Viewer() {
                            @Override
                            public void onEntry(Entry entry) {
                                ack(entry);
                            }

                            @Override
                            public void onDelta(SessionFeed.Delta delta) {
                                tell("delta", Json.object());
                            }
                        });
        engine.start(session.id());
        for (int i = 0; i < 1000; i++) {
            String text =
                    "chunks 300\nupdate {\"sessionUpdate\":\"plan\",\"entries\":[]}\nchunks 300";
            Prompt prompt =
                    new Prompt(text, Json.array(), Optional.of(UUID.randomUUID().toString()), "");
            ack(engine.send(session.id(), prompt).entry());
            if (engine.summaries().stream().anyMatch(s -> s.session().phase() == Phase.FAILED)) {
                return;
            }
        }
    }

    private static void ack(Entry entry) {
        ObjectNode ack = Json.object().put("session", entry.sessionId()).put("seq", entry.seq());
        tell("ack", ack.put("id", entry.id()));
    }

    private static void tell(String what, ObjectNode value) {
        String line = what + " " + Json.write(value);
        synchronized (System.out) {
            System.out.println(line);
            System.out.flush();
        }
    }
}
