package dev.tandem.hub.sessions;

import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Clock;

/** Makes ids that sort by time: 27 letters and digits, four bytes of seconds and sixteen random. */
public final class Ids {
    private static final String ALPHABET =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final BigInteger BASE = BigInteger.valueOf(62);
    private static final long EPOCH_SECONDS = 1_400_000_000L;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Ids() {}

    public static String next(Clock clock) {
        byte[] bytes = new byte[20];
        RANDOM.nextBytes(bytes);
        long seconds = clock.millis() / 1000 - EPOCH_SECONDS;
        for (int i = 0; i < 4; i++) {
            bytes[i] = (byte) (seconds >>> (24 - 8 * i));
        }
        BigInteger number = new BigInteger(1, bytes);
        char[] id = new char[27];
        for (int i = 26; i >= 0; i--) {
            BigInteger[] parts = number.divideAndRemainder(BASE);
            id[i] = ALPHABET.charAt(parts[1].intValue());
            number = parts[0];
        }
        return new String(id);
    }
}
