package dev.tandem.hub.browser;

import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** run: several calls in one, every step checked before the first runs. */
public final class StepsTool {
    private final ToolRunner runner;

    private record Step(Tool tool, ObjectNode arguments) {
        /** Whether it reads the tab that a step before it did something in. */
        boolean looksAt(Step before) {
            return tool.access() == Tool.Access.READ
                    && tool.permission().name().orElse("").startsWith("tab_read:")
                    && target().equals(before.target());
        }

        private Optional<String> target() {
            return Json.text(arguments, "targetId");
        }
    }

    /** The time that all steps have together, without what a person takes to answer. */
    private static final class Allowance {
        private final ToolCall call;
        private final long begun = System.nanoTime();
        private final long waited;

        Allowance(ToolCall call) {
            this.call = call;
            this.waited = call.watch().waitedNanos();
        }

        long nanos() {
            return System.nanoTime() - begun;
        }

        long leftMs() {
            long worked = nanos() - (call.watch().waitedNanos() - waited);
            return call.timeoutMs() - TimeUnit.NANOSECONDS.toMillis(worked);
        }

        /** No step may take longer than what is left; one without any time does not begin. */
        void limit(Step step) {
            long left = leftMs();
            if (left <= 0) {
                throw new TandemException(
                        ErrorCode.TIMEOUT,
                        "The " + call.timeoutMs() + " ms for all steps were over before this one.",
                        Json.object().put("reason", "wait").put("dispatched", false));
            }
            int own = step.arguments().path("timeoutMs").asInt(step.tool().timeoutMs());
            step.arguments().put("timeoutMs", Math.min(own, left));
        }
    }

    public StepsTool(ToolRunner runner) {
        this.runner = runner;
        runner.with("run", this::run);
    }

    private ToolResult run(ToolCall call) {
        Allowance allowance = new Allowance(call);
        List<Step> steps = steps(call);
        boolean stopOnError = Json.flag(call.arguments(), "stopOnError", true);
        ArrayNode results = Json.array();
        for (int i = 0; i < steps.size(); i++) {
            call.watch().throwIfCancelled();
            Step step = steps.get(i);
            boolean settles = i + 1 < steps.size() && steps.get(i + 1).looksAt(step);
            call.watch().progress(i, steps.size(), step.tool().name());
            ObjectNode entry = results.addObject().put("i", i);
            try {
                allowance.limit(step);
                ToolResult result =
                        runner.run(
                                step.tool(),
                                step.arguments(),
                                call.client(),
                                call.watch(),
                                settles);
                entry.put("ok", true).set("data", result.data());
            } catch (TandemException e) {
                entry.put("ok", false).set("error", e.toJson());
                if (stopOnError || allowance.leftMs() <= 0) {
                    break;
                }
            }
        }
        ObjectNode data = Json.object();
        data.set("results", results);
        data.put("timingMs", Math.round(allowance.nanos() / 10_000.0) / 100.0);
        data.put("sessionId", call.requireSession().id());
        return ToolResult.of(call.tool(), data);
    }

    private List<Step> steps(ToolCall call) {
        List<Step> steps = new ArrayList<>();
        int index = 0;
        for (JsonNode given : call.arguments().path("steps")) {
            String action = given.path("action").asString("");
            Tool tool = runner.catalogue().byRunAction(action).orElseThrow(() -> unknown(action));
            ObjectNode arguments =
                    given.path("args") instanceof ObjectNode some ? some.deepCopy() : Json.object();
            arguments.put("sessionId", call.requireSession().id());
            call.text("targetId")
                    .filter(target -> tool.targeted())
                    .ifPresent(target -> putIfAbsent(arguments, "targetId", target));
            limitSnapshot(call, tool, arguments);
            try {
                tool.read(arguments);
            } catch (TandemException e) {
                throw new TandemException(
                        e.code(),
                        "Step " + index + " (" + action + "): " + e.message(),
                        e.details());
            }
            steps.add(new Step(tool, arguments));
            index++;
        }
        if (call.flag("diff") && steps.getLast().tool().has(Tool.Trait.DIFF)) {
            steps.getLast().arguments().put("diff", true);
        }
        return steps;
    }

    private static void limitSnapshot(ToolCall call, Tool tool, ObjectNode arguments) {
        JsonNode limit = call.arguments().path("maxSnapshotChars");
        if (tool.name().equals("snapshot") && limit.isInt() && !arguments.has("maxChars")) {
            arguments.set("maxChars", limit);
        }
    }

    private static void putIfAbsent(ObjectNode node, String field, String value) {
        if (!node.has(field)) {
            node.put(field, value);
        }
    }

    private static TandemException unknown(String action) {
        return new TandemException(
                ErrorCode.INVALID_REQUEST, "Unknown action: " + action, "unknown_action");
    }
}
