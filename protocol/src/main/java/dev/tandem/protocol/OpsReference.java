package dev.tandem.protocol;

import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The page docs/reference/ops.md: all that a program needs to speak to /ops. */
final class OpsReference {
    /** What only hub and extension say to each other. */
    private static final Set<String> INSIDE =
            Set.of("clientKey", "clientLabel", "ops_client_disconnected", "ops_tab_opened");

    private static final Map<String, String> EVENTS =
            Map.of(
                    "ops_session_created",
                    "a session of yours became active",
                    "ops_session_released",
                    "it waits to be taken back, until `payload.expiresAt`",
                    "ops_session_reclaimed",
                    "you took it back by its lease",
                    "ops_session_closed",
                    "it ended: by request, with its last tab, or with the debugger",
                    "ops_session_expired",
                    "it was not taken back in time",
                    "ops_tab_closed",
                    "one of its tabs was closed",
                    "ops_extension_status",
                    "the browser's link is lost or back: `payload.connected`, `payload.reason`;"
                            + " your socket stays open",
                    "permission_pending",
                    "`payload.requestId` waits for a person's answer; its deadline stands still");

    private static final String BEGINNING =
            """
            `/ops` is a WebSocket on the hub's port (8787, or what `tandem status` says). Messages are JSON, one per \
            text frame. A token opens it, as `Authorization: Bearer …`, or as `?token=…` where no header can be set and \
            no `Origin` is sent: one of `tandem token add NAME`, or that of `tandem token`. Without it the upgrade is \
            refused with 401; with the `Origin` of a page that you did not allow, or a foreign `Host`, with 403.

            ```
            > {"type":"ops_hello","version":"%1$s","clientName":"my-program","capabilities":["cancel"]}
            < {"type":"ops_hello_ack","version":"%1$s","clientId":"…","capabilities":["cancel"],"maxPayloadBytes":%2$d}
            > {"type":"ops_request","requestId":"1","command":"session.launch","payload":{"startUrl":"https://example.org"}}
            < {"type":"ops_event","clientId":"…","opsSessionId":"S","event":"ops_session_created","payload":{…}}
            < {"type":"ops_response","requestId":"1","clientId":"…","opsSessionId":"S","payload":{"opsSessionId":"S","leaseId":"L",…}}
            > {"type":"ops_request","requestId":"2","opsSessionId":"S","leaseId":"L","command":"nav.snapshot","timeoutMs":5000}
            < {"type":"ops_response","requestId":"2","clientId":"…","opsSessionId":"S","payload":{"content":"[r1] heading …",…}}
            ```

            """;

    private static final String RULES =
            """
            ## Greeting

            `ops_hello` comes first; only `ops_ping` is answered before its acknowledgement. What is wrong with it is an \
            `ops_error` with `requestId` `ops_hello`, and you may greet again. Another version than %1$s is \
            `not_supported`, with `details.supported`. No browser, or none that answers within %3$d ms, is `ops_unavailable`, and the socket is \
            closed with 1011. The acknowledgement has those of your `capabilities` that hub and extension know (%4$s); \
            unknown ones are left out, and none has to be asked for. `maxPayloadBytes` (%5$d or more) is the largest \
            message that you want to read.

            ## Requests

            `command` is that of a tool in [tools.md](tools.md), `payload` has the tool's arguments. The session is \
            named beside them, by `opsSessionId` and `leaseId`, not in the payload; `session.status` needs it, too. \
            A tool without a command is \
            not to be had here: MCP and the command line have it.

            Each request has exactly one end, `ops_response` or `ops_error` ([errors.md](errors.md)), with its \
            `requestId`. A `requestId` that still runs is refused; one that is not a text, or in a message that cannot be \
            read, is answered as `unknown`. Requests need not wait for each other: those on one tab run in their order, \
            those on others beside them.

            The deadline is `timeoutMs` of the request, else of the payload, else the tool's limit; at most %6$d ms. It \
            stands still while a person is asked. `ops_cancel` ends a running request with `execution_failed`, reason \
            `cancelled`; for one that has ended it does nothing, also while its chunks come.

            An answer of more than %7$d bytes, or than fits your `maxPayloadBytes`, comes as an `ops_response` with \
            `chunked`, `payloadId`, `totalChunks`, `totalBytes` and `sha256` instead of `payload`, followed by that many \
            `ops_chunk`, in order of `chunkIndex`: their `data`, put together, is the JSON text of the payload. Other messages may come \
            between them. `totalBytes` and `sha256` are those of its UTF-8.

            ## Sessions and leases

            `session.launch` opens a session in a new background tab and answers with its `leaseId`. Only your token \
            together with the lease acts in it; else it is `not_owner`. When your socket ends, the session waits \
            %8$d ms: `session.connect` with `{sessionId, leaseId}` on a new socket, opened with the same token, takes it \
            back, and so does any request in it. Later it is `invalid_session`, reason `session_expired`. Its \
            tabs stay open.

            `session.disconnect` waits for no other request. Those of the session that still run, wait behind others or \
            for a person end as `invalid_session`, reason `closed`, and the person is asked no more.

            A session that was launched with `shareMode` `read` can be read by other tokens: commands that are "open to \
            readers", with its `opsSessionId` and no lease. `session.connect` with `{sessionId, shareMode: "read"}` answers where it \
            is. All else is `not_owner`, reason `read_only_share`.

            ## Limits and ends

            A message of more than %2$d bytes is `invalid_request`. After %9$d failures of your own \
            (`invalid_request`, `invalid_session`, `not_owner`) within %10$d ms, requests are `ops_unavailable`, reason \
            `rate_limited`, for `details.retryAfterMs`; `ops_ping` still works. The hub sends a ping frame every %11$d \
            ms and gives up who has said nothing until the next one.

            | closed with | because |
            |---|---|
            | 1001 | the hub stops; connect again when it runs |
            | 1002, 1007 | the frame is no WebSocket, or its text no UTF-8 |
            | 1003 | a binary frame |
            | 1009 | a message of more than %12$d bytes |
            | 1011 | no browser answered the greeting, or no pong came |
            | 1013 | %13$d bytes wait unread |
            | 4001 | the token was revoked |

            ## Coming back

            1. Send an `ops_ping` with an `id` of its own every %11$d ms. One without its `ops_pong` within %14$d ms was \
            missed; after %15$d in a row nobody is there: close the connection.
            2. However a connection ended, open another: %16$d ms later, then after each attempt that failed %17$d times \
            as long, at most %18$d ms, each wait up to %19$d percent shorter or longer at random. An attempt has failed if the \
            upgrade did not come about or no `ops_hello_ack` came within %20$d ms of its beginning: close it. The \
            acknowledgement ends the row.
            3. Stop after 4001, after a refusal of the upgrade (401, 403) and after `not_supported`: no time changes \
            these. That of `tandem token` is another token after each start of the hub: read it anew for each attempt, or \
            have one of `tandem token add`, which stays. After 1002, 1003, 1007 and 1009 do not send that message again.
            4. On the new connection take back each session, by `session.connect` with its `sessionId` and `leaseId`. \
            `invalid_session` means that it is over: %8$d ms have passed, or the hub was started again, which knows no \
            session of its former life. Launch another; the tabs of the old one are still open, and free.

            `ops_extension_status` with `connected` false is no reason to leave: it is the browser that went. Requests \
            wait for it for %21$d ms; those that were not sent by then are `ops_unavailable` with `details.dispatched` \
            false, and can be sent again once `connected` is true.

            Lost with a connection are its requests, their answers and chunks, the events until it is back, and its \
            `clientId`. The hub cancels what still runs and takes back the cards of those that wait for a person; what a \
            request did until then is done. Send it again if its tool may be repeated ([tools.md](tools.md)), else look \
            first. Refs, tabs and what the polls keep stay with the session; `session.status` and `targets.list` tell \
            what events would have told.
            """;

