package dev.tandem.hub.ambient;

import dev.tandem.protocol.Json;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Users and roles, to be read: everything belongs to the hub's owner. */
final class AccessEndpoint {
    static final String OWNER = "owner";

    private final long since;

    AccessEndpoint(long since) {
        this.since = since;
    }

    void register(Operations operations) {
        Resource users = operations.resource("User");
        Resource roles = operations.resource("Role");
        operations
                .on("listUsers", call -> call.answerList(users, List.of(user())))
                .on("getUser", call -> one(call, "User", user()))
                .on("listRoles", call -> call.answerList(roles, List.of(role())))
                .on("getRole", call -> one(call, "Role", role()));
    }

    private static void one(Call call, String kind, ObjectNode only) {
        if (!call.part("id").equals(OWNER)) {
            throw Problems.missing(kind, call.part("id"));
        }
        call.answer(200, only);
    }

    private ObjectNode user() {
        String name = System.getProperty("user.name", OWNER);
        return reference("User", "users").put("username", name).put("name", name);
    }

    private ObjectNode role() {
        return reference("Role", "roles")
                .put("name", OWNER)
                .put("display_name", "Owner")
                .put("description", "The person this hub runs for; may do everything.")
                .put("built_in", true);
    }

    private ObjectNode reference(String kind, String path) {
        ObjectNode one = Json.object().put("id", OWNER).put("kind", kind);
        one.put("href", Problems.BASE + "/" + path + "/" + OWNER);
        return one.put("created_at", Resource.time(since)).put("updated_at", Resource.time(since));
    }
}
