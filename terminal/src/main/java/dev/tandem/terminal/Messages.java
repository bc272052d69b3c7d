package dev.tandem.terminal;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The control messages of the terminal socket, as JSON text. */
final class Messages {
    static final JsonMapper JSON = JsonMapper.builder().build();

    private Messages() {}

    static @Nullable ObjectNode parse(String text) {
        try {
            return JSON.readTree(text) instanceof ObjectNode object ? object : null;
        } catch (RuntimeException _) {
            return null;
        }
    }

    static String hello(Terminal terminal, Viewer viewer, long seq) {
        Terminal.Facts facts = terminal.facts();
        return of("hello")
                .put("sessionId", facts.sessionId())
                .put("profile", facts.profile())
                .put("pid", facts.pid())
                .put("cols", facts.cols())
                .put("rows", facts.rows())
                .put("seq", seq)
                .put("writer", viewer.writer())
                .put("pinned", facts.pinned())
                .put("ackEvery", Limits.ACK_EVERY_BYTES)
                .toString();
    }

    static String reattachBegin(String sessionId, Ring.Beginning begin, boolean reset) {
        return of("reattach-begin")
                .put("sessionId", sessionId)
                .put("fromSeq", begin.seq())
                .put("cols", begin.cols())
                .put("rows", begin.rows())
                .put("reset", reset)
                .put("prelude", begin.prelude())
                .toString();
    }

    static String skipped(Ring.Beginning begin) {
        return reattachBegin("", begin, true);
    }

    static String reattachEnd(long seq) {
        return of("reattach-end").put("seq", seq).toString();
    }

    static String resize(Ring.Size size) {
        return of("resize").put("cols", size.cols()).put("rows", size.rows()).toString();
    }

    static String exit(Reaper.Exit exit) {
        ObjectNode message = of("exit");
        if (exit.signalled()) {
            message.putNull("code").put("signal", exit.signal());
        } else {
            message.put("code", exit.code()).putNull("signal");
        }
        return message.toString();
    }

    static String title(String title) {
        return of("title").put("title", title).toString();
    }

    static String ping(long now) {
        return of("ping").put("ts", now).toString();
    }

    static String error(String code, String message) {
        return of("error").put("code", code).put("message", message).toString();
    }

    static JsonNode list(List<Terminal.Facts> terminals) {
        ArrayNode rows = JSON.createArrayNode();
        for (Terminal.Facts facts : terminals) {
            ObjectNode row =
                    rows.addObject()
                            .put("sessionId", facts.sessionId())
                            .put("profile", facts.profile())
                            .put("title", facts.title())
                            .put("pid", facts.pid())
                            .put("cols", facts.cols())
                            .put("rows", facts.rows())
                            .put("startedAt", facts.startedAt())
                            .put("attached", facts.attached())
                            .put("pinned", facts.pinned());
            Reaper.Exit exit = facts.exit();
            if (exit != null) {
                row.set("exit", JSON.readTree(exit(exit)).deepCopy());
                ((ObjectNode) row.get("exit")).remove("type");
            }
        }
        return JSON.createObjectNode().set("terminals", rows);
    }

    private static ObjectNode of(String type) {
        return JSON.createObjectNode().put("type", type);
    }
}