    private final JsonNode file = Json.resource("messages/ops.json");
    private final StringBuilder page = new StringBuilder(Reference.head("/ops"));

    String page() {
        page.append(filled(BEGINNING)).append(filled(RULES));
        page.append("\n## Messages\n\n| type | from | fields | |\n|---|---|---|---|\n");
        file.path("messages").properties().forEach(m -> message(m.getKey(), m.getValue()));
        page.append("\n## Events\n\nThey go to the socket that holds the session.\n\n")
                .append("| event | when |\n|---|---|\n");
        for (String event : Messages.ops().events()) {
            if (!INSIDE.contains(event)) {
                page.append("| `%s` | %s |\n".formatted(event, EVENTS.get(event)));
            }
        }
        page.append("\n## Commands that differ from their tools\n\n")
                .append("| command | payload | answer |\n|---|---|---|\n");
        for (Tool tool : Catalogue.load().tools()) {
            tool.command().ifPresent(command -> command(command, tool.wire()));
        }
        return page.toString();
    }

    private static String filled(String text) {
        return text.formatted(
                Messages.ops().version(),
                Limits.MAX_OPS_PAYLOAD_BYTES,
                Limits.of("helloAckMs"),
                String.join(
                        ", ",
                        Messages.ops().capabilities().stream()
                                .map(name -> "`" + name + "`")
                                .toList()),
                smallest(),
                Limits.of("requestTimeoutMaxMs"),
                Limits.CHUNK_THRESHOLD_BYTES,
                Limits.of("sessionTtlMs"),
                Limits.of("httpRateRequests"),
                Limits.of("httpRateWindowMs"),
                Limits.of("pingIntervalMs"),
                Limits.of("maxFrameBytes"),
                Limits.of("socketQueueBytes"),
                Limits.of("pongTimeoutMs"),
                Limits.of("missedPongs"),
                Limits.of("reconnectFirstMs"),
                Limits.of("reconnectFactor"),
                Limits.of("reconnectMaxMs"),
                Limits.of("reconnectJitterPercent"),
                Limits.of("clientHandshakeMs"),
                Limits.EXTENSION_HOLD_MS);
    }

    private static int smallest() {
        return Json.resource("messages/ops.json")
                .at("/messages/ops_hello/schema/properties/maxPayloadBytes/minimum")
                .asInt();
    }

    private void message(String type, JsonNode message) {
        boolean asked = Json.texts(message, "from").contains("client");
        page.append(
                "| `%s` | %s | %s | %s |\n"
                        .formatted(
                                type,
                                asked ? "you" : "the hub",
                                fields(message.path("schema"), asked),
                                Reference.cell(message.path("about").asString())));
    }

    private void command(String command, JsonNode wire) {
        if (!wire.isEmpty()) {
            page.append(
                    "| `%s` | %s | %s |\n"
                            .formatted(
                                    command,
                                    wire.has("payload")
                                            ? fields(wire.path("payload"), false)
                                            : "as the tool",
                                    wire.has("answer")
                                            ? fields(wire.path("answer"), false)
                                            : "as the tool"));
        }
    }

    /** The fields of an object, those that may be left out with a question mark. */
    private static String fields(JsonNode schema, boolean asked) {
        List<String> required = Json.texts(schema, "required");
        return String.join(
                ", ",
                schema.path("properties").properties().stream()
                        .map(Map.Entry::getKey)
                        .filter(name -> !name.equals("type") && !INSIDE.contains(name))
                        .filter(name -> !asked || !name.equals("clientId"))
                        .map(name -> "`" + name + (required.contains(name) ? "`" : "?`"))
                        .toList());
    }
}
