package dev.tandem.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

class CatalogueTest {
    private static final String THE_41 =
            "launch connect disconnect status targets_list target_use target_new target_close page list close goto wait"
                    + " snapshot click hover press check uncheck type select scroll scroll_into_view dom_get_html"
                    + " dom_get_text get_attr get_value is_visible is_enabled is_checked console_poll network_poll perf"
                    + " screenshot clone_page clone_component run annotate prompting_guide skill_list skill_load";
    private static final String BESIDE =
            "dialog upload pointer_move pointer_down pointer_up pointer_drag review browser_tabs browser_read"
                    + " browser_execute";
    private static final String IDEMPOTENT =
            "status targets_list list wait snapshot dom_get_html dom_get_text get_attr get_value is_visible is_enabled"
                    + " is_checked console_poll network_poll perf screenshot clone_page clone_component hover"
                    + " scroll_into_view check uncheck select target_use target_close page close disconnect"
                    + " prompting_guide skill_list skill_load";
    private static final String READ_SHARED =
            "snapshot dom_get_html dom_get_text get_attr get_value is_visible is_enabled is_checked status targets_list"
                    + " list";

    private final Catalogue catalogue = Catalogue.load();

    @Test
    void holdsThe41ToolsAndTheTenBesideThem() {
        assertThat(words(THE_41)).hasSize(41);
        assertThat(names(catalogue.tools().stream()))
                .containsExactlyInAnyOrderElementsOf(words(THE_41 + " " + BESIDE));
    }

    @Test
    @DisplayName("SEC-5: every tool has a known permission name, or a reason why it needs none")
    void everyToolHasAPermissionOrAReason() {
        for (Tool tool : catalogue.tools()) {
            if (tool.permission().name().isEmpty()) {
                assertThat(tool.permission().reason()).as(tool.name()).isNotBlank();
            }
            assertThat(Permissions.all().keySet())
                    .as(tool.name())
                    .containsAll(tool.permission().names());
            boolean sensitive =
                    tool.permission()
                            .name()
                            .flatMap(Permissions::byName)
                            .map(name -> name.risk() == Permissions.Risk.SENSITIVE)
                            .orElse(false);
            assertThat(tool.sensitive()).as(tool.name()).isEqualTo(sensitive);
        }
        assertThat(names(catalogue.tools().stream().filter(Tool::sensitive)))
                .containsExactlyInAnyOrder("upload", "browser_execute");
    }

    @Test
    @DisplayName("SEC-5, SEC-13 a step that also tells what changed reads the page")
    void changesAreARead() {
        for (Tool tool : catalogue.tools().stream().filter(t -> t.has(Tool.Trait.DIFF)).toList()) {
            assertThat(catalogue.permissions(tool, Json.object().put("diff", true)))
                    .as(tool.name())
                    .contains("tab_read:dom");
            assertThat(catalogue.permissions(tool, Json.object().put("diff", false)))
                    .as(tool.name())
                    .doesNotContain("tab_read:dom");
        }
        assertThat(tool("click").has(Tool.Trait.DIFF)).isTrue();
    }

    @Test
    void onlyTheContractsToolsGoWithoutAPermission() {
        assertThat(
                        names(
                                catalogue.tools().stream()
                                        .filter(tool -> tool.permission().name().isEmpty())))
                .containsExactlyInAnyOrderElementsOf(
                        words(
                                "disconnect status targets_list list prompting_guide skill_list skill_load target_use"
                                        + " run annotate"));
    }

