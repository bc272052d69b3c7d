package dev.tandem.hub.agent;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/** A host that writes everything down and answers as the test says. */
final class RecordingHost implements AgentHost {
    private final List<ObjectNode> updates = Collections.synchronizedList(new ArrayList<>());
    private final StringBuilder text = new StringBuilder();
    final List<PermissionRequest> permissions = new CopyOnWriteArrayList<>();
    final List<ElicitationRequest> elicitations = new CopyOnWriteArrayList<>();
    final List<AccessRequest> accesses = new CopyOnWriteArrayList<>();
    final List<String> withdrawn = new CopyOnWriteArrayList<>();
    final List<String> done = new CopyOnWriteArrayList<>();
    final CompletableFuture<AgentException> ended = new CompletableFuture<>();
    volatile boolean keepUpdates = true;
    volatile Function<PermissionRequest, CompletableFuture<PermissionAnswer>> onPermission =
            request -> new CompletableFuture<>();
    volatile Function<ElicitationRequest, CompletableFuture<ElicitationAnswer>> onElicitation =
            request -> new CompletableFuture<>();
    volatile Function<AccessRequest, AccessAnswer> onAccess = request -> AccessAnswer.allowed();

    @Override
    public String owner() {
        return "owner-1";
    }

    @Override
    public void update(ObjectNode update) {
        if (keepUpdates) {
            updates.add(update);
        }
        if (AcpJson.text(update, "sessionUpdate").equals("agent_message_chunk")) {
            synchronized (text) {
                text.append(AcpJson.text(update.path("content"), "text"));
            }
        }
    }

    List<ObjectNode> updates() {
        synchronized (updates) {
            return List.copyOf(updates);
        }
    }

    String text() {
        synchronized (text) {
            return text.toString();
        }
    }

    List<ObjectNode> updates(String kind) {
        return updates().stream()
                .filter(update -> AcpJson.text(update, "sessionUpdate").equals(kind))
                .toList();
    }

    @Override
    public CompletableFuture<PermissionAnswer> permission(PermissionRequest request) {
        permissions.add(request);
        return onPermission.apply(request);
    }

    @Override
    public CompletableFuture<ElicitationAnswer> elicitation(ElicitationRequest request) {
        elicitations.add(request);
        return onElicitation.apply(request);
    }

    @Override
    public void elicitationDone(String elicitationId) {
        done.add(elicitationId);
    }

    @Override
    public void withdrawn(String requestId) {
        withdrawn.add(requestId);
    }

    @Override
    public CompletableFuture<AccessAnswer> access(AccessRequest request) {
        accesses.add(request);
        return CompletableFuture.completedFuture(onAccess.apply(request));
    }

    @Override
    public void ended(AgentException reason) {
        ended.complete(reason);
    }
}
