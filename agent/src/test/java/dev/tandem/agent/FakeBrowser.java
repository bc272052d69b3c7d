package dev.tandem.agent;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** An MCP server with the browser tools, over HTTP, that answers as the test says. */
final class FakeBrowser implements AutoCloseable {
    final List<JsonNode> calls = new CopyOnWriteArrayList<>();
    final List<String> methods = new CopyOnWriteArrayList<>();
    final Map<String, Function<JsonNode, ObjectNode>> tools = new ConcurrentHashMap<>();
    volatile boolean streams;
    private final HttpServer server;

    FakeBrowser() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/mcp/s", this::handle);
        server.start();
    }

    ArrayNode asMcpServers() {
        ArrayNode servers = Json.array();
        ObjectNode one = servers.addObject().put("type", "http").put("name", "browser");
        one.put("url", "http://127.0.0.1:" + server.getAddress().getPort() + "/mcp/s");
        one.putArray("headers")
                .addObject()
                .put("name", "Authorization")
                .put("value", "Bearer t0ken");
        return servers;
    }

    static ObjectNode ok(String text, ObjectNode data) {
        ObjectNode result = Json.object();
        result.putArray("content").addObject().put("type", "text").put("text", text);
        return result.set("structuredContent", data);
    }

    static ObjectNode failed(String code, String text) {
        return ok(text, Json.object().put("code", code)).put("isError", true);
    }

    List<String> called() {
        return calls.stream().map(call -> Json.text(call, "name")).toList();
    }

    private void handle(HttpExchange exchange) throws IOException {
        JsonNode message =
                Json.parse(
                        new String(
                                exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        methods.add(Json.text(message, "method"));
        if (!"Bearer t0ken".equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            exchange.sendResponseHeaders(401, -1);
        } else if (!message.has("id")) {
            exchange.sendResponseHeaders(202, -1);
        } else {
            ObjectNode answer = Json.object().put("jsonrpc", "2.0").set("id", message.get("id"));
            send(exchange, answer.set("result", result(message)));
        }
        exchange.close();
    }

    private JsonNode result(JsonNode message) {
        JsonNode params = message.path("params");
        return switch (Json.text(message, "method")) {
            case "tools/list" -> {
                ArrayNode list = Json.array();
                for (String name : tools.keySet().stream().sorted().toList()) {
                    list.addObject()
                            .put("name", name)
                            .put("description", "Does " + name)
                            .putObject("inputSchema")
                            .put("type", "object");
                }
                yield Json.object().set("tools", list);
            }
            case "tools/call" -> {
                calls.add(params);
                yield tools.getOrDefault(
                                Json.text(params, "name"),
                                p -> failed("unknown_tool", "No such tool"))
                        .apply(params.path("arguments"));
            }
            default -> Json.object();
        };
    }

    private void send(HttpExchange exchange, ObjectNode answer) throws IOException {
        exchange.getResponseHeaders().add("Mcp-Session-Id", "m1");
        String type = streams ? "text/event-stream" : "application/json";
        String body =
                streams
                        ? ": waiting\n\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":"
                                + "\"notifications/progress\",\"params\":{}}\n\ndata: "
                                + answer
                                + "\n\n"
                        : answer.toString();
        exchange.getResponseHeaders().add("Content-Type", type);
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