    @Test
    void thePermissionFollowsTheArguments() {
        assertThat(permissions("launch", "{}")).containsExactly("tab_nav:open");
        assertThat(permissions("launch", "{\"startUrl\":\"https://a.test\"}"))
                .containsExactly("tab_nav:goto");
        assertThat(permissions("target_use", "{\"targetId\":\"t\"}")).isEmpty();
        assertThat(permissions("target_use", "{\"targetId\":\"t\",\"activate\":false}")).isEmpty();
        assertThat(permissions("target_use", "{\"targetId\":\"t\",\"activate\":true}"))
                .containsExactly("tab_nav:focus");
        assertThat(permissions("type", "{}")).containsExactly("tab_action:input");
        assertThat(tool("type").permission().secret()).contains("tab_action:secret");
        String steps =
                "{\"steps\":[{\"action\":\"goto\",\"args\":{\"url\":\"x\"}},{\"action\":\"dom_get_attr\"},"
                        + "{\"action\":\"page\",\"args\":{\"name\":\"n\"}},{\"action\":\"nonsense\"}]}";
        assertThat(permissions("run", steps))
                .containsExactly("tab_nav:goto", "tab_read:dom", "tab_nav:open");
    }

    @Test
    void whatMayBeSentTwiceIsTheContractsList() {
        assertThat(names(catalogue.tools().stream().filter(Tool::idempotent)))
                .containsAll(words(IDEMPOTENT))
                .doesNotContainAnyElementsOf(
                        words(
                                "launch connect target_new goto click press type scroll run annotate"));
    }

    @Test
    void readersMayCallWhatTheContractShares() {
        Set<String> shared =
                new HashSet<>(names(catalogue.tools().stream().filter(Tool::readShare)));
        shared.remove("review");
        assertThat(shared).containsExactlyInAnyOrderElementsOf(words(READ_SHARED));
        assertThat(catalogue.tools())
                .filteredOn(Tool::readShare)
                .allMatch(tool -> tool.access() == Tool.Access.READ);
    }

    @Test
    void everyToolThatRunsInTheBrowserHasACommand() {
        assertThat(catalogue.tools())
                .filteredOn(tool -> tool.runsIn() == Tool.Place.EXTENSION)
                .allMatch(tool -> tool.command().isPresent());
        assertThat(names(catalogue.tools().stream().filter(tool -> tool.command().isEmpty())))
                .containsExactlyInAnyOrder(
                        "run", "annotate", "prompting_guide", "skill_list", "skill_load");
    }

    @Test
    void findsToolsUnderEveryName() {
        assertThat(catalogue.byName("opendevbrowser_click")).contains(tool("click"));
        assertThat(catalogue.byName("opendevbrowser_nothing")).isEmpty();
        assertThat(catalogue.byCli("dom-html")).contains(tool("dom_get_html"));
        assertThat(catalogue.byCli("pages")).contains(tool("list"));
        assertThat(catalogue.byCommand("interact.scrollIntoView"))
                .contains(tool("scroll_into_view"));
        assertThat(catalogue.byRunAction("dom_is_checked")).contains(tool("is_checked"));
        assertThat(catalogue.byRunAction("screenshot")).contains(tool("screenshot"));
        assertThat(catalogue.nearest("snapshto")).contains("snapshot");
        assertThat(catalogue.nearest("teleport")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "launch",
                "connect",
                "run",
                "status",
                "prompting_guide",
                "browser_execute",
                "teleport"
            })
    void aStepOfRunIsASessionToolAndNeverRunItself(String action) {
        assertThat(catalogue.byRunAction(action)).isEmpty();
    }

    @Test
    void toolsListStaysWithinItsBudget() {
        assertThat(listing("core").size()).isBetween(12, 16);
        assertThat(Json.bytes(listing("core")).length)
                .isLessThanOrEqualTo(Limits.of("toolsListCoreBytes"));
        assertThat(listing("all").size()).isEqualTo(51);
        assertThat(Json.bytes(listing("all")).length)
                .isLessThanOrEqualTo(Limits.of("toolsListAllBytes"));
        assertThat(catalogue.profiles()).containsExactlyInAnyOrder("core", "all", "read-only");
        assertThat(catalogue.profile("read-only"))
                .allMatch(tool -> tool.access() == Tool.Access.READ)
                .hasSizeGreaterThan(20);
        assertThat(names(catalogue.profile("core").stream()))
                .contains(
                        "browser_tabs",
                        "browser_read",
                        "browser_execute",
                        "snapshot",
                        "click",
                        "type",
                        "goto");
    }

