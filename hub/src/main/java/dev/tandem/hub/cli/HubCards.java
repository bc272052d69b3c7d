package dev.tandem.hub.cli;

import dev.tandem.cli.CardPort;
import dev.tandem.cli.Following;
import dev.tandem.hub.agent.ElicitationAnswer;
import dev.tandem.hub.permission.Card;
import dev.tandem.hub.sessions.Session;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Permission cards and forms for one command line. Only the person answers them. */
final class HubCards implements CardPort {
    private final SessionServices hub;
    private final Rights rights;
    private final LauncherInput input;

    HubCards(SessionServices hub, Rights rights, LauncherInput input) {
        this.hub = hub;
        this.rights = rights;
        this.input = input;
    }

    @Override
    public List<ObjectNode> cards() {
        return readable().stream().map(Card::toJson).toList();
    }

    private List<Card> readable() {
        return hub.desk().open().stream().filter(card -> rights.mayRead(card.key())).toList();
    }

    @Override
    public void answer(String requestId, String optionId) {
        rights.userOnly("answer a permission request");
        hub.desk().answer(requestId, optionId, rights.caller());
    }

    /** What waits already comes first; a card that comes meanwhile may be told twice. */
    @Override
    public Following follow() {
        News news = News.to(input, rights);
        Following following = news.from(hub.desk().watch(news));
        readable().forEach(news::onCard);
        return following;
    }

    @Override
    public List<ObjectNode> questions() {
        List<ObjectNode> open = new ArrayList<>();
        for (Session session : hub.store().sessions()) {
            if (rights.mayRead(session.id())) {
                hub.engine()
                        .openQuestions(session.id())
                        .forEach(one ->
                                open.add(
                                        Json.object()
                                                .put("requestId", one.requestId())
                                                .put("sessionId", session.id())
                                                .put("sessionName", session.name())
                                                .set("params", one.params())));
            }
        }
        return open;
    }

    @Override
    public void answerQuestion(String requestId, String action, ObjectNode content) {
        rights.userOnly("answer a form");
        String session =
                questions().stream()
                        .filter(one -> one.path("requestId").asString("").equals(requestId))
                        .map(one -> one.path("sessionId").asString(""))
                        .findFirst()
                        .orElseThrow(() ->
                                new TandemException(
                                        ErrorCode.NOT_FOUND, "There is no such question."));
        hub.engine()
                .answerQuestion(
                        session,
                        requestId,
                        action.equals("accept")
                                ? new ElicitationAnswer.Accept(content)
                                : new ElicitationAnswer.Decline(),
                        rights.caller());
    }
}
