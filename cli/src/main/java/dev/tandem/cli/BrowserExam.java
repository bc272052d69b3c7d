package dev.tandem.cli;

import dev.tandem.protocol.ErrorCode;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * The part of the doctor's look that is about browsers: those that are connected, and why others of
 * the user's are not.
 */
final class BrowserExam {
    private static final Duration RECENT = Duration.ofMinutes(2);

    private final JsonNode status;
    private final int port;
    private final HubExam.Report report;

    /**
     * @param status what the hub says of itself
     */
    BrowserExam(JsonNode status, int port, HubExam.Report report) {
        this.status = status;
        this.port = port;
        this.report = report;
    }

    /**
     * @param version of the extension that the hub gives to browsers; empty where it is not known
     */
    void run(String version) {
        JsonNode connected = status.path("extensions");
        connected.forEach(browser -> connected(browser, version));
        JsonNode known = status.path("pairings").path("browsers");
        if (connected.isEmpty()) {
            report.add(
                    "Browser",
                    Doctor.Verdict.NOTE,
                    "none is connected",
                    "Start one (tandem launch --no-extension) or connect yours (tandem connect"
                            + " chrome).");
        }
        if (connected.isEmpty() && known.isEmpty()) {
            report.add(
                    "Pairing",
                    Doctor.Verdict.NOTE,
                    "no browser was paired with this hub",
                    "Load the extension and pair it: tandem connect chrome");
        }
        JsonNode failed = status.path("launchFailed");
        if (failed.isObject()) {
            wrong(
                    "Browser",
                    "the managed one did not start: " + failed.path("message").asString(""),
                    "When that is mended: tandem launch --no-extension");
        }
        stranger(status.path("pairings").path("strangerAt").asLong());
        Set<String> here =
                connected
                        .valueStream()
                        .map(browser -> browser.path("browserId").asString(""))
                        .collect(Collectors.toSet());
        known.valueStream()
                .filter(one -> !here.contains(one.path("browserId").asString("")))
                .forEach(one -> away(one, known));
        status.path("handshakeErrors").forEach(this::turnedAway);
    }

    private void connected(JsonNode browser, String newest) {
        String name = browser.path("name").asString("browser");
        String version = browser.path("version").asString("");
        report.add("Browser", Doctor.Verdict.OK, name + " is connected", "");
        debugger(name, browser.path("attachRefused"));
        if (!newest.isEmpty() && !version.isEmpty() && !version.equals(newest)) {
            wrong(
                    "Extension",
                    name + " has version " + version + ", the hub's is " + newest,
                    "Reload the extension on chrome://extensions.");
        }
    }

    /** Only the browser knows whether its debugger may be used, and says so when it is tried. */
    private void debugger(String name, JsonNode refused) {
        if (isRecent(refused.path("at").asLong())) {
            wrong(
                    "Debugger",
                    name + " did not let it attach: " + refused.path("message").asString(""),
                    ErrorCode.CDP_ATTACH_FAILED.hint(refused.path("reason").asString("")));
        }
    }

    private void turnedAway(JsonNode refused) {
        if (refused.path("code").asString("").equals("origin_blocked")
                && isRecent(refused.path("at").asLong())) {
            wrong(
                    "Origin",
                    "another extension asks for the hub. " + refused.path("message").asString(""),
                    "Load this hub's own (tandem extension names its folder) and remove the other on"
                            + " chrome://extensions.");
        }
    }

    private void stranger(long at) {
        if (isRecent(at)) {
            wrong(
                    "Pairing",
                    "a browser asks for its hub, but this hub was never paired with it",
                    "Pair it: run tandem pair and type the code in the extension's popup.");
        }
    }

    /** Why a browser that was paired is not here: ended, not running, or it does not hold. */
    private void away(JsonNode one, JsonNode all) {
        String name = one.path("name").asString("a browser");
        boolean calls = isRecent(one.path("calledAt").asLong());
        if (!one.path("valid").asBoolean()) {
            report.add(
                    "Pairing",
                    calls || !isOlderThanOneThatHolds(one, all)
                            ? Doctor.Verdict.WRONG
                            : Doctor.Verdict.NOTE,
                    "the pairing of " + name + " has ended",
                    "Pair it again: run tandem pair and type the code in the extension's popup.");
        } else if (calls) {
            wrong(
                    "Extension",
                    name + " finds the hub, but its connection does not last",
                    "Reload the extension on chrome://extensions; then see its popup.");
        } else {
            report.add(
                    "Extension",
                    Doctor.Verdict.NOTE,
                    name + " is paired, but does not call",
                    "Start that browser. If it runs, the extension is not loaded or off: look at"
                            + " chrome://extensions; its popup must name port "
                            + port
                            + ".");
        }
    }

    /** Then the user has gone over to another browser, or paired the same one anew. */
    private static boolean isOlderThanOneThatHolds(JsonNode ended, JsonNode all) {
        return all.valueStream()
                .filter(one -> one.path("valid").asBoolean())
                .anyMatch(one -> one.path("pairedAt").asLong() > ended.path("pairedAt").asLong());
    }

    private static boolean isRecent(long at) {
        return at > 0 && System.currentTimeMillis() - at < RECENT.toMillis();
    }

    private void wrong(String what, String found, String remedy) {
        report.add(what, Doctor.Verdict.WRONG, found, remedy);
    }
}
