package dev.tandem.e2e;

import dev.tandem.protocol.Json;
import java.time.Duration;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The person at the picker: points, writes, submits or gives up, by mouse and keys alone. */
final class Marker {
    private final Chrome chrome;
    private final String page;

    Marker(Chrome chrome, String page) {
        this.chrome = chrome;
        this.page = page;
    }

    /** Whether the picker is over the page; its shadow tree is closed to all but the debugger. */
    boolean open() {
        ObjectNode params = Json.object().put("depth", -1).put("pierce", true);
        return chrome.send(page, "DOM.getDocument", params).toString().contains("\"closed\"");
    }

    void awaitOpen() {
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(this::open);
    }

    void awaitGone() {
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> !open());
    }

    /** Marks an element; its note has the focus at once. */
    void mark(String selector, String note) {
        chrome.click(page, "document.querySelector('" + selector + "')");
        chrome.send(page, "Input.insertText", Json.object().put("text", note));
    }

    void submit() {
        key("Enter", 13, 2);
    }

    /** Leaves the note, then the picker. */
    void cancel() {
        key("Escape", 27, 0);
    }

    private void key(String key, int code, int modifiers) {
        for (String type : new String[] {"rawKeyDown", "keyUp"}) {
            JsonNode _ =
                    chrome.send(
                            page,
                            "Input.dispatchKeyEvent",
                            Json.object()
                                    .put("type", type)
                                    .put("key", key)
                                    .put("code", key)
                                    .put("windowsVirtualKeyCode", code)
                                    .put("modifiers", modifiers));
        }
    }
}