    @Test
    void theListingHidesWhatOnlyTheUserMayGive() {
        for (Tool tool : catalogue.tools()) {
            JsonNode listed = tool.mcpInput().path("properties");
            assertThat(tool.arguments().userOnly()).as(tool.name()).noneMatch(listed::has);
            assertThat(listed.has("sessionId")).as(tool.name()).isEqualTo(hasSessionArgument(tool));
        }
        assertThat(tool("launch").arguments().userOnly())
                .contains("chromePath", "flags", "profile");
        assertThat(tool("connect").arguments().userOnly()).contains("wsEndpoint", "host", "port");
    }

    @Test
    @DisplayName("ACP-69, ACP-70, ACP-71: the trio is listed as its clients know it")
    void theTrioIsListedAsItsClientsKnowIt() {
        assertThat(tool("browser_tabs").mcpInput())
                .isEqualTo(Json.parse("{\"type\":\"object\",\"properties\":{}}"));
        assertThat(tool("browser_execute").mcpInput())
                .isEqualTo(
                        Json.parse(
                                "{\"type\":\"object\",\"properties\":{\"tabId\":{\"type\":\"number\"},"
                                        + "\"script\":{\"type\":\"string\"}},\"required\":[\"tabId\",\"script\"]}"));
        assertThat(tool("browser_read").mcpInput())
                .isEqualTo(
                        Json.parse(
                                "{\"type\":\"object\",\"properties\":{\"tabId\":{\"type\":\"number\"}},"
                                        + "\"required\":[\"tabId\"]}"));
        assertHints("browser_tabs", true, false);
        assertHints("browser_read", true, true);
        assertHints("browser_execute", false, true);
        assertThat(tool("browser_execute").listing().at("/annotations/destructiveHint").asBoolean())
                .isTrue();
    }

    private void assertHints(String name, boolean readOnly, boolean openWorld) {
        JsonNode hints = tool(name).listing().path("annotations");
        assertThat(hints.path("readOnlyHint").asBoolean(!readOnly)).as(name).isEqualTo(readOnly);
        assertThat(hints.path("openWorldHint").asBoolean(!openWorld)).as(name).isEqualTo(openWorld);
    }

    @Test
    void errorsOfToolsAreKnownCodesAndReasons() {
        for (Tool tool : catalogue.tools()) {
            for (String error : tool.errors()) {
                String[] parts = error.split("/", 2);
                ErrorCode code =
                        ErrorCode.of(parts[0])
                                .orElseThrow(() -> new AssertionError(tool.name() + ": " + error));
                if (parts.length == 2) {
                    assertThat(code.reasons()).as(tool.name()).containsKey(parts[1]);
                }
            }
        }
        assertThat(tool("click").errors())
                .contains("invalid_session", "execution_failed/stale_ref");
        assertThat(tool("skill_list").errors()).isEmpty();
    }

    private static boolean hasSessionArgument(Tool tool) {
        return tool.input().path("properties").has("sessionId");
    }

    private ArrayNode listing(String profile) {
        ArrayNode entries = Json.array();
        catalogue.profile(profile).forEach(tool -> entries.add(tool.listing()));
        return entries;
    }

    private Set<String> permissions(String tool, String arguments) {
        return catalogue.permissions(tool(tool), Json.parse(arguments));
    }

    private Tool tool(String name) {
        return catalogue.byName(name).orElseThrow();
    }

    private static List<String> names(Stream<Tool> tools) {
        return new ArrayList<>(tools.map(Tool::name).toList());
    }

    private static List<String> words(String text) {
        return List.of(text.split(" "));
    }
}
