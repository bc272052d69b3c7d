package dev.tandem.hub.browser;

import java.net.IDN;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The origin of an address, spelled as browsers do. */
public final class WebOrigin {
    private static final Pattern ADDRESS =
            Pattern.compile("(?:blob:)?(https?)://([^/?#\\\\]*)(?:[/?#].*)?", Pattern.DOTALL);
    private static final Pattern PLACE =
            Pattern.compile("(\\[[0-9a-f:.]+]|[^:\\[\\]%\\s\\p{Cntrl}]+)(?::(\\d{1,5}))?");

    private WebOrigin() {}

    /**
     * Empty where an address has none that tools could act on. Who types an address can mean
     * another one than is read here, so the browser compares with the one it goes to.
     */
    public static String of(String address) {
        String text = address.strip();
        Matcher parts = ADDRESS.matcher(text);
        int end = text.indexOf("://");
        if (end > 0) {
            parts.reset(text.substring(0, end).toLowerCase(Locale.ROOT) + text.substring(end));
        }
        return parts.matches() ? of(parts.group(1), parts.group(2)) : "";
    }

    private static String of(String scheme, String authority) {
        String place = authority.substring(authority.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
        Matcher parts = PLACE.matcher(place);
        if (!parts.matches()) {
            return "";
        }
        String host = ascii(parts.group(1));
        String usual = scheme.equals("http") ? "80" : "443";
        String port = parts.group(2);
        boolean shown = port != null && !port.equals(usual);
        return host.isEmpty() ? "" : scheme + "://" + host + (shown ? ":" + port : "");
    }

    /** Names in other scripts become the form that browsers compare. */
    private static String ascii(String host) {
        try {
            return host.chars().allMatch(c -> c < 128)
                    ? host
                    : IDN.toASCII(host, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
