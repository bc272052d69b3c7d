package dev.tandem.hub.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.databind.node.ObjectNode;

/** One agent program with its three pipes and its whole tree; any thread may call it. */
final class AgentProcess {
    private static final byte[] CLOSE = new byte[0];
    private static final int STDERR_LINES_SHOWN = 12;

    private final ProcessTrees trees;
    private final ProcessTree tree;
    private final Process process;
    private final StderrTail stderr = new StderrTail();
    private final Thread stderrReader;
    private final LinkedBlockingQueue<byte[]> outgoing = new LinkedBlockingQueue<>();
    private final AtomicLong queuedBytes = new AtomicLong();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    private AgentProcess(ProcessTrees trees, ProcessTree tree) {
        this.trees = trees;
        this.tree = tree;
        this.process = tree.root();
        String name = "agent-" + process.pid();
        this.stderrReader =
                Thread.ofPlatform()
                        .daemon()
                        .name(name + "-stderr")
                        .start(() -> stderr.drain(process.getErrorStream()));
        Thread.ofPlatform().daemon().name(name + "-stdin").start(this::write);
    }

    static AgentProcess start(Launch launch, ProcessTrees trees) {
        List<String> argv = new ArrayList<>(launch.argv());
        argv.set(0, Programs.ofUser().require(argv.getFirst()).toString());
        if (!Files.isDirectory(launch.cwd())) {
            throw new AgentException(
                    "agent_start_failed",
                    "The directory %s does not exist.".formatted(launch.cwd()));
        }
        ProcessBuilder builder = new ProcessBuilder(argv).directory(launch.cwd().toFile());
        builder.environment().clear();
        builder.environment().putAll(Environments.forAgent(System.getenv()));
        builder.environment().putAll(launch.env());
        try {
            return new AgentProcess(trees, trees.start(builder, launch.owner()));
        } catch (IOException refused) {
            throw new AgentException(
                    "agent_start_failed",
                    "%s could not be started: %s".formatted(argv.getFirst(), refused.getMessage()));
        }
    }

    InputStream stdout() {
        return process.getInputStream();
    }

    long pid() {
        return process.pid();
    }

    /** Queues one line; false when the agent has stopped reading and too much waits for it. */
    boolean send(byte[] line) {
        if (queuedBytes.addAndGet(line.length) > 2L * AcpJson.MAX_LINE_BYTES) {
            return false;
        }
        return outgoing.add(line);
    }

    private void write() {
        try (OutputStream stdin = process.getOutputStream()) {
            for (byte[] line = outgoing.take(); line.length > 0; line = outgoing.take()) {
                stdin.write(line);
                queuedBytes.addAndGet(-line.length);
                if (outgoing.isEmpty()) {
                    stdin.flush();
                }
            }
        } catch (IOException gone) {
            // The reader of its output learns the same and tells why.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Returns when the program itself is gone. {@link Process#onExit} may be held up by whoever
     * reads output that a child of the dead program still holds open.
     */
    void awaitExit() {
        try {
            int _ = process.waitFor();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    List<String> stderrLines() {
        return stderr.lines();
    }

    /** Why the process is gone, once it is. */
    AgentException exitReason() {
        try {
            if (!process.waitFor(2, TimeUnit.SECONDS)) {
                return new AgentException(
                        "agent_exited", "The agent closed its output." + tail(), true, details());
            }
            stderrReader.join(Duration.ofSeconds(1));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        if (stopping.get()) {
            return new AgentException("agent_exited", "The agent was stopped.", true, details());
        }
        int code = process.isAlive() ? -1 : process.exitValue();
        String how = "The agent ended by itself with exit code %d.".formatted(code);
        ObjectNode details = details();
        details.putObject(AgentException.EXIT)
                .put("code", code)
                .put("errorOutput", stderr.last(STDERR_LINES_SHOWN));
        return new AgentException("agent_exited", how + tail(), true, details);
    }

    /** A failure of this agent, told together with the last words it wrote. */
    AgentException failure(String code, String message) {
        return new AgentException(code, message + tail(), true, details());
    }

    private String tail() {
        String last = stopping.get() ? "" : stderr.last(STDERR_LINES_SHOWN);
        return last.isEmpty() ? "" : " Its last error output:\n" + last;
    }

    private ObjectNode details() {
        var details = AcpJson.object();
        if (!process.isAlive()) {
            details.put("exitCode", process.exitValue());
        }
        var lines = details.putArray("stderrTail");
        stderr.lines().forEach(lines::add);
        return details;
    }

    /** Ends the agent and everything it started; returns when nothing of it is left. */
    void stop(Duration grace) {
        if (!stopping.compareAndSet(false, true)) {
            stopped.join();
            return;
        }
        try {
            // Before stdin closes: once a wrapper is dead its child has another parent.
            Map<Long, ProcessHandle> remembered = tree.members();
            outgoing.add(CLOSE);
            awaitExit(grace);
            tree.end(remembered, grace);
        } finally {
            trees.forget(tree);
            stopped.complete(null);
        }
    }

    private void awaitExit(Duration limit) {
        try {
            boolean _ = process.waitFor(limit);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
