package dev.tandem.hub.auth;

import java.net.InetSocketAddress;

/**
 * The two ends of a connection, with their addresses: another process may have the same port at
 * another one.
 *
 * @param peer the end of whoever called
 * @param own the end of this hub
 */
public record TcpEnds(InetSocketAddress peer, InetSocketAddress own) {
    /** The same connection as the caller sees it. */
    TcpEnds turned() {
        return new TcpEnds(/* peer= */ own, /* own= */ peer);
    }
}
