package dev.tandem.hub.ambient;

import dev.tandem.hub.web.Exchange;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Finds the operation of a request; each described one has a handler and each handler a row. */
final class Operations {
    private final Description description;
    private final Map<String, Call.Handler> handlers = new HashMap<>();

    Operations(Description description) {
        this.description = description;
    }

    Operations on(String id, Call.Handler handler) {
        handlers.put(id, handler);
        return this;
    }

    Resource resource(String name) {
        return description.resource(name);
    }

    void checkComplete() {
        TreeSet<String> different = new TreeSet<>(handlers.keySet());
        for (Description.Operation operation : description.operations()) {
            if (operation.served() && !different.remove(operation.id())) {
                different.add(operation.id());
            }
        }
        if (!different.isEmpty()) {
            throw new IllegalStateException(
                    "protocol/ambient and its handlers disagree: " + different);
        }
    }

    void handle(Exchange exchange) throws IOException {
        String path = exchange.path().substring(Problems.BASE.length());
        boolean known = false;
        TreeSet<String> methods = new TreeSet<>();
        Optional<Runner> best = Optional.empty();
        for (Description.Operation operation : description.operations()) {
            Optional<Map<String, String>> parts = match(operation.path(), path);
            if (parts.isEmpty()) {
                continue;
            }
            known = true;
            if (!operation.served()) {
                continue;
            }
            methods.add(operation.method());
            if (operation.method().equals(exchange.method())) {
                Runner found = new Runner(operation, parts.get());
                // A path without placeholders is meant before one with: repos/status.
                if (best.isEmpty() || found.parts.size() < best.get().parts.size()) {
                    best = Optional.of(found);
                }
            }
        }
        if (!known) {
            throw Problems.noRoute(exchange.path());
        }
        if (best.isEmpty()) {
            exchange.set("Allow", String.join(", ", methods));
            throw Problems.notServed();
        }
        Runner runner = best.get();
        Call.Handler handler = handlers.get(runner.operation.id());
        if (handler == null) {
            throw Problems.notServed();
        }
        handler.handle(new Call(exchange, runner.parts));
    }

    private record Runner(Description.Operation operation, Map<String, String> parts) {}

    private static Optional<Map<String, String>> match(String pattern, String path) {
        List<String> wanted = List.of(pattern.split("/", -1));
        boolean rest = wanted.getLast().equals("{path}");
        List<String> given = List.of(path.split("/", rest ? wanted.size() : -1));
        if (wanted.size() != given.size()) {
            return Optional.empty();
        }
        Map<String, String> parts = new HashMap<>();
        for (int i = 0; i < wanted.size(); i++) {
            String one = wanted.get(i);
            if (one.startsWith("{") && !given.get(i).isEmpty()) {
                parts.put(one.substring(1, one.length() - 1), given.get(i));
            } else if (!one.equals(given.get(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(parts);
    }
}
