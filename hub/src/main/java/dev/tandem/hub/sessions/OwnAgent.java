package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.Agent;
import dev.tandem.hub.agent.AgentEntry;
import dev.tandem.hub.agent.AgentSession;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The agent of one live session, from its start until it is left, and what those who watch are told
 * of it. One thread opens it, once; any thread may call the rest.
 */
final class OwnAgent {
    private final Parts parts;
    private final AgentNews news;
    private volatile String tried = "";
    private volatile @Nullable OpenedAgent opened;

    OwnAgent(Parts parts, AgentNews news) {
        this.parts = parts;
        this.news = news;
    }

    /** Starts it where the session works, with the session open in it. */
    OpenedAgent open(Session session, SessionHost host) throws IOException, InterruptedException {
        AgentEntry entry = parts.workplaces().agent(session);
        tried = entry.agentId();
        news.starting(tried);
        Workplaces.Workplace place = parts.workplaces().prepare(session);
        String token = parts.tokens().issue(session.id());
        Session current = session;
        while (true) {
            OpenedAgent now = OpenedAgent.open(current, entry, place, token, parts, host);
            opened = now;
            current = parts.store().required(session.id());
            if (now.fits(current)) {
                news.ready(now.agent());
                return now;
            }
            // It was given another mode while its agent came up.
            opened = null;
            now.leave(false, () -> {});
        }
    }

    /** The id of the agent that was to be opened; empty before that. */
    String tried() {
        return tried;
    }

    /** The one that it has, be it at its end; empty before it is there. */
    Optional<OpenedAgent> opened() {
        return Optional.ofNullable(opened);
    }

    Optional<AgentSession> session() {
        return opened().map(OpenedAgent::session);
    }

    Optional<Agent> process() {
        return opened().map(OpenedAgent::agent);
    }

    /** Whether the session, as it is now, may go on in the process that it has. */
    boolean fits(Session now) {
        OpenedAgent agent = opened;
        return agent == null || agent.fits(now);
    }

    /** Its process went away by itself. */
    void lost(Exception reason) {
        news.failed(reason);
    }

    /** The session ends before its agent was there. */
    void giveUp(Optional<Exception> problem) {
        problem.ifPresentOrElse(news::failed, news::exited);
    }

    /** Ends the session in it, which forgets it if asked to. */
    void leave(OpenedAgent agent, boolean forget) {
        if (agent.leave(forget, news::stopping)) {
            news.exited();
        }
    }
}
