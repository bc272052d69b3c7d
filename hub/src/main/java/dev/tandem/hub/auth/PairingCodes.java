package dev.tandem.hub.auth;

import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Codes a user types or clicks once to pair a browser: 40 bits, five minutes, five wrong tries. */
public final class PairingCodes {
    private static final String ALPHABET = "ABCDEFGHJKMNPQRSTVWXYZ0123456789";
    private static final Duration LIFE = Duration.ofMinutes(5);
    private static final int TRIES = 5;

    private final Clock clock;
    private final Map<String, Long> codes = new HashMap<>();
    private int wrong;

    public PairingCodes(Clock clock) {
        this.clock = clock;
    }

    /** A new code, written in two groups of four. */
    public synchronized String create() {
        forgetOld();
        byte[] random = Secrets.bytes(8);
        StringBuilder code = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            if (i == 4) {
                code.append('-');
            }
            code.append(ALPHABET.charAt(random[i] & 31));
        }
        codes.put(code.toString(), clock.millis() + LIFE.toMillis());
        wrong = 0;
        return code.toString();
    }

    /** True once for a valid code. Five wrong codes void every open one. */
    public synchronized boolean redeem(String typed) {
        forgetOld();
        String code = normal(typed);
        String match = null;
        for (String open : codes.keySet()) {
            if (Secrets.same(open, code)) {
                match = open;
            }
        }
        if (match != null) {
            codes.remove(match);
            return true;
        }
        if (++wrong >= TRIES) {
            codes.clear();
        }
        return false;
    }

    private void forgetOld() {
        codes.values().removeIf(until -> until < clock.millis());
    }

    private static String normal(String typed) {
        String letters =
                typed.toUpperCase(java.util.Locale.ROOT)
                        .replaceAll("[^A-Z0-9]", "")
                        .replace('O', '0')
                        .replace('I', '1')
                        .replace('L', '1');
        return letters.length() == 8
                ? letters.substring(0, 4) + "-" + letters.substring(4)
                : letters;
    }
}
