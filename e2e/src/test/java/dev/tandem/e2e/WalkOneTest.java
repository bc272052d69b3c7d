package dev.tandem.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Json;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The first walk: an MCP client clicks, and the page changes. */
class WalkOneTest {
    private static final Pattern BUTTON = Pattern.compile("\\[(\\w+)] button \"Add one\"");

    private static String ref(String snapshot) {
        Matcher matcher = BUTTON.matcher(snapshot);
        assertThat(matcher.find()).as(snapshot).isTrue();
        return matcher.group(1);
    }

    @Test
    void theOfficialClientClicks() throws IOException {
        // ACP-19, ACP-119 (legacy half), ACP-124, OPS-158
        Hub hub = Hub.shared();
        String token = hub.token();
        var transport =
                HttpClientStreamableHttpTransport.builder(hub.url())
                        .endpoint("/mcp")
                        .requestBuilder(
                                HttpRequest.newBuilder().header("Authorization", "Bearer " + token))
                        .build();
        try (McpSyncClient client =
                io.modelcontextprotocol.client.McpClient.sync(transport)
                        .requestTimeout(Duration.ofSeconds(60))
                        .build()) {
            client.initialize();
            assertThat(client.listTools().tools().stream().map(McpSchema.Tool::name))
                    .contains("snapshot", "click", "goto", "browser_tabs", "launch");
            call(client, "goto", Map.of("url", Pages.shared().url("/")));
            String before = call(client, "snapshot", Map.of());
            assertThat(before).contains("0 times");
            call(client, "click", Map.of("ref", ref(before)));
            assertThat(call(client, "snapshot", Map.of())).contains("1 times");
            call(client, "disconnect", Map.of("closeTabs", true));
        }
    }

    private static String call(McpSyncClient client, String tool, Map<String, Object> arguments) {
        McpSchema.CallToolResult result =
                client.callTool(
                        McpSchema.CallToolRequest.builder(tool).arguments(arguments).build());
        String text =
                result.content().stream()
                        .filter(McpSchema.TextContent.class::isInstance)
                        .map(content -> ((McpSchema.TextContent) content).text())
                        .findFirst()
                        .orElse("");
        assertThat(Boolean.TRUE.equals(result.isError())).as(text).isFalse();
        return text;
    }

    @Test
    void aStatelessClientClicks() throws IOException {
        // ACP-119 (modern half), ACP-129, ACP-135
        McpClient client = Hub.shared().mcp();
        JsonNode discovered =
                client.modern("server/discover", "", Json.object()).json().path("result");
        assertThat(Json.texts(discovered, "supportedVersions")).containsExactly(McpClient.MODERN);
        assertThat(discovered.path("resultType").asString()).isEqualTo("complete");
        client.call("goto", Json.object().put("url", Pages.shared().url("/")));
        String before = client.call("snapshot", Json.object()).path("content").asString();
        JsonNode clicked =
                client.call("click", Json.object().put("ref", ref(before)).put("diff", true));
        assertThat(clicked.path("navigated").asBoolean()).isFalse();
        assertThat(clicked.path("diff").asString()).contains("1 times");
        client.call("disconnect", Json.object().put("closeTabs", true));
    }
}
