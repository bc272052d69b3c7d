package dev.tandem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tandem.protocol.Catalogue;
import dev.tandem.protocol.ErrorCode;
import dev.tandem.protocol.Json;
import dev.tandem.protocol.TandemException;
import dev.tandem.protocol.Tool;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class TextTest {
    private final Console console = new Console();

    // OPS-L34: golden texts
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "snapshot | {'content':'- button Save [r1]'} | - button Save [r1]",
                "dom-value r1 | {'value':'hello'} | hello",
                "dom-visible r1 | {'value':true} | true",
                "dom-attr r1 href | {'value':null} | null",
                "dom-html r1 | {'ref':'r1','outerHTML':'<b>x</b>','truncated':false} | <b>x</b>",
                "snapshot --find Nowhere | {'snapshotId':'s1','content':''} | (nothing on the page matches)",
                "dom-text r1 | {'ref':'r1','text':'Hi','truncated':false} | Hi",
                "screenshot | {'path':'/p/shot.png'} | /p/shot.png",
                "goto http://a.test | {'finalUrl':'http://a.test/','status':200} | http://a.test/ (200)",
                "click r1 | {'navigated':false,'url':'http://a'} | Click r1: done",
                "click r1 | {'navigated':true,'url':'http://b'} | Click r1: done, now at http://b",
                "click r1 | {'navigated':false,'url':'http://a','newTargets':[{'targetId':'tab-2','url':'http://b'}]} | Click r1: done, opened tab-2 http://b",
                "click r1 | {'navigated':false,'url':'http://a','dialog':{'open':true,'type':'alert','message':'Hi'}} | Click r1: done, dialog alert: Hi",
                "click r1 | {'navigated':false,'url':'http://a','downloads':[{'name':'a.pdf','host':'b.test'}]} | Click r1: done, began to download a.pdf from b.test",
                "clone-page | {'component':'export','css':'.t1 {}'} | export⏎⏎/* tandem.css */⏎.t1 {}",
                "network-poll | {'events':[{'seq':4,'method':'GET','url':'http://a','error':{'netError':'net::ERR_X'}}]} | 4  net::ERR_X  GET  http://a",
                "status | {'version':'1','browsers':[{'name':'Work','mode':'extension','version':'150.0','sessions':2}]} | version  1⏎browser  Work, extension, 150.0, 2 sessions",
                "status | {'version':'1','daemon':{'browserComing':true},'browsers':[]} | version  1⏎browser  one is being started",
                "status | {'version':'1','daemon':{'browserComing':false},'browsers':[]} | version  1⏎browser  none is connected; yours: tandem connect chrome; a new one: tandem launch --no-extension",
                "targets-list | {'activeTargetId':'tab-2','targets':[{'targetId':'tab-1','title':'A'},{'targetId':'tab-2','title':'B'}]} | tab-1     A⏎tab-2  *  B",
                "select r1 a b | {'selected':['a','b']} | Selected a, b.",
                "browser-execute 1 1+1 | {'tabId':1,'url':'http://a','result':2} | 2",
                "targets-list | {'activeTargetId':null,'targets':[]} | No tabs.",
                "dialog | {'dialog':{'open':false},'handled':false} | No dialog is open.",
                "dialog | {'dialog':{'open':false,'type':'alert','message':'Hi'},'handled':true} | The dialog is answered.",
                "dialog | {'dialog':{'open':true,'type':'confirm','message':'Sure?'},'handled':true} | The dialog is answered; the page shows another, confirm: Sure?",
            })
    void textIsTheUsefulThing(String line, String data, String text) {
        console.answer = Json.parseObject(data.replace('\'', '"'));
        assertThat(console.run(line.split(" "))).isZero();
        assertThat(console.out.toString()).isEqualTo(text.replace('⏎', '\n') + "\n");
    }

    // UI.md: widths that fit; what to type is not cut
    @Test
    void adviceIsWholeOnATerminal() {
        for (int columns : new int[] {40, 80}) {
            console.terminal = new Invocation.Terminal(true, false, columns, true);
            console.answer = Json.object().put("version", "1");
            console.answer.putArray("browsers");
            assertThat(console.run("status")).isZero();
            assertThat(console.out.toString().replaceAll("\\s+", " "))
                    .contains("a new one: tandem launch --no-extension");
            assertThat(console.out.toString().lines())
                    .allMatch(line -> line.length() <= columns, "fits " + columns);
        }
    }

    @Test
    void whatWasCutIsSaidBeside() {
        console.answer = Json.object().put("content", "a").put("nextCursor", "c2");
        console.run("snapshot");
        assertThat(console.out.toString()).isEqualTo("a\n");
        assertThat(console.err.toString()).isEqualTo("There is more: --cursor c2\n");
        console.answer = Json.object().put("diff", "[r1] main").put("nextCursor", "c3");
        console.run("click", "r1", "--diff");
        assertThat(console.err.toString())
                .isEqualTo("There is more: tandem snapshot --cursor c3\n");
    }

    // OPS-114
    @Test
    void whatTheSubstituteRecordedIsSaidToBePartial() {
        console.answer = Json.parseObject("{\"partial\":true,\"events\":[],\"pending\":[]}");
        console.run("network-poll");
        assertThat(console.out.toString()).isEqualTo("No requests.\n");
        assertThat(console.err.toString()).startsWith("Partial: ").contains("debugger");
    }

    @Test
    void listsAreAlignedAndFit() {
        ArrayNode tabs = console.answer.putArray("tabs");
        tabs.addObject().put("id", 1).put("title", "Short").put("url", "http://a.test/");
        tabs.addObject().put("id", 22).put("title", "L".repeat(90)).put("url", "u".repeat(90));
        console.run("browser-tabs");
        assertThat(console.out).as("in a pipe").contains("u".repeat(90));
        console.terminal = new Invocation.Terminal(true, false, 80, true);
        console.run("browser-tabs");
        List<String> lines = console.out.toString().lines().toList();
        assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
        assertThat(lines.get(0).indexOf("http")).isEqualTo(lines.get(1).indexOf("uuu"));
    }

    // SEC-22: every string of every tool's answer, errors and usage texts
    @Test
    void foreignStringsNeverDriveTheTerminal() {
        int looked = 0;
        for (Tool tool : Catalogue.load().tools()) {
            for (String hostile : Hostile.TEXTS) {
                console.answer = (ObjectNode) filled(tool.output(), hostile);
                int failed = tool.name().equals("browser_execute") ? 2 : 0;
                assertThat(console.run(line(tool))).as(tool.cli()).isEqualTo(failed);
                Hostile.assertHarmless(tool.cli(), console);
                looked += console.out.length();
            }
        }
        assertThat(looked).isGreaterThan(10_000);
        for (String hostile : Hostile.TEXTS) {
            console.failure =
                    Optional.of(
                            new TandemException(
                                    ErrorCode.EXECUTION_FAILED,
                                    hostile,
                                    Json.object().put("hint", hostile)));
            console.run("click", "r1");
            Hostile.assertHarmless("error", console);
            console.run("click", "r1", "--" + hostile);
            Hostile.assertHarmless("usage", console);
        }
    }

    // SEC-22: names and questions of sessions, projects, agents, browsers and cards
    @Test
    void listsNeverDriveTheTerminal() {
        List<String> commands =
                List.of(
                        "sessions",
                        "projects",
                        "agents",
                        "agents hostile",
                        "browsers",
                        "permissions",
                        "permissions rules",
                        "session watch");
        for (String hostile : Hostile.TEXTS) {
            Console full = new Console();
            FakeSessions talk = full.talk;
            talk.session("00000000ffff0001", hostile, "Running", "waiting_input")
                    .put("agent", hostile)
                    .put("question", hostile)
                    .put("preview", hostile);
            talk.project = hostile;
            talk.folder = hostile;
            talk.agents.add(
                    Json.object()
                            .put("agentId", "hostile")
                            .put("name", hostile)
                            .put("available", true)
                            .put("path", hostile)
                            .put("command", hostile)
                            .put("reason", hostile));
            talk.report = Json.object().put("version", hostile).put("answer", hostile);
            talk.report.put("problem", "");
            talk.report.putArray("authMethods").addObject().put("name", hostile);
            talk.card("0123456789", "allow_once")
                    .put("summary", hostile)
                    .put("origin", hostile)
                    .put("preview", hostile)
                    .putObject("requester")
                    .put("name", hostile);
            full.browserName = hostile;
            full.rules.add(
                    Json.object()
                            .put("id", "0123456789")
                            .put("decision", "allow")
                            .put("who", hostile)
                            .put("what", hostile)
                            .put("where", hostile));
            for (String form : List.of("", " --json", " --output-format stream-json")) {
                for (String command : commands) {
                    talk.delta("m1", hostile);
                    ObjectNode body = Json.object().put("event", "run_finished").put("prompt", 10);
                    talk.entry(12, "lifecycle", body.put("stopReason", "end_turn"));
                    int exit = full.run((command + form).split(" "));
                    assertThat(exit).as(command + form + full.err).isZero();
                    Hostile.assertHarmless(command + form, full);
                    talk.news.clear();
                }
            }
        }
    }

    /** A command line with a value for each required argument. */
    private static String[] line(Tool tool) {
        StringBuilder words = new StringBuilder(tool.cli());
        for (String name : tool.arguments().required()) {
            String type = tool.input().path("properties").path(name).path("type").asString("");
            words.append(
                    switch (type) {
                        case "number", "integer" -> " 1";
                        case "array" -> name.equals("steps") ? " []" : " x";
                        default -> " r1";
                    });
        }
        return words.toString().split(" ");
    }

    /** An answer of that shape with the string in every place where one may stand. */
    private static JsonNode filled(JsonNode schema, String text) {
        String type =
                schema.path("type").isArray()
                        ? schema.path("type").get(0).asString()
                        : schema.path("type").asString("object");
        return switch (type) {
            case "string" -> Json.mapper().getNodeFactory().stringNode(text);
            case "boolean" -> Json.mapper().getNodeFactory().booleanNode(true);
            case "number", "integer" -> Json.mapper().getNodeFactory().numberNode(1);
            case "array" -> Json.array().add(filled(schema.path("items"), text));
            default -> {
                ObjectNode object = Json.object();
                for (var property : schema.path("properties").properties()) {
                    object.set(property.getKey(), filled(property.getValue(), text));
                }
                yield object.isEmpty() ? object.put("name", text) : object;
            }
        };
    }
}
