package dev.tandem.cli;

import dev.tandem.protocol.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The commands about the hub itself: browsers, pairing, origins, tokens. */
final class HubCommands {
    private static final Flag ORIGIN = Flag.value("origin", "scheme://host[:port]");
    private static final Flag NAME = Flag.value("name", "what you call the client");
    private static final Flag PROFILE =
            Flag.choice(
                    "profile",
                    "the tools it sees: core (default) | all | read-only",
                    "core",
                    "all",
                    "read-only");
    private static final Flag MODE =
            Flag.choice("mode", "ask (default) | act | read-only", "ask", "act", "read-only");
    private static final Flag SITES =
            Flag.value("sites", "with --mode act: origins where it never asks, as a,b");
    private static final Duration CONNECTING = Duration.ofMinutes(5);

    private HubCommands() {}

    static List<Command> all() {
        return List.of(
                new Command("browsers", "list the connected browsers", HubCommands::browsers),
                new Command("pair", "show a code that pairs a browser", HubCommands::pair),
                new Command("qr", "let a phone or another page in, by a picture", HubCommands::qr),
                new Command(
                        "connect chrome",
                        "connect the browser you use every day",
                        HubCommands::connectChrome),
                new Command("extension", "show where the extension lies", HubCommands::extension),
                new Command(
                        "origin list", "list the web origins you allowed", HubCommands::origins),
                new Command(
                        "origin add",
                        "let pages of an origin talk to the hub, with a token",
                        ORIGIN,
                        HubCommands::addOrigin),
                new Command("origin remove", "take that back", ORIGIN, HubCommands::removeOrigin),
                new Command("token", "print the hub's token, for scripts", HubCommands::hubToken),
                new Command("token list", "list the tokens of clients", HubCommands::tokens),
                new Command(
                        "token add",
                        "make a token for a client",
                        List.of(NAME, PROFILE, MODE, SITES),
                        List.of(NAME),
                        HubCommands::addToken),
                new Command(
                        "token revoke", "end a client's token", NAME, HubCommands::revokeToken));
    }

    private static int browsers(Command.Context context) {
        ArrayNode list = Json.array();
        Table table = new Table(context.columns());
        for (ObjectNode browser : context.port().browsers()) {
            list.add(browser);
            table.row(
                    browser.path("name").asString(""),
                    browser.path("mode").asString(""),
                    browser.path("version").asString(""));
        }
        String none =
                "No browser is connected. Start one (tandem launch --no-extension) or connect yours"
                        + " (tandem connect chrome).";
        return context.printer().answer(table.isEmpty() ? none : table.toString(), list);
    }

    private static int pair(Command.Context context) {
        Port.Pairing pairing = context.port().pair();
        boolean opened = context.port().open(pairing.url());
        String text =
                "Pairing code: "
                        + pairing.code()
                        + "\nType it in the extension's popup"
                        + (opened ? ", or click the button on the page that opened." : ".")
                        + " It works once, for 5 minutes.";
        ObjectNode data = Json.object().put("code", pairing.code()).put("url", pairing.url());
        return context.printer().answer(text, data);
    }

    private static int qr(Command.Context context) {
        Port.Pairing pairing = context.port().pairDevice();
        String port = pairing.url().replaceAll("^http://[^:]+:(\\d+)/.*", "$1");
        context.printer()
                .picture(QrPicture.of(pairing.url(), context.invocation().terminal().colour()));
        String text =
                """
                %s
                Scan it, open that address, or type %s at /app.
                It works once, for 5 minutes.

                This hub listens on this computer only: a phone cannot reach it by itself.
                  Android, by cable:      adb reverse tcp:%s tcp:%s   then scan
                  from another computer:  ssh -L %s:127.0.0.1:%s THIS-COMPUTER
                """
                        .formatted(pairing.url(), pairing.code(), port, port, port, port);
        ObjectNode data = Json.object().put("code", pairing.code()).put("url", pairing.url());
        return context.printer().answer(text, data.put("reach", "this computer"));
    }

    private static int connectChrome(Command.Context context) {
        Port port = context.port();
        Set<String> before = port.ownBrowsers();
        if (!before.isEmpty()) {
            return connected(context);
        }
        String folder = port.extension().toString();
        Port.Pairing pairing = port.pair();
        boolean copied = port.copy(folder);
        // Chrome takes no chrome:// address from another program, so that page is the user's to
        // open
        boolean opened = port.open(pairing.url());
        context.printer()
                .remark(
                        """
                        1. In Chrome's address bar type chrome://extensions
                        2. Switch on "Developer mode" at the top right.
                        3. Click "Load unpacked" and choose this folder%s:
                           %s
                        4. %s
                           %s
                           Or type this code in the popup of the Tandem icon: %s
                        Waiting for your browser (Ctrl+C ends the wait) …\
                        """
                                .formatted(
                                        copied ? " (its path is on your clipboard)" : "",
                                        folder,
                                        opened
                                                ? "Click \"Pair\" on the page that opened. If it"
                                                        + " is in another browser, open it in"
                                                        + " Chrome:"
                                                : "Open this page in Chrome and click \"Pair\":",
                                        pairing.url(),
                                        pairing.code()));
        ObjectNode browser =
                port.awaitOwnBrowser(before, CONNECTING)
                        .orElseThrow(() ->
                                new dev.tandem.protocol.TandemException(
                                        dev.tandem.protocol.ErrorCode.TIMEOUT,
                                        "No browser connected within 5 minutes.",
                                        "wait"));
        return context.printer()
                .answer("Connected: " + browser.path("name").asString("your browser"), browser);
    }

