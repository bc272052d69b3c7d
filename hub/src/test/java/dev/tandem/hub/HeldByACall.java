package dev.tandem.hub;

/**
 * Connections that no process shows, as programs for Python: the descriptor is closed while the
 * kernel still reads from it for a thread.
 */
public final class HeldByACall {
    /** Passes for ssh's forwarding, and hides what it holds. */
    public static final String FORWARDING =
            """
            import socket, sys
            open("/proc/self/comm", "w").write("sshd")
            a, b = socket.socketpair()
            socket.send_fds(a, [b"x"], [0])
            """;

    private HeldByACall() {}

    /** Asks for the sessions over such a connection, and prints the answer's beginning. */
    public static String asking(int port, String token) {
        return """
        import os, socket, threading, time
        s = socket.create_connection(("127.0.0.1", %1$d))
        s.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
        me = []
        def hear():
            me.append(threading.get_native_id())
            print(os.read(s.fileno(), 4096).decode(), end="")
        threading.Thread(target=hear).start()
        while not me or " S " not in open(f"/proc/self/task/{me[0]}/stat").read():
            time.sleep(0.01)
        s.sendall(b"GET /api/v1/chat/sessions HTTP/1.1\\r\\nHost: 127.0.0.1:%1$d\\r\\n"
            b"Authorization: Bearer %2$s\\r\\nConnection: close\\r\\n\\r\\n")
        s.close()
        """
                .formatted(port, token);
    }
}
