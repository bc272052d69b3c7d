package dev.tandem.hub;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;

/**
 * One line of JSON per event, and stacks below it. Whatever could drive a terminal or turn a line
 * around, in our words or in foreign ones, is written as an escape that can be seen.
 */
final class LogLines extends EncoderBase<ILoggingEvent> {
    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        String logger = event.getLoggerName();
        StringBuilder line = new StringBuilder(200);
        line.append("{\"at\":\"").append(Instant.ofEpochMilli(event.getTimeStamp()));
        line.append("\",\"level\":\"").append(event.getLevel());
        line.append("\",\"from\":\"").append(logger.substring(logger.lastIndexOf('.') + 1));
        line.append("\",\"text\":\"");
        append(line, String.valueOf(event.getFormattedMessage()), true);
        line.append("\"}\n");
        IThrowableProxy thrown = event.getThrowableProxy();
        if (thrown != null) {
            // a message may have lines of its own: none of them shall look like an event
            String stack = ThrowableProxyUtil.asString(thrown).strip().replace("\n", "\n  ");
            append(line.append("  "), stack, false);
            line.append('\n');
        }
        return line.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void append(StringBuilder line, String text, boolean json) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean layout = !json && (c == '\n' || c == '\t');
            if (json && (c == '"' || c == '\\')) {
                line.append('\\').append(c);
            } else if (layout || !unseen(c)) {
                line.append(c);
            } else {
                line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            }
        }
    }

    /** Controls, and what changes the direction of a line or takes no room in it. */
    private static boolean unseen(char c) {
        return Character.isISOControl(c)
                || Character.getType(c) == Character.FORMAT
                || c == 0x2028
                || c == 0x2029;
    }
}
