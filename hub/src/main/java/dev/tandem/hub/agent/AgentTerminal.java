package dev.tandem.hub.agent;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.node.ObjectNode;

/** One command that an agent runs through the hub; any thread may call it. */
final class AgentTerminal {
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final ProcessTrees trees;
    private final ProcessTree tree;
    private final String line;
    private final OutputTail output;
    private final Runnable changed;
    private volatile boolean killed;
    private final CompletableFuture<ObjectNode> exit = new CompletableFuture<>();

    AgentTerminal(
            ProcessTrees trees, ProcessTree tree, String line, int byteLimit, Runnable changed) {
        this.line = line;
        this.trees = trees;
        this.tree = tree;
        this.output = new OutputTail(byteLimit);
        this.changed = changed;
        Thread reader =
                Thread.ofPlatform().daemon().name("command-" + tree.root().pid()).start(this::read);
        Thread.ofVirtual()
                .name("command-" + tree.root().pid() + "-exit")
                .start(() -> exited(tree.root(), reader));
    }

    private void read() {
        byte[] chunk = new byte[32 * 1024];
        try (InputStream in = tree.root().getInputStream()) {
            for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
                output.append(chunk, count);
                changed.run();
            }
        } catch (IOException gone) {
            // The command ended; its last words are kept.
        }
    }

    /** A child in the background may hold the pipe open: its output is not waited for. */
    private void exited(Process process, Thread reader) {
        try {
            int _ = process.waitFor();
            reader.join(Duration.ofMillis(200));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        ObjectNode status = AcpJson.object();
        if (killed) {
            status.put("signal", process.exitValue() == 128 + 9 ? "SIGKILL" : "SIGTERM");
        } else {
            status.put("exitCode", process.exitValue());
        }
        exit.complete(status);
        changed.run();
    }

    /** The result of {@code terminal/output}. */
    ObjectNode output() {
        OutputTail.Text text = output.text();
        ObjectNode result =
                AcpJson.object().put("output", text.text()).put("truncated", text.truncated());
        if (exit.isDone()) {
            result.set("exitStatus", exit.join());
        }
        return result;
    }

    /** What it is and whether it runs. */
    ObjectNode describe() {
        ObjectNode about = AcpJson.object().put("command", line);
        if (!exit.isDone()) {
            return about.put("status", "running");
        }
        return about.setAll(exit.join()).put("status", killed ? "stopped" : "completed");
    }

    /** Completes with the result of {@code terminal/wait_for_exit}. */
    CompletableFuture<ObjectNode> exit() {
        return exit.copy();
    }

    /** Ends the command and all it started; its output stays. */
    void kill() {
        if (tree.root().isAlive()) {
            killed = true;
        }
        tree.end(tree.members(), GRACE);
        trees.forget(tree);
    }
}
