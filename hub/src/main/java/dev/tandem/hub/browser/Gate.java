package dev.tandem.hub.browser;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/** Decides whether a call may run. It may block while a person is asked, and throws to refuse. */
@FunctionalInterface
public interface Gate {

    /** The right to send something to an address. */
    Set<String> GOING = Set.of("tab_nav:goto");

    /** The address that a call with these permission names goes to, when it goes anywhere. */
    static Optional<String> goesTo(Set<String> names, ObjectNode arguments) {
        return names.containsAll(GOING)
                ? Json.text(arguments, "url").or(() -> Json.text(arguments, "startUrl"))
                : Optional.empty();
    }

    /** Who wants what, where; place and element cost a question to the browser: asked for late. */
    record Request(
            OpsClient client,
            Tool tool,
            ObjectNode arguments,
            Set<String> permissions,
            Optional<OpsSession> session,
            Supplier<Place> place,
            Supplier<PageElement> element,
            Watch watch) {

        /** The same call, seen at another place. */
        Request at(Place other) {
            return new Request(
                    client, tool, arguments, permissions, session, () -> other, element, watch);
        }

        /** The origin that the call is decided for: where it goes, else where it acts. */
        String origin() {
            return WebOrigin.of(goesTo(permissions, arguments).orElseGet(() -> place.get().url()));
        }

        /** The same call, as far as it stays where it is: without the address it goes to. */
        Request staying(ObjectNode without, Set<String> names) {
            return new Request(client, tool, without, names, session, place, element, watch);
        }

        /** The same call, as far as it needs another permission. */
        Request needing(String permission) {
            return new Request(
                    client, tool, arguments, Set.of(permission), session, place, element, watch);
        }

        /** What the call leads to, as going there: by a link, a form, a redirect, a script. */
        Request leadingTo(String url) {
            Supplier<Place> there = () -> new Place(place.get().tab(), url);
            ObjectNode going = arguments.deepCopy().put("url", url);
            return new Request(client, tool, going, GOING, session, there, element, watch);
        }
    }

    void check(Request request);

    /** Whether frames of other origins than the page's need rights of their own. */
    default boolean guardsFrames(Request request) {
        return false;
    }

    /** Whether such a call is allowed at a frame of that origin without asking anybody. */
    default boolean opensFrame(Request request, String origin) {
        return true;
    }

    /** Whether sensitive steps need a yes of their own, however much else is allowed. */
    default boolean guardsSensitive(Request request) {
        return false;
    }

    /** Without a permission desk: the user and the programs they gave a token, nobody else. */
    static Gate byToken() {
        return request -> {
            TokenKind kind = request.client().caller().kind();
            if (kind != TokenKind.HUB && kind != TokenKind.CLIENT) {
                throw denied("This kind of token cannot use browser tools.");
            }
            boolean writes = request.tool().access() == Tool.Access.WRITE;
            if (request.client().caller().mode() == Caller.Mode.READ_ONLY && writes) {
                throw denied(
                        "The token \""
                                + request.client().caller().name()
                                + "\" may only read, and "
                                + request.tool().name()
                                + " can change something.");
            }
        };
    }

    static TandemException denied(String why) {
        return new TandemException(ErrorCode.PERMISSION_DENIED, why, "permission_denied");
    }
}
