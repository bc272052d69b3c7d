package dev.tandem.hub.agent;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Starts an agent to see who it is, and on request whether it answers a prompt. */
public final class AgentCheck {
    private static final String OWNER = "check";

    private final AgentRuntime runtime;

    public AgentCheck(AgentRuntime runtime) {
        this.runtime = runtime;
    }

    /**
     * What came out.
     *
     * @param greeting the agent's answer to {@code initialize}
     * @param answer what it said to the test prompt, empty if none was sent
     * @param problem why it did not work, empty if it did
     * @param code the problem in one word, as in {@link AgentException#code()}
     */
    public record Report(
            String version,
            ObjectNode greeting,
            String answer,
            Duration took,
            String problem,
            String code) {}

    /** Starts and greets it, nothing more. */
    public Report greet(AgentEntry entry, SessionSetup setup) {
        return run(entry, setup, agent -> "");
    }

    /** One whole turn; the agent is allowed nothing in it. */
    public Report testTurn(AgentEntry entry, SessionSetup setup, Duration limit) {
        return run(
                entry,
                setup,
                agent -> {
                    Listener listener = new Listener();
                    AgentSession session = agent.newSession(setup, listener);
                    ArrayNode prompt = AcpJson.array();
                    prompt.addObject().put("type", "text").put("text", "Say hello in one word.");
                    await(session.prompt(prompt), limit);
                    return listener.heard();
                });
    }

    private interface Step {
        String with(Agent agent);
    }

    private Report run(AgentEntry entry, SessionSetup setup, Step step) {
        long begun = System.nanoTime();
        ObjectNode greeting = AcpJson.object();
        String answer = "";
        String problem = "";
        String code = "";
        try (Agent agent =
                Agent.start(entry, entry.launch(OWNER, setup.cwd(), Map.of()), runtime)) {
            greeting = agent.greeting();
            answer = step.with(agent);
        } catch (AgentException failed) {
            problem = String.valueOf(failed.getMessage());
            code = failed.code();
        }
        return new Report(
                AcpJson.text(greeting.path("agentInfo"), "version"),
                greeting,
                answer,
                Duration.ofNanos(System.nanoTime() - begun),
                problem,
                code);
    }

    private static void await(CompletableFuture<TurnEnd> turn, Duration limit) {
        try {
            turn.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException slow) {
            throw new AgentException(
                    "agent_timeout",
                    "The test turn took longer than %d s.".formatted(limit.toSeconds()));
        } catch (ExecutionException failed) {
            throw AcpConnection.toAgentException(failed.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AgentException("cancelled", "The test was interrupted.");
        }
    }

    /** Hears the answer and refuses everything else. */
    private static final class Listener implements AgentHost {
        private final StringBuilder heard = new StringBuilder();

        private String heard() {
            synchronized (heard) {
                return heard.toString().strip();
            }
        }

        @Override
        public String owner() {
            return OWNER;
        }

        @Override
        public void update(ObjectNode update) {
            if (AcpJson.text(update, "sessionUpdate").equals("agent_message_chunk")) {
                synchronized (heard) {
                    heard.append(AcpJson.text(update.path("content"), "text"));
                }
            }
        }

        @Override
        public CompletableFuture<PermissionAnswer> permission(PermissionRequest request) {
            return CompletableFuture.completedFuture(
                    request.firstOfKind("reject_once").orElse(PermissionAnswer.cancelled()));
        }

        @Override
        public CompletableFuture<ElicitationAnswer> elicitation(ElicitationRequest request) {
            return CompletableFuture.completedFuture(new ElicitationAnswer.Decline());
        }

        @Override
        public CompletableFuture<AccessAnswer> access(AccessRequest request) {
            return CompletableFuture.completedFuture(
                    AccessAnswer.refused("This is only a test of the agent."));
        }

        @Override
        public void elicitationDone(String elicitationId) {}

        @Override
        public void withdrawn(String requestId) {}

        @Override
        public void ended(AgentException reason) {}
    }
}
