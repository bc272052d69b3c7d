package dev.tandem.protocol;

import java.util.Set;

/** One row of routes.json: a path with its door, methods, listeners and the tokens that open it. */
public record Route(
        String id,
        String path,
        Set<String> methods,
        Kind kind,
        String door,
        Set<String> listener,
        Set<String> tokens,
        String about) {

    /** How the path is spoken to. */
    public enum Kind {
        HTTP,
        WS,
        STATIC
    }

    /** Whether nobody needs to prove anything here. */
    public boolean free() {
        return tokens.contains("none");
    }
}
