package dev.tandem.hub.web;

import dev.tandem.protocol.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the row of routes.json for a path. */
final class RouteTable {
    private final Map<String, Route> exact = new HashMap<>();
    private final List<Pattern> patterns = new ArrayList<>();

    /** A row and the parts of the path it names. */
    record Match(Route route, Map<String, String> parameters) {}

    private record Pattern(String[] parts, Route route) {}

    RouteTable(List<Route> routes) {
        for (Route route : routes) {
            if (route.path().contains("{") || route.path().endsWith("*")) {
                patterns.add(new Pattern(route.path().split("/", -1), route));
            } else {
                exact.put(route.path(), route);
            }
        }
    }

    Optional<Match> match(String path) {
        Route route = exact.get(path);
        if (route != null) {
            return Optional.of(new Match(route, Map.of()));
        }
        String[] parts = path.split("/", -1);
        for (Pattern pattern : patterns) {
            Optional<Map<String, String>> found = match(pattern.parts, parts);
            if (found.isPresent()) {
                return Optional.of(new Match(pattern.route, found.get()));
            }
        }
        return Optional.empty();
    }

    private static Optional<Map<String, String>> match(String[] pattern, String[] parts) {
        Map<String, String> parameters = new HashMap<>();
        for (int i = 0; i < pattern.length; i++) {
            if (pattern[i].equals("*") && i == pattern.length - 1) {
                parameters.put(
                        "*",
                        String.join(
                                "/",
                                List.of(parts).subList(Math.min(i, parts.length), parts.length)));
                return parts.length > i ? Optional.of(parameters) : Optional.empty();
            }
            if (i >= parts.length) {
                return Optional.empty();
            }
            if (pattern[i].startsWith("{") && pattern[i].endsWith("}") && !parts[i].isEmpty()) {
                parameters.put(pattern[i].substring(1, pattern[i].length() - 1), parts[i]);
            } else if (!pattern[i].equals(parts[i])) {
                return Optional.empty();
            }
        }
        return parts.length == pattern.length ? Optional.of(parameters) : Optional.empty();
    }
}
