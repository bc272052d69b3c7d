package dev.tandem.hub.ambient;

import dev.tandem.hub.agent.AgentSession;
import dev.tandem.hub.sessions.SessionEngine;
import dev.tandem.hub.sessions.SessionStore;
import dev.tandem.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;

/** Commands that a session's agent runs beside its answers. */
final class TasksEndpoint {
    private final SessionEngine engine;
    private final SessionStore store;

    TasksEndpoint(SessionEngine engine, SessionStore store) {
        this.engine = engine;
        this.store = store;
    }

    void register(Operations operations) {
        operations
                .on("tasks", this::list)
                .on("runTasks", this::list)
                .on("taskOutput", this::output)
                .on("runTaskOutput", this::output)
                .on("taskStop", this::stop)
                .on("runTaskStop", this::stop);
    }

    private Optional<AgentSession> agent(Call call) {
        return engine.agentSession(store.required(call.part("id")).id());
    }

    private void list(Call call) {
        ArrayNode tasks = agent(call).map(AgentSession::commands).orElseGet(Json::array);
        call.answer(200, Json.object().put("total", tasks.size()).set("tasks", tasks));
    }

    private void output(Call call) {
        String text =
                agent(call)
                        .flatMap(agent -> agent.terminalOutput(task(call)))
                        .flatMap(output -> Json.text(output, "output"))
                        .orElseThrow(() -> Problems.missing("Task", task(call)));
        call.exchange()
                .respond(200, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    private void stop(Call call) {
        boolean known = agent(call).filter(agent -> agent.endCommand(task(call))).isPresent();
        if (!known) {
            throw Problems.missing("Task", task(call));
        }
        call.answer(200, Json.object().put("message", "stop signal sent"));
    }

    private static String task(Call call) {
        String task = call.part("task");
        if (!task.matches("[a-zA-Z0-9_-]+")) {
            throw Problems.invalid("a task id has letters, digits, _ and - only");
        }
        return task;
    }
}
