package dev.tandem.hub.browser;

import dev.tandem.hub.export.Component;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** screenshot and the clone tools: the browser captures, the hub writes the result. */
public final class CaptureTools {
    private final ToolRunner runner;
    private final Artifacts artifacts;

    public CaptureTools(ToolRunner runner, Artifacts artifacts) {
        this.runner = runner;
        this.artifacts = artifacts;
        runner.with("screenshot", this::screenshot)
                .with("clone_page", this::export)
                .with("clone_component", this::export);
    }

    private ToolResult screenshot(ToolCall call) throws IOException {
        if (call.text("ref").isPresent() && call.flag("fullPage")) {
            throw new TandemException(
                    ErrorCode.INVALID_REQUEST, "ref and fullPage cannot be combined.");
        }
        OpsSession session = call.requireSession();
        ObjectNode answer =
                runner.forward(call, session.browser(), runner.dispatch().payload(call));
        String base64 = answer.path("base64").asString("");
        String mime = answer.path("mime").asString("image/png");
        Path file = write(call, session, Base64.getDecoder().decode(base64), mime);
        ObjectNode data = Json.object();
        data.put("path", file.toString());
        data.put("artifact_path", file.toString());
        for (String field : new String[] {"width", "height", "warning", "warnings"}) {
            if (answer.has(field)) {
                data.set(field, answer.get(field));
            }
        }
        return new ToolResult(call.tool(), data, Optional.of(new ToolResult.Picture(mime, base64)));
    }

    private Path write(ToolCall call, OpsSession session, byte[] picture, String mime)
            throws IOException {
        Optional<String> path = call.text("path");
        String extension = mime.equals("image/jpeg") ? "jpg" : "png";
        if (path.isEmpty()) {
            return artifacts.writeNew(
                    session.shelf(), "screenshot", "capture." + extension, picture);
        }
        if (call.client().isOwnShell() && Path.of(path.get()).isAbsolute()) {
            return Artifacts.writeForUser(Path.of(path.get()), picture);
        }
        return artifacts.write(session.shelf(), path.get(), picture);
    }

    private ToolResult export(ToolCall call) {
        OpsSession session = call.requireSession();
        JsonNode capture =
                runner.forward(call, session.browser(), runner.dispatch().payload(call))
                        .path("capture");
        Component component = component(capture);
        ObjectNode data = Json.object();
        data.put("component", component.source());
        data.put("css", component.css());
        ArrayNode warnings = Json.array();
        capture.path("warnings").forEach(warnings::add);
        component.warnings().stream().distinct().forEach(warnings::add);
        if (!warnings.isEmpty()) {
            data.set("warnings", warnings);
        }
        return ToolResult.of(call.tool(), data);
    }

    private static Component component(JsonNode capture) {
        try {
            return Component.from(
                    capture.path("html").asString(""), capture.path("styles").asString(""));
        } catch (IllegalArgumentException e) {
            throw new TandemException(
                    ErrorCode.EXECUTION_FAILED, "The page could not be exported as a component.");
        }
    }
}
