package dev.tandem.protocol;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** The rows of routes.json, in file order. What is not here is 404. */
public final class Routes {
    private static final List<Route> ALL = read();

    private Routes() {}

    public static List<Route> all() {
        return ALL;
    }

    public static Optional<Route> byId(String id) {
        return ALL.stream().filter(route -> route.id().equals(id)).findFirst();
    }

    private static List<Route> read() {
        List<Route> routes = new ArrayList<>();
        for (JsonNode row : Json.resource("routes.json").path("routes")) {
            routes.add(
                    new Route(
                            row.get("id").asString(),
                            row.get("path").asString(),
                            new LinkedHashSet<>(Json.texts(row, "methods")),
                            Route.Kind.valueOf(row.get("kind").asString().toUpperCase(Locale.ROOT)),
                            row.get("door").asString(),
                            new LinkedHashSet<>(Json.texts(row, "listener")),
                            new LinkedHashSet<>(Json.texts(row, "tokens")),
                            row.get("about").asString()));
        }
        return List.copyOf(routes);
    }
}
