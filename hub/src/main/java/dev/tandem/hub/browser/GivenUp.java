package dev.tandem.hub.browser;

import dev.tandem.protocol.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Calls that would have opened a session, whose callers have had a failure instead: what the
 * browser opens for them is nobody's, and would keep its tab from everybody. Any thread may call
 * it.
 */
final class GivenUp {
    private static final int REMEMBERED = 100;

    private final Map<String, OpsClient> openings =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, OpsClient> eldest) {
                    return size() > REMEMBERED;
                }
            };

    /** A session in a browser, and who could end it. */
    record Session(OpsClient client, String id, String leaseId) {}

    synchronized void add(String key, OpsClient client, ObjectNode request) {
        if (opens(request)) {
            openings.put(key, client);
        }
    }

    /** The session that an answer nobody waits for tells of. */
    synchronized Optional<Session> answered(String key, ObjectNode answer) {
        OpsClient client = openings.remove(key);
        String id = answer.path("payload").path("opsSessionId").asString("");
        String lease = answer.path("payload").path("leaseId").asString("");
        return client == null || id.isEmpty() || lease.isEmpty()
                ? Optional.empty()
                : Optional.of(new Session(client, id, lease));
    }

    /** To connect to a session that is named opens none. */
    private static boolean opens(ObjectNode request) {
        String command = Json.text(request, "command").orElse("");
        return command.equals("session.launch")
                || (command.equals("session.connect") && !request.path("payload").has("sessionId"));
    }
}
