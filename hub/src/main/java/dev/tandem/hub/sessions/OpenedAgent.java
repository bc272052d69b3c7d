package dev.tandem.hub.sessions;

import dev.tandem.hub.agent.Agent;
import dev.tandem.hub.agent.AgentEntry;
import dev.tandem.hub.agent.AgentException;
import dev.tandem.hub.agent.AgentSession;
import dev.tandem.hub.agent.McpDoor;
import dev.tandem.hub.agent.SessionSetup;
import dev.tandem.protocol.Json;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A running agent with this session open in it. An old conversation is resumed where the agent can,
 * else loaded, else told again in front of the next prompt.
 */
final class OpenedAgent {
    /**
     * Marks a session that its agent had before the hub, until its conversation is written down.
     */
    static final String UNTOLD = "untold";

    private static final Set<String> NO_MATTER_WHERE = Set.of("cancelled", "auth_required");

    private final AgentPool.Seat seat;
    private final AgentSession session;
    private final Path cwd;
    private final AtomicReference<String> context;

    private OpenedAgent(AgentPool.Seat seat, AgentSession session, Path cwd, String context) {
        this.seat = seat;
        this.session = session;
        this.cwd = cwd;
        this.context = new AtomicReference<>(context);
    }

    static OpenedAgent open(
            Session session,
            AgentEntry entry,
            Workplaces.Workplace place,
            String token,
            Parts parts,
            SessionHost host)
            throws InterruptedException {
        McpDoor door =
                new McpDoor(
                        parts.settings().hubAddress().get() + "/mcp/" + session.id(),
                        token,
                        parts.settings().mcpBridge());
        SessionSetup setup =
                new SessionSetup(
                        place.cwd(),
                        place.additional(),
                        door,
                        parts.workplaces().mcpServers(),
                        place.fence());
        AgentPool.Seat seat = parts.pool().take(session, entry, place.cwd());
        try {
            return in(seat, session, setup, parts, host);
        } catch (AgentException refused) {
            // An agent that cannot serve one more may still serve it alone.
            if (!seat.joined() || NO_MATTER_WHERE.contains(refused.code())) {
                throw refused;
            }
        }
        return in(parts.pool().alone(session, entry, place.cwd()), session, setup, parts, host);
    }

    private static OpenedAgent in(
            AgentPool.Seat seat,
            Session session,
            SessionSetup setup,
            Parts parts,
            SessionHost host) {
        Agent agent = seat.agent();
        try {
            parts.accounts().remember(agent);
            Optional<AgentSession> again =
                    parts.accounts().signedIn(agent, () -> reopen(agent, session, setup, host));
            AgentSession own =
                    again.orElseGet(() ->
                            parts.accounts().signedIn(agent, () -> agent.newSession(setup, host)));
            seat.has(own.agentSessionId());
            AgentOptions.restore(session, own);
            String past = again.isPresent() ? "" : History.context(parts.log(), session.id());
            return new OpenedAgent(seat, own, setup.cwd(), past);
        } catch (RuntimeException e) {
            seat.leave(Optional.empty(), false, () -> {});
            throw e;
        }
    }

    private static Optional<AgentSession> reopen(
            Agent agent, Session session, SessionSetup setup, SessionHost host) {
        Optional<String> known = session.field("sdk_session_id").filter(id -> !id.isBlank());
        boolean sameAgent =
                session.field("agent_used").filter(agent.entry().agentId()::equals).isPresent();
        if (known.isEmpty() || !sameAgent) {
            return Optional.empty();
        }
        ObjectNode options =
                session.fields().path("agent_options") instanceof ObjectNode kept
                        ? kept
                        : Json.object();
        boolean untold = session.fields().path(UNTOLD).asBoolean(false);
        host.replaying(untold ? SessionHost.Past.NEW : SessionHost.Past.KNOWN);
        try {
            // What the agent had without us is told by loading alone.
            boolean loads = agent.capabilities().loadSession();
            if (untold && loads) {
                AgentSession loaded = agent.load(known.get(), setup, host, options);
                host.writeDown();
                return Optional.of(loaded);
            }
            if (agent.capabilities().resumeSession()) {
                return Optional.of(agent.resume(known.get(), setup, host, options));
            }
            // An agent that can neither is told so: a new one would not be what was asked for.
            if (loads || untold) {
                return Optional.of(agent.load(known.get(), setup, host, options));
            }
            return Optional.empty();
        } catch (AgentException forgotten) {
            if (untold || !agent.isRunning() || forgotten.code().equals("auth_required")) {
                throw forgotten;
            }
            return Optional.empty();
        } finally {
            host.replaying(SessionHost.Past.OVER);
        }
    }

    Agent agent() {
        return seat.agent();
    }

    /** Whether the session, as it is now, may go on in this process. */
    boolean fits(Session now) {
        return seat.fits(now);
    }

    /**
     * Ends the session in the agent, which forgets it if asked to; its process if it was alone.
     *
     * @param closing is run before the process is ended
     * @return whether the process is gone
     */
    boolean leave(boolean forget, Runnable closing) {
        return seat.leave(Optional.of(session), forget, closing);
    }

    AgentSession session() {
        return session;
    }

    /** What the session keeps of this start, in place of what it kept of the last. */
    ObjectNode begun(ObjectNode fields, Instant at) {
        fields.put("start_time", at.toString());
        fields.remove("completion_time");
        fields.remove(List.of("conditions", EndOfLife.FAILURE));
        fields.remove(UNTOLD);
        fields.put("sdk_session_id", session.agentSessionId());
        fields.put("agent_used", agent().entry().agentId());
        fields.put("cwd", cwd.toString());
        fields.set("agent_options", session.options());
        int starts = fields.path("starts").asInt(0);
        fields.put("starts", starts + 1);
        return fields.put("sdk_restart_count", starts);
    }

    /**
     * What the agent gets for a prompt: once, the conversation it does not know; then the words.
     */
    ArrayNode content(Entry prompt) {
        String past = context.getAndSet("");
        ArrayNode blocks = new GivenPrompt(prompt).blocks();
        if (past.isEmpty()) {
            return blocks;
        }
        ArrayNode all = Json.array();
        ObjectNode before = all.addObject().put("type", "text").put("text", past);
        // told apart, so that a program does not take it for what the user says now
        before.putObject("annotations").putArray("audience").add("assistant");
        return all.addAll(blocks);
    }
}
