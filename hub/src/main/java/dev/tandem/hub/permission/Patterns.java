package dev.tandem.hub.permission;

import dev.tandem.hub.browser.WebOrigin;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.net.IDN;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Tool and origin patterns: their one spelling, what they match, how specific they are. */
final class Patterns {
    private static final Pattern TOOL = Pattern.compile("[a-z0-9:_*-]{1,96}");
    private static final Pattern COMMAND = Pattern.compile("bash:[^\\p{Cntrl}]{1,91}");
    private static final Pattern NO_SITE = Pattern.compile("^[^/]*//[^/?#]*[@*]|^\\s*blob:");
    private static final Pattern LABEL = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");

    private Patterns() {}

    /**
     * The pattern for a site with all below it. It never reaches above the host itself: who owns
     * the names beside it is not known here.
     */
    static Optional<String> domainOf(String origin) {
        int at = origin.indexOf("://") + 3;
        if (at < 3) {
            return Optional.empty();
        }
        String host = origin.substring(at).replaceFirst(":\\d+$", "");
        String bare = host.startsWith("www.") ? host.substring(4) : host;
        boolean named = bare.contains(".") && !bare.matches("[0-9.]+|\\[.*");
        return named ? Optional.of(origin.substring(0, at) + "*." + bare) : Optional.empty();
    }

    static String tool(String given) {
        String text = given.strip();
        if (!COMMAND.matcher(text).matches()) {
            text = text.toLowerCase(Locale.ROOT);
            if (!TOOL.matcher(text).matches()) {
                throw invalid("Invalid tool pattern");
            }
        }
        if (text.contains("**")) {
            throw invalid("Invalid tool pattern");
        }
        return text.equals("tab_action:type") ? "tab_action:input" : text;
    }

    static String origin(String given) {
        String text = given.strip().toLowerCase(Locale.ROOT);
        if (text.equals("*") || text.equals("http://*") || text.equals("https://*")) {
            return text;
        }
        if (text.startsWith("*.")) {
            return "*." + host(text.substring(2));
        }
        for (String scheme : new String[] {"http://", "https://"}) {
            if (text.startsWith(scheme + "*.")) {
                return scheme + "*." + host(text.substring(scheme.length() + 2));
            }
        }
        return text.contains("://") ? exact(text) : host(text);
    }

    /** {@code scheme://host[:port]} of an address, as rules and cards write it. */
    static String exact(String address) {
        String origin = WebOrigin.of(address);
        if (origin.isEmpty() || NO_SITE.matcher(address).find()) {
            throw invalid("Invalid origin pattern");
        }
        return origin;
    }

    private static String host(String given) {
        String host;
        try {
            host = IDN.toASCII(given, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            throw invalid("Invalid origin pattern");
        }
        String[] labels = host.split("\\.", -1);
        boolean enough = host.equals("localhost") || labels.length >= 2;
        for (String label : labels) {
            enough &= LABEL.matcher(label).matches();
        }
        if (!enough) {
            throw invalid("Invalid origin pattern");
        }
        return host;
    }

    static boolean toolMatches(String pattern, String name) {
        if (pattern.equals("*")) {
            return Names.ofPages(name);
        }
        if (pattern.equals(name)) {
            return true;
        }
        if (pattern.indexOf('*') < 0) {
            return pattern.indexOf(':') < 0 && name.startsWith(pattern + ":");
        }
        String[] literals = pattern.split("\\*", -1);
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < literals.length; i++) {
            regex.append(i == 0 ? "" : ".*").append(Pattern.quote(literals[i]));
        }
        return Pattern.matches(regex.toString(), name);
    }

    static boolean originMatches(String pattern, String origin) {
        if (pattern.equals("*")) {
            return true;
        }
        int at = origin.indexOf("://");
        if (at < 0) {
            return false;
        }
        String scheme = origin.substring(0, at + 3);
        String host = origin.substring(at + 3).replaceFirst(":\\d+$", "");
        if (pattern.equals("http://*") || pattern.equals("https://*")) {
            return pattern.startsWith(scheme);
        }
        if (pattern.startsWith("*.")) {
            return within(host, pattern.substring(2));
        }
        if (pattern.startsWith(scheme + "*.")) {
            return within(host, pattern.substring(scheme.length() + 2));
        }
        return pattern.contains("://") ? pattern.equals(origin) : pattern.equals(host);
    }

    private static boolean within(String host, String domain) {
        return host.equals(domain) || host.endsWith("." + domain);
    }

    static int originScore(String pattern) {
        if (pattern.equals("*")) {
            return 0;
        }
        int base =
                pattern.endsWith("://*")
                        ? 1000
                        : pattern.startsWith("*.")
                                ? 2000
                                : pattern.contains("://*.")
                                        ? 3000
                                        : pattern.contains("://") ? 4000 : 3500;
        return base + pattern.length();
    }

    static int toolScore(String pattern) {
        if (pattern.equals("*")) {
            return 0;
        }
        if (pattern.indexOf('*') >= 0) {
            return 1500 + pattern.replace("*", "").length();
        }
        return (pattern.indexOf(':') < 0 ? 2500 : 3000) + pattern.length();
    }

    private static TandemException invalid(String message) {
        return new TandemException(ErrorCode.BAD_REQUEST, message);
    }
}
