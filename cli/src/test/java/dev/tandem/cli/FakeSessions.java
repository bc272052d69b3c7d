package dev.tandem.cli;

import dev.tandem.protocol.Json;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import tools.jackson.databind.node.ObjectNode;

/** Sessions, agents and cards that a test puts in, and a note of everything that was asked for. */
final class FakeSessions implements SessionPort, AgentPort, CardPort {
    final List<ObjectNode> sessions = new ArrayList<>();
    final List<ObjectNode> cards = new ArrayList<>();
    final List<ObjectNode> questions = new ArrayList<>();
    final List<ObjectNode> agents = new ArrayList<>();
    final List<ObjectNode> earlier = new ArrayList<>();
    final Queue<ObjectNode> news = new ArrayDeque<>();
    final List<String> done = new ArrayList<>();
    ObjectNode export = Json.object();
    ObjectNode report = Json.object();
    String project = "My\tproject";
    String folder = "/code/a";
    long seq = 10;
    long started = -1;

    ObjectNode session(String id, String name, String phase, String status) {
        ObjectNode one = Json.object().put("sessionId", id).put("name", name);
        one.put("phase", phase).put("status", status).put("projectId", "default");
        sessions.add(one.put("agent", "guide").put("updatedAt", System.currentTimeMillis()));
        return one;
    }

    void entry(long number, String kind, ObjectNode body) {
        ObjectNode piece = Json.object().put("type", "entry").put("seq", number).put("kind", kind);
        news.add(piece.set("body", body));
    }

    void delta(String block, String text) {
        ObjectNode update = Json.object().put("sessionUpdate", "agent_message_chunk");
        update.putObject("content").put("type", "text").put("text", text);
        ObjectNode piece = Json.object().put("type", "delta").put("block", block);
        news.add(piece.set("update", update));
    }

    ObjectNode card(String id, String... options) {
        ObjectNode card = Json.object().put("requestId", id).put("source", "browser");
        card.put("summary", "click \"Save\"").put("origin", "https://app.test");
        card.putObject("requester").put("name", "First");
        var list = card.putArray("options");
        for (String option : options) {
            String kind =
                    option.equals("allow_session") || option.equals("allow_site")
                            ? "allow_always"
                            : option;
            list.addObject().put("optionId", option).put("kind", kind).put("name", option);
        }
        cards.add(card);
        return card;
    }

    @Override
    public List<ObjectNode> sessions(String search) {
        return sessions.stream()
                .filter(one -> one.path("name").asString("").contains(search))
                .toList();
    }

    @Override
    public ObjectNode create(Wish wish) {
        done.add(
                "create "
                        + wish.name()
                        + "|"
                        + wish.agent()
                        + "|"
                        + wish.mode()
                        + "|"
                        + wish.folder().map(Object::toString).orElse("")
                        + wish.earlier()
                                .map(one -> "|" + one.agentSessionId() + "@" + one.cwd())
                                .orElse(""));
        return session("new000001", wish.name().isEmpty() ? "New session" : wish.name(), "", "");
    }

    @Override
    public void start(String sessionId) {
        done.add("start " + sessionId);
    }

    @Override
    public void stop(String sessionId) {
        done.add("stop " + sessionId);
    }

    @Override
    public boolean interrupt(String sessionId) {
        done.add("interrupt " + sessionId);
        return true;
    }

    @Override
    public void rename(String sessionId, String name) {
        done.add("rename " + sessionId + " " + name);
    }

    @Override
    public ObjectNode export(String sessionId) {
        return export;
    }

    @Override
    public long send(String sessionId, String text) {
        done.add("send " + sessionId + " " + text);
        return seq;
    }

    @Override
    public LastTurn lastTurn(String sessionId) {
        return new LastTurn(seq, started);
    }

    @Override
    public Following follow(String sessionId, long afterSeq) {
        return following();
    }

    @Override
    public Following follow() {
        return following();
    }

    private Following following() {
        return new Following() {
            @Override
            public Optional<ObjectNode> next(Duration atMost) {
                return Optional.ofNullable(news.poll());
            }

            @Override
            public boolean over() {
                return news.isEmpty();
            }

            @Override
            public void close() {
                done.add("closed");
            }
        };
    }

    @Override
    public List<ObjectNode> projects() {
        ObjectNode one = Json.object().put("projectId", "default").put("name", project);
        one.put("sessions", sessions.size()).putArray("folders").add(folder).add("/code/b");
        return List.of(one);
    }

    @Override
    public List<ObjectNode> list() {
        return agents;
    }

    @Override
    public ObjectNode check(String agentId, boolean testTurn) {
        done.add("check " + agentId + " " + testTurn);
        return report;
    }

    @Override
    public List<ObjectNode> earlier(String agentId) {
        done.add("earlier " + agentId);
        return earlier;
    }

    @Override
    public void signOut(String agentId) {
        done.add("sign out " + agentId);
    }

    @Override
    public List<ObjectNode> cards() {
        return List.copyOf(cards);
    }

    @Override
    public void answer(String requestId, String optionId) {
        done.add("answer " + requestId + " " + optionId);
        cards.removeIf(card -> card.path("requestId").asString("").equals(requestId));
    }

    @Override
    public List<ObjectNode> questions() {
        return List.copyOf(questions);
    }

    @Override
    public void answerQuestion(String requestId, String action, ObjectNode content) {
        done.add(action + " " + requestId + " " + Json.write(content));
        questions.removeIf(one -> one.path("requestId").asString("").equals(requestId));
    }
}
