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

    private record Pattern(List<String> parts, Route route) {}

    RouteTable(List<Route> routes) {
        for (Route route : routes) {
            if (route.path().contains("{") || route.path().endsWith("*")) {
                patterns.add(new Pattern(parts(route.path()), route));
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
        List<String> parts = parts(path);
        for (Pattern pattern : patterns) {
            Optional<Map<String, String>> found = match(pattern.parts, parts);
            if (found.isPresent()) {
                return Optional.of(new Match(pattern.route, found.get()));
            }
        }
        return Optional.empty();
    }

    private static List<String> parts(String path) {
        return List.of(path.split("/", -1));
    }

    private static Optional<Map<String, String>> match(List<String> pattern, List<String> parts) {
        Map<String, String> parameters = new HashMap<>();
        for (int i = 0; i < pattern.size(); i++) {
            String wanted = pattern.get(i);
            if (i >= parts.size()) {
                return Optional.empty();
            }
            if (wanted.equals("*")) {
                parameters.put("*", String.join("/", parts.subList(i, parts.size())));
                return Optional.of(parameters);
            }
            String part = parts.get(i);
            if (wanted.startsWith("{") && !part.isEmpty()) {
                parameters.put(wanted.substring(1, wanted.length() - 1), part);
            } else if (!wanted.equals(part)) {
                return Optional.empty();
            }
        }
        return parts.size() == pattern.size() ? Optional.of(parameters) : Optional.empty();
    }
}
