package dev.tandem.hub.cli;

import dev.tandem.cli.AgentPort;
import dev.tandem.hub.agent.AgentCapabilities;
import dev.tandem.hub.agent.AgentCheck;
import dev.tandem.hub.agent.AgentException;
import dev.tandem.hub.agent.AgentListing;
import dev.tandem.hub.sessions.AgentMemory;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Agents for one command line. To try one or to ask what it remembers is the person's. */
final class HubAgents implements AgentPort {
    private static final int EARLIER = 200;
    private static final Duration TEST_LIMIT = Duration.ofSeconds(60);

    private final SessionServices hub;
    private final Rights rights;
    private final LauncherInput input;

    HubAgents(SessionServices hub, Rights rights, LauncherInput input) {
        this.hub = hub;
        this.rights = rights;
        this.input = input;
    }

    @Override
    public List<ObjectNode> list() {
        return hub.agents().list().stream().map(HubAgents::described).toList();
    }

    private static ObjectNode described(AgentListing one) {
        ObjectNode agent = Json.object().put("agentId", one.entry().agentId());
        agent.put("name", one.entry().name()).put("command", one.entry().argv().getFirst());
        ArrayNode args = agent.putArray("args");
        one.entry().argv().stream().skip(1).forEach(args::add);
        agent.put("available", one.available()).put("builtIn", one.builtIn());
        agent.put("path", one.path()).put("reason", one.reason());
        return agent.put("login", one.login().name().toLowerCase(Locale.ROOT));
    }

    @Override
    public ObjectNode check(String agentId, boolean testTurn) {
        rights.userOnly("try an agent");
        AgentListing agent =
                hub.agents()
                        .find(agentId)
                        .orElseThrow(() -> TandemException.of(ErrorCode.NOT_FOUND));
        ObjectNode report = Json.object().put("agentId", agentId);
        if (!agent.available()) {
            return report.put("problem", agent.reason());
        }
        input.watch();
        AgentCheck.Report found =
                testTurn
                        ? hub.check().testTurn(agent.entry(), hub.trial().get(), TEST_LIMIT)
                        : hub.check().greet(agent.entry(), hub.trial().get());
        report.put("version", found.version()).put("answer", found.answer());
        report.put("tookMs", found.took().toMillis()).put("problem", found.problem());
        report.put("code", found.code());
        report.put("signsOut", AgentCapabilities.saidIn(found.greeting()).logout());
        report.set("capabilities", found.greeting().path("agentCapabilities"));
        return report.set("authMethods", found.greeting().path("authMethods"));
    }

    @Override
    public List<ObjectNode> earlier(String agentId) {
        rights.userOnly("see what an agent remembers");
        requireUsable(agentId);
        input.watch();
        List<ObjectNode> all = new ArrayList<>();
        try {
            String cursor = "";
            do {
                AgentMemory.Page page = hub.memory().page(agentId, "", cursor);
                all.addAll(page.sessions());
                cursor = page.nextCursor();
            } while (!cursor.isEmpty() && all.size() < EARLIER);
        } catch (AgentException e) {
            throw failed(e);
        }
        return all;
    }

    @Override
    public void signOut(String agentId) {
        rights.userOnly("sign out of an agent");
        requireUsable(agentId);
        input.watch();
        try {
            hub.engine().processes().signOut(agentId);
        } catch (AgentException e) {
            throw failed(e);
        }
    }

    /** Says why one that is not here or cannot be started cannot be used. */
    void requireUsable(String agentId) {
        AgentListing agent =
                hub.agents()
                        .find(agentId)
                        .orElseThrow(() ->
                                new TandemException(
                                        ErrorCode.NOT_FOUND,
                                        "There is no agent \"" + agentId + "\" here.",
                                        Json.object().put("hint", "tandem agents lists them.")));
        if (!agent.available()) {
            throw new TandemException(
                    ErrorCode.NOT_FOUND,
                    agent.reason(),
                    Json.object().put("hint", "tandem agents lists those that can be used."));
        }
    }

    /** What an agent could not do, in its own words. */
    static TandemException failed(RuntimeException e) {
        return new TandemException(ErrorCode.AGENT_FAILED, String.valueOf(e.getMessage()));
    }
}
