package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.hub.browser.OpsSocket;
import dev.tandem.protocol.Json;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/** A program on /ops with one session; it checks that every answer is its own. */
final class OpsProgram implements AutoCloseable {
    private final Hub hub;
    private final String token;
    private OpsSocket socket;
    private ObjectNode session = Json.object();
    private int requests;

    OpsProgram(Hub hub, String token) {
        this.hub = hub;
        this.token = token;
        this.socket = OpsSocket.greeted(Http.CLIENT, hub.port(), token);
    }

    OpsSocket socket() {
        return socket;
    }

    ObjectNode session() {
        return session;
    }

    String id() {
        return session.path("opsSessionId").asString();
    }

    String targetId() {
        return session.path("activeTargetId").asString();
    }

    ObjectNode launch(ObjectNode payload) {
        session = call("session.launch", payload);
        return session;
    }

    ObjectNode call(String command, ObjectNode payload) {
        ObjectNode answer = ask(command, session, payload);
        assertThat(answer.path("type").asString())
                .as("%s: %s", command, answer)
                .isEqualTo("ops_response");
        return (ObjectNode) answer.get("payload");
    }

    ObjectNode refused(String command, ObjectNode payload) {
        return refused(command, session, payload);
    }

    /** Asks in the name of any session; answers the error. */
    ObjectNode refused(String command, ObjectNode inSession, ObjectNode payload) {
        ObjectNode answer = ask(command, inSession, payload);
        assertThat(answer.path("type").asString())
                .as("%s: %s", command, answer)
                .isEqualTo("ops_error");
        return (ObjectNode) answer.get("error");
    }

    ObjectNode ask(String command, ObjectNode inSession, ObjectNode payload) {
        String requestId = "q" + ++requests;
        ObjectNode answer = socket.call(requestId, command, inSession, payload);
        assertThat(answer.path("requestId").asString()).isEqualTo(requestId);
        assertThat(answer.path("clientId").asString()).isEqualTo(socket.clientId());
        return answer;
    }

    String look() {
        return call("nav.snapshot", Json.object()).path("content").asString();
    }

    String ref(String words) {
        String snapshot = look();
        Matcher line =
                Pattern.compile("\\[(\\w+)] [^\\n]*?" + Pattern.quote(words)).matcher(snapshot);
        assertThat(line.find()).as("%s in%n%s", words, snapshot).isTrue();
        return line.group(1);
    }

    /** Dies without a goodbye and comes back as a new process would, with what it wrote down. */
    void dieAndComeBack() {
        die();
        comeBack();
        ObjectNode back = Json.object().put("sessionId", id());
        back.put("leaseId", session.path("leaseId").asString());
        ObjectNode answer = call("session.connect", back);
        assertThat(answer.path("state").asString()).isEqualTo("active");
    }

    /** A new connection of the same program. */
    void comeBack() {
        socket = OpsSocket.greeted(Http.CLIENT, hub.port(), token);
    }

    void die() {
        socket.wire().abort();
    }

    @Override
    public void close() {
        socket.close();
    }
}
