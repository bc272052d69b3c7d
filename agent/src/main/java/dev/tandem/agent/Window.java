package dev.tandem.agent;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps a conversation within what a model can read. The oldest goes first: pictures, then results
 * of tools, then whole turns, then the first steps of the turn that runs. Calls go with their
 * results, and the newest prompt stays as it is.
 */
final class Window {
    /** About 60,000 tokens, which leaves the tools and the answer enough room. */
    static final int CHARS = 240_000;

    /** A picture is about 2,000 tokens for a model, a large one mostly bytes to send. */
    private static final int PICTURE_CHARS = 8_000;

    private static final int PICTURE_BYTES_PER_CHAR = 100;
    private static final int ROOM_FOR_NOTE = 40;
    private static final String CUT = "\n(cut; ask for less)";

    private final ArrayNode history;
    private long over;

    private Window(ArrayNode history) {
        this.history = history;
        this.over = weigh(history) - CHARS;
    }

    /** Says so when a prompt alone is more than a model can read. */
    static void check(ObjectNode prompt) {
        long weight = weigh(prompt);
        if (weight > CHARS) {
            throw new AcpStdio.Failure(
                    -32602,
                    String.format(
                            Locale.ROOT,
                            "Your message is too long for the model: with what is attached it"
                                    + " counts as %,d characters, and %,d fit. Send less of it.",
                            weight,
                            CHARS));
        }
    }

    /** Leaves out as much as must go; the history begins with a prompt and ends with news. */
    static void fit(ArrayNode history) {
        Window window = new Window(history);
        window.leaveOutPictures();
        window.leaveOutResults();
        window.leaveOutTurns();
        window.leaveOutSteps();
        window.cutNewest();
        if (window.over > 0) {
            throw new AcpStdio.Failure(
                    -32602,
                    "Your message and what the model does with it are too long together. Send less"
                            + " of it, or in parts.");
        }
    }

    /** Whether the model should know that it does not see everything. */
    static boolean isCut(ArrayNode history) {
        return history.path(0).path("cut").asBoolean(false);
    }

    private int newestPrompt() {
        int at = history.size() - 1;
        while (at > 0 && !Json.text(history.get(at), "role").equals("user")) {
            at--;
        }
        return at;
    }

    private void leaveOutPictures() {
        int prompt = newestPrompt();
        for (int at = 0; at < history.size() - 1; at++) {
            if (at != prompt) {
                contents(history.get(at)).forEach(this::leaveOutPictures);
            }
        }
    }

    private void leaveOutPictures(ArrayNode content) {
        for (int at = 0; at < content.size() && over > 0; at++) {
            if (Json.text(content.get(at), "type").equals("image")) {
                replace(content, at, "(an older picture, left out)");
            }
        }
    }

    /** They are long, and the page has changed since. */
    private void leaveOutResults() {
        for (int at = 0; at < history.size() - 1; at++) {
            for (JsonNode result : history.get(at).path("results")) {
                ArrayNode content = (ArrayNode) result.path("content");
                while (content.size() > 1 && over > 0) {
                    over -= weigh(content.remove(content.size() - 1));
                }
                if (!content.isEmpty() && over > 0) {
                    replace(content, 0, "(an older result, left out)");
                }
            }
        }
    }

    private void leaveOutTurns() {
        int prompts = newestPrompt();
        while (over > 0 && prompts > 0) {
            do {
                remove(0);
                prompts--;
            } while (!Json.text(history.get(0), "role").equals("user"));
            ((ObjectNode) history.get(0)).put("cut", true);
        }
    }

    /** What is left begins with the newest prompt; a step is a call and its results. */
    private void leaveOutSteps() {
        while (over > 0 && history.size() > 3) {
            remove(1);
            remove(1);
            ((ObjectNode) history.get(0)).put("cut", true);
        }
    }

    private void cutNewest() {
        JsonNode newest = history.get(history.size() - 1);
        if (over <= 0 || !newest.has("results")) {
            return;
        }
        contents(newest).forEach(this::leaveOutPictures);
        List<ArrayNode> contents = contents(newest);
        long all = contents.stream().mapToLong(Window::weigh).sum();
        int blocks = contents.stream().mapToInt(ArrayNode::size).sum();
        long share = Math.max(0, (all - Math.max(0, over)) / Math.max(1, blocks) - ROOM_FOR_NOTE);
        for (ArrayNode content : contents) {
            for (int at = 0; at < content.size() && over > 0; at++) {
                byte[] text = Json.text(content.get(at), "text").getBytes(StandardCharsets.UTF_8);
                if (text.length > share) {
                    String head = new String(text, 0, (int) share, StandardCharsets.UTF_8);
                    // The last character may have been cut in the middle.
                    replace(content, at, head.replaceAll("\uFFFD$", "") + CUT);
                }
            }
        }
    }

    private void remove(int at) {
        over -= weigh(history.remove(at));
    }

    private void replace(ArrayNode content, int at, String text) {
        ObjectNode note = Json.object().put("type", "text").put("text", text);
        over -= weigh(content.get(at)) - weigh(note);
        content.set(at, note);
    }

    private static List<ArrayNode> contents(JsonNode message) {
        List<ArrayNode> all = new ArrayList<>();
        if (message.path("content") instanceof ArrayNode content) {
            all.add(content);
        }
        for (JsonNode result : message.path("results")) {
            if (result.path("content") instanceof ArrayNode content) {
                all.add(content);
            }
        }
        return all;
    }

    /** Bytes, not characters: where letters take more of them, they take more tokens, too. */
    private static long weigh(JsonNode node) {
        if (node.isString()) {
            return node.stringValue().getBytes(StandardCharsets.UTF_8).length;
        }
        if (Json.text(node, "type").equals("image")) {
            int bytes = Json.text(node, "data").length();
            return Math.max(PICTURE_CHARS, bytes / PICTURE_BYTES_PER_CHAR);
        }
        long weight = 4;
        for (JsonNode part : node) {
            weight += weigh(part);
        }
        return weight;
    }
}
