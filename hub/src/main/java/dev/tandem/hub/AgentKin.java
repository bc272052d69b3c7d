package dev.tandem.hub;

import dev.tandem.hub.agent.ProcessTrees;
import dev.tandem.hub.auth.Caller;
import dev.tandem.hub.auth.Holder;
import dev.tandem.hub.auth.Holders;
import dev.tandem.hub.auth.Processes;
import dev.tandem.hub.auth.TcpEnds;
import dev.tandem.hub.auth.TokenKind;
import dev.tandem.hub.permission.PermissionDesk;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.terminal.TerminalAgent;
import dev.tandem.hub.terminal.TerminalTokens;
import dev.tandem.hub.web.Kin;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Connections of agents' processes, of programs in terminals, and of what either left behind. The
 * user is who is seen to be somebody else: an agent can close, hide and hand on what it opened.
 */
final class AgentKin implements Kin {
    private static final Caller STRAY = nameless("stray", "an agent or a terminal that is gone");
    private static final Refusal GONE =
            new Refusal(
                    nameless("gone", "a caller that hung up"),
                    "Whoever asked hung up before it could be seen who it was; only you may use"
                            + " this token.");
    private static final Refusal UNSEEN =
            new Refusal(
                    nameless("unseen", "a caller that no process shows"),
                    "No process shows that it holds this connection; only you may use this token.");

    private static final Refusal NEIGHBOUR =
            new Refusal(
                    nameless("neighbour", "another user of this computer"),
                    "Another user of this computer made this connection; only you may use this"
                            + " token or code.");

    /** Relays of a system around this one run as root: those of WSL, a container's proxy. */
    private static final int ROOT = 0;

    private final SessionEngine engine;
    private final TerminalAgent terminals;
    private final ProcessTrees trees;
    private final PermissionDesk desk;
    private final Holders holders = new Holders();

    AgentKin(
            SessionEngine engine,
            TerminalAgent terminals,
            ProcessTrees trees,
            PermissionDesk desk) {
        this.engine = engine;
        this.terminals = terminals;
        this.trees = trees;
        this.desk = desk;
    }

    @Override
    public Optional<Refusal> of(TcpEnds ends, boolean browser) {
        if (!Processes.visible()) {
            return Optional.empty();
        }
        return switch (holders.of(ends)) {
            case Holder.Found(List<Long> line) -> whose(line).map(AgentKin::process);
            case Holder.Hidden hidden -> hidden(hidden, browser);
            case Holder.Gone _ -> Optional.of(GONE);
            case Holder.Elsewhere _ -> Optional.empty();
        };
    }

    private static Refusal process(Caller agent) {
        return new Refusal(
                agent,
                "This connection comes from a process of "
                        + agent.name()
                        + "; only you may use this token.");
    }

    private Optional<Caller> whose(List<Long> line) {
        return engine.door()
                .actor(line)
                .or(() -> terminals.terminalOf(line).map(TerminalTokens::inside))
                .or(() -> trees.stray(line) ? Optional.of(STRAY) : Optional.empty());
    }

    /**
     * A process of theirs that hides its descriptors may have it, whoever the kernel says made it:
     * a socket can be given to another user. Without one, what root made is not theirs, as agents
     * run as the same user as this hub, and what any other user made is a neighbour's; else it is
     * the user's where a program of theirs hides them, as ssh's forwarding does, or may be out of
     * sight.
     */
    private Optional<Refusal> hidden(Holder.Hidden hidden, boolean browser) {
        Optional<Refusal> agents =
                first(hidden.hiding(), AgentKin::hides)
                        // A call that waits in the kernel keeps what its process has closed, so any
                        // may have it. A browser may come through ssh's forwarding while agents
                        // run, and its token lies in no file of ours.
                        .or(() ->
                                browser ? Optional.empty() : first(programs(), AgentKin::mayHold));
        if (agents.isPresent()) {
            return agents;
        }
        if (Processes.contained()) {
            return Optional.empty();
        }
        Optional<Integer> own = Processes.user(ProcessHandle.current().pid());
        if (!own.equals(Optional.of(hidden.uid()))) {
            return hidden.uid() == ROOT ? Optional.empty() : Optional.of(NEIGHBOUR);
        }
        boolean relayed =
                hidden.hiding().stream()
                        .filter(pid -> Processes.user(pid).equals(own))
                        .anyMatch(Processes::relays);
        return relayed ? Optional.empty() : Optional.of(UNSEEN);
    }

    /** What runs here, but for the terminal agent itself, which is there while no terminal is. */
    private List<Long> programs() {
        return Processes.all().stream().filter(pid -> !terminals.isAgent(pid)).toList();
    }

    private Optional<Refusal> first(List<Long> pids, BiFunction<Long, Caller, Refusal> refusal) {
        for (long pid : pids) {
            Optional<Caller> agent = Processes.ancestry(pid).flatMap(this::whose);
            if (agent.isPresent()) {
                return agent.map(found -> refusal.apply(pid, found));
            }
        }
        return Optional.empty();
    }

    private static Refusal hides(long pid, Caller agent) {
        return new Refusal(
                agent,
                Processes.describe(pid)
                        + " of "
                        + agent.name()
                        + " hides its connections, and this may be one of them; only you may use"
                        + " this token. End that process to be told from it.");
    }

    private static Refusal mayHold(long pid, Caller agent) {
        return new Refusal(
                agent,
                "No process shows that it holds this connection, and while "
                        + Processes.describe(pid)
                        + " of "
                        + agent.name()
                        + " runs it may be theirs; only you may use this token. Give your program"
                        + " a token of its own: tandem token add NAME.");
    }

    private static Caller nameless(String id, String name) {
        return new Caller(
                TokenKind.SESSION, id, name, "none", Caller.Mode.READ_ONLY, Optional.empty());
    }

    @Override
    public void refused(Caller agent, String what) {
        desk.refused(agent, what);
    }
}
