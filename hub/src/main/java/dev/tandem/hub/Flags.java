package dev.tandem.hub;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the flags of {@code tandem up}; small, because it runs before everything else. */
final class Flags {
    private static final List<String> KNOWN =
            List.of(
                    "--port",
                    "--host",
                    "--state-dir",
                    "--home",
                    "--browser",
                    "--headless",
                    "--headed",
                    "--store",
                    "--extension-legacy",
                    "--agent",
                    "--json");

    private int port = 8787;
    private Path stateDir;
    private Path home;
    private Options.BrowserChoice browser = Options.BrowserChoice.MANAGED;
    private Optional<Boolean> headless = Optional.empty();
    private String store = "";
    private boolean extensionLegacy;
    private boolean json;
    private String agent = "";

    private Flags(Map<String, String> environment) {
        String user = System.getProperty("user.home");
        String named = environment.getOrDefault("TANDEM_STATE_DIR", "");
        stateDir = named.isBlank() ? Path.of(user, ".local", "state", "tandem") : Path.of(named);
        home = Path.of(environment.getOrDefault("TANDEM_HOME", System.getProperty("user.dir")));
    }

    static Options parse(String[] args, Map<String, String> environment) {
        Flags flags = new Flags(environment);
        Deque<String> rest = new ArrayDeque<>(List.of(args));
        while (!rest.isEmpty()) {
            String flag = rest.pop();
            int equals = flag.indexOf('=');
            if (flag.startsWith("--") && equals > 0) {
                rest.push(flag.substring(equals + 1));
                flag = flag.substring(0, equals);
                flags.take(flag, rest, true);
            } else {
                flags.take(flag, rest, false);
            }
        }
        return new Options(
                flags.port,
                flags.stateDir,
                flags.home,
                flags.browser,
                flags.headless,
                flags.store,
                flags.extensionLegacy,
                flags.json,
                flags.agent);
    }

    private void take(String flag, Deque<String> rest, boolean joined) {
        switch (flag) {
            case "--port" -> port = port(value(flag, rest, joined));
            case "--host" -> checkHost(value(flag, rest, joined));
            case "--state-dir" -> stateDir = Path.of(value(flag, rest, joined));
            case "--home" -> home = Path.of(value(flag, rest, joined));
            case "--browser" -> browser = browser(value(flag, rest, joined));
            case "--store" -> store = store(value(flag, rest, joined));
            case "--headless" -> headless = headless(true);
            case "--headed" -> headless = headless(false);
            case "--extension-legacy" -> extensionLegacy = true;
            case "--agent" -> agent = value(flag, rest, joined);
            case "--json" -> json = true;
            default ->
                    throw new IllegalArgumentException(
                            "Unknown option " + flag + " of up. Known: " + String.join(" ", KNOWN));
        }
    }

    private static String value(String flag, Deque<String> rest, boolean joined) {
        if (rest.isEmpty() || (!joined && rest.peek().startsWith("--"))) {
            throw new IllegalArgumentException("Missing value for " + flag);
        }
        return rest.pop();
    }

    private static int port(String text) {
        if (text.matches("\\d{1,5}") && Integer.parseInt(text) <= 65_535) {
            return Integer.parseInt(text);
        }
        throw new IllegalArgumentException(
                "--port takes a number from 0 to 65535, not \"" + text + "\".");
    }

    /** Tokens never travel over plain HTTP beyond this machine, whoever asks for it. */
    private static void checkHost(String host) {
        if (!List.of("127.0.0.1", "localhost").contains(host)) {
            throw new IllegalArgumentException(
                    "--host takes 127.0.0.1 or localhost, not \""
                            + host
                            + "\": without TLS anybody on the network could read your tokens. To"
                            + " reach the hub from elsewhere, forward its port (ssh -L, adb"
                            + " reverse).");
        }
    }

    private static Options.BrowserChoice browser(String text) {
        return switch (text) {
            case "managed" -> Options.BrowserChoice.MANAGED;
            case "none" -> Options.BrowserChoice.NONE;
            default ->
                    throw new IllegalArgumentException(
                            "--browser takes managed or none, not \"" + text + "\".");
        };
    }

    private static String store(String text) {
        if (text.startsWith("postgresql://")) {
            return text;
        }
        throw new IllegalArgumentException(
                "--store takes postgresql://user:password@host:port/database, not \""
                        + text
                        + "\".");
    }

    private Optional<Boolean> headless(boolean wanted) {
        if (headless.isPresent() && headless.get() != wanted) {
            throw new IllegalArgumentException("--headless and --headed exclude each other.");
        }
        return Optional.of(wanted);
    }
}
