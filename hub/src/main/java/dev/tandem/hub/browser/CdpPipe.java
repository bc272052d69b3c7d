package dev.tandem.hub.browser;

import dev.tandem.protocol.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** The debugging pipe of a browser that we started: commands out, answers and events in. */
final class CdpPipe {
    private static final Logger LOG = LoggerFactory.getLogger(CdpPipe.class);

    private final OutputStream out;
    private final CdpCalls calls;

    CdpPipe(InputStream in, OutputStream out, BiConsumer<String, JsonNode> events) {
        this.out = out;
        this.calls = new CdpCalls(this::write, events);
        // A blocking read of a pipe would hold a carrier of the virtual threads.
        Thread.ofPlatform().name("cdp-pipe").daemon().start(() -> read(in));
    }

    CdpCalls calls() {
        return calls;
    }

    private synchronized void write(byte[] message) throws IOException {
        out.write(message);
        out.write(0);
        out.flush();
    }

    private void read(InputStream in) {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        byte[] buffer = new byte[64 * 1024];
        try (in) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                int start = 0;
                for (int i = 0; i < count; i++) {
                    if (buffer[i] == 0) {
                        message.write(buffer, start, i - start);
                        calls.receive(Json.parse(message.toByteArray()));
                        message.reset();
                        start = i + 1;
                    }
                }
                message.write(buffer, start, count - start);
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("The debugging pipe ended: {}", e.toString());
        }
        calls.ended();
    }
}
