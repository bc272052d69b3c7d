package dev.tandem.hub.browser;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Browsers that somebody started with a debugging port. The port only serves to bring the extension
 * there and to pair it; after that they are browsers like any other.
 */
public final class DebuggedBrowsers {
    static final String PREFIX = "cdp-";
    private static final String MODE = "cdpConnect";
    private static final long CONNECT_MS = 30_000;

    private final Browsers browsers;
    private final Pairing pairing;
    private final Path extension;
    private final String extensionId;
    private final ReentrantLock connecting = new ReentrantLock();

    public DebuggedBrowsers(
            Browsers browsers, Pairing pairing, Path extension, String extensionId) {
        this.browsers = browsers;
        this.pairing = pairing;
        this.extension = extension;
        this.extensionId = extensionId;
    }

    /** The browser behind that endpoint, brought to us if it is not here yet. */
    Browser open(Endpoint endpoint) {
        connecting.lock();
        try {
            URI debugger = endpoint.debugger();
            String browserId = browserId(debugger);
            Optional<Browser> known = browsers.find(browserId);
            return known.isPresent() ? known.get() : bring(debugger, browserId);
        } catch (ExtensionLoader.Refused e) {
            throw refused();
        } catch (ConnectException e) {
            throw failed("Nothing listens at " + endpoint.address() + ".");
        } catch (IOException e) {
            throw failed(String.valueOf(e.getMessage()));
        } finally {
            connecting.unlock();
        }
    }

    private Browser bring(URI debugger, String browserId) throws IOException {
        String name = "port " + debugger.getPort();
        ExtensionLoader loader = new ExtensionLoader(extensionId);
        browsers.expect(browserId, name, MODE);
        try (CdpSocket socket = CdpSocket.open(debugger, loader::event)) {
            loader.load(socket.calls(), extension, pairing.items(browserId, name));
            Browser browser = browsers.choose(Optional.of(browserId), CONNECT_MS);
            if (!browser.await(CONNECT_MS)) {
                throw Browser.disconnected(false);
            }
            return browser;
        } finally {
            browsers.unexpect(browserId);
        }
    }

    /** A browser's debugging address is new at each of its starts, so it names this one run. */
    private static String browserId(URI debugger) {
        String address = debugger.getPort() + String.valueOf(debugger.getPath());
        return PREFIX + UUID.nameUUIDFromBytes(address.getBytes(StandardCharsets.UTF_8));
    }

    private TandemException refused() {
        return new TandemException(
                ErrorCode.UNSUPPORTED_MODE,
                "That browser does not take an extension over its debugging port. Start it with"
                        + " --enable-unsafe-extension-debugging, or install the extension there:"
                        + " open chrome://extensions, switch on Developer mode, choose \"Load"
                        + " unpacked\" and the folder "
                        + extension
                        + ", then pair it (tandem connect chrome).");
    }

    private static TandemException failed(String why) {
        return new TandemException(ErrorCode.CONNECT_FAILED, why);
    }
}
