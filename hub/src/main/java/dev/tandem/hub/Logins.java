package dev.tandem.hub;

import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.ClientTokens;
import dev.tandem.hub.auth.ExtensionTokens;
import java.util.function.Predicate;

/** Whether someone who once proved who they are still has access. */
record Logins(ExtensionTokens extensions, ClientTokens clients) implements Predicate<Caller> {
    @Override
    public boolean test(Caller caller) {
        return switch (caller.kind()) {
            case HUB -> true;
            case EXTENSION, DEVICE -> extensions.session(caller.id()).isPresent();
            case CLIENT ->
                    caller.id().startsWith("terminal-")
                            || clients.list().stream().anyMatch(c -> c.id().equals(caller.id()));
            case SESSION, VIEW, PICKER, NONE -> false;
        };
    }
}