    /** Who has theirs connected need not wait for it. */
    private static int connected(Command.Context context) {
        List<ObjectNode> own =
                context.port().browsers().stream()
                        .filter(one -> one.path("mode").asString("").equals("extension"))
                        .toList();
        String names =
                own.stream()
                        .map(one -> one.path("name").asString("your browser"))
                        .collect(Collectors.joining(", "));
        context.printer()
                .remark(
                        "For another one: load the extension there (its folder: tandem extension),"
                                + " then tandem pair.");
        return context.printer()
                .answer(
                        "Connected already: " + names,
                        own.stream().findFirst().orElseGet(Json::object));
    }

    private static int extension(Command.Context context) {
        String path = context.port().extension().toString();
        return context.printer().answer(path, Json.object().put("path", path));
    }

    private static int origins(Command.Context context) {
        List<String> origins = context.port().origins();
        ArrayNode list = Json.array();
        origins.forEach(list::add);
        return context.printer()
                .answer(
                        origins.isEmpty() ? "No origins were added." : String.join("\n", origins),
                        list);
    }

    private static int addOrigin(Command.Context context) {
        String origin = context.word("origin");
        boolean added = usage(() -> context.port().addOrigin(origin));
        return context.printer()
                .answer(
                        added ? "Added " + origin + "." : origin + " was there already.",
                        Json.object().put("origin", origin).put("added", added));
    }

    private static int removeOrigin(Command.Context context) {
        String origin = context.word("origin");
        if (!context.port().removeOrigin(origin)) {
            throw new UsageException(
                    "There is no origin \"" + origin + "\"; tandem origin list shows them.");
        }
        return context.printer()
                .answer(
                        "Removed " + origin + ".",
                        Json.object().put("origin", origin).put("removed", true));
    }

    private static int hubToken(Command.Context context) {
        String token = context.port().hubToken();
        return context.printer().answer(token, Json.object().put("token", token));
    }

    private static int tokens(Command.Context context) {
        ArrayNode list = Json.array();
        Table table = new Table(context.columns());
        for (Port.ClientToken token : context.port().tokens()) {
            LocalDate since =
                    LocalDate.ofInstant(
                            Instant.ofEpochMilli(token.createdAt()), ZoneId.systemDefault());
            list.addObject()
                    .put("name", token.name())
                    .put("profile", token.profile())
                    .put("mode", token.mode())
                    .put("createdAt", token.createdAt());
            table.row(token.name(), token.profile(), token.mode(), "since " + since);
        }
        return context.printer()
                .answer(table.isEmpty() ? "There are no client tokens." : table.toString(), list);
    }

    private static int addToken(Command.Context context) {
        String name = context.word("name");
        String profile = oneOf(context, PROFILE, "core", "all", "read-only");
        String mode = oneOf(context, MODE, "ask", "act", "read-only");
        List<String> sites =
                context.words()
                        .value(SITES.argument())
                        .map(list -> List.of(list.split("\\s*,\\s*")))
                        .orElse(List.of());
        if (!sites.isEmpty() && !mode.equals("act")) {
            throw new UsageException("--sites needs --mode act.");
        }
        String token = usage(() -> context.port().addToken(name, profile, mode, sites));
        context.printer().remark("This is shown once; keep it where only the client can read it.");
        if (mode.equals("act")) {
            context.printer()
                    .remark(
                            "In act mode it asks once per new site. tandem permissions rules shows"
                                    + " it; tandem permissions forget act:"
                                    + name
                                    + " takes it back.");
        }
        return context.printer()
                .answer(
                        token,
                        Json.object()
                                .put("name", name)
                                .put("profile", profile)
                                .put("mode", mode)
                                .put("token", token));
    }

    private static int revokeToken(Command.Context context) {
        String name = context.word("name");
        if (!context.port().revokeToken(name)) {
            throw new UsageException("There is no token named \"" + name + "\".");
        }
        return context.printer().answer("Revoked " + name + ".", Json.object().put("name", name));
    }

    static String oneOf(Command.Context context, Flag flag, String... allowed) {
        String value = context.words().value(flag.argument()).orElse(allowed[0]);
        if (!List.of(allowed).contains(value)) {
            throw new UsageException(
                    "Invalid "
                            + flag.dashed()
                            + ": "
                            + value
                            + ". One of "
                            + String.join(", ", allowed)
                            + ".");
        }
        return value;
    }

    /** What the hub refuses because of its form is the caller's mistake. */
    private static <T> T usage(java.util.function.Supplier<T> work) {
        try {
            return work.get();
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }
}
