/* An MCP client on standard input and output, the hub's /mcp behind it over one connection: a line is a
   message, both ways. Who waits for an answer of a hub that went away gets one from here, and the next
   message looks for the hub again: clients keep this process for days. */
#include "launcher.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_BYTES = 4 * 1024 * 1024, PIECE_BYTES = 65536, WAITING = 512, REFUSAL_BYTES = 8192 };

static const char LINES[] = "application/x-ndjson";
static const char GONE[] = "{\"code\":-32603,\"message\":\"The hub cannot be reached. Start it: tandem up\"}";
static const char STRANGER[] =
    "{\"code\":-32603,\"message\":\"What answers there is not the /mcp of a hub. Check TANDEM_MCP_URL; without one,"
    " find out why: tandem doctor\"}";
static const char BROKE_OFF[] =
    "{\"code\":-32603,\"message\":\"The hub ended the connection before it answered. Ask again.\"}";
static const char TOO_LONG[] = "{\"code\":-32600,\"message\":\"The message is larger than 4 MiB.\"}";

/* A request that has no answer yet: its id as it was written, and whether it came in a batch. */
struct request {
    char *id;
    bool in_batch;
};

struct bridge {
    bool as_user, skipping;
    int socket;
    struct bytes in, out;
    struct request waiting[WAITING];
    size_t waiting_count;
};

/* What the environment says instead of the state dir; false where it leads beyond this computer. */
static bool named_address(struct hub *hub) {
    const char *url = getenv("TANDEM_MCP_URL");
    int end = 0;
    if (sscanf(url, "http://127.0.0.1:%5d%511s%n", &hub->port, hub->path, &end) != 2 &&
        sscanf(url, "http://localhost:%5d%511s%n", &hub->port, hub->path, &end) != 2)
        return false;
    return url[end] == 0 && *hub->path == '/';
}

static const char *named(const char *name) {
    const char *value = getenv(name);
    return value ? value : "";
}

bool bridge_possible(bool as_user) {
    struct hub hub;
    /* the user's own token goes to the hub that made it; the other launcher says so */
    if (as_user) return !*named("TANDEM_MCP_URL");
    return *named("TANDEM_MCP_TOKEN") && (!*named("TANDEM_MCP_URL") || named_address(&hub));
}

static bool find_door(bool as_user, struct hub *hub) {
    const char *token = as_user ? "" : named("TANDEM_MCP_TOKEN");
    bool elsewhere = *named("TANDEM_MCP_URL");
    if (!elsewhere && !find_hub(hub)) return false;
    if (*token && (size_t)snprintf(hub->token, sizeof hub->token, "%s", token) >= sizeof hub->token) return false;
    return elsewhere ? named_address(hub) : snprintf(hub->path, sizeof hub->path, "/mcp") > 0;
}

static void say(const char *at, size_t size) {
    if (!send_all(1, at, size)) exit(0);
}

/* An empty id is one that could not be read: MCP has no null for it. */
static void say_error(struct slice id, struct slice error) {
    struct bytes line = {0};
    append_text(&line, id.size ? "{\"jsonrpc\":\"2.0\",\"id\":" : "{\"jsonrpc\":\"2.0\"");
    append(&line, id.at, id.size);
    append_text(&line, ",\"error\":");
    append(&line, error.at, error.size);
    append_text(&line, "}\n");
    say(line.at, line.size);
    free(line.at);
}

static struct slice text_slice(const char *text) { return (struct slice){text, strlen(text)}; }

/* The id of a message, or of the beginning of one, as it is written; false where it is none. */
static bool id_of(struct slice message, struct slice *id) {
    if (!json_member(message, "id", id) || id->at + id->size == message.at + message.size) return false;
    return *id->at == '"' || strspn(id->at, "-0123456789") >= id->size;
}

static void wait_for(struct bridge *bridge, struct slice id, bool in_batch) {
    if (bridge->waiting_count == WAITING) {
        free(bridge->waiting[0].id);
        memmove(bridge->waiting, bridge->waiting + 1, --bridge->waiting_count * sizeof *bridge->waiting);
    }
    char *copy = malloc(id.size + 1);
    if (!copy) fail("there is not enough memory");
    memcpy(copy, id.at, id.size);
    copy[id.size] = 0;
    bridge->waiting[bridge->waiting_count++] = (struct request){copy, in_batch};
}

static void remember_one(struct bridge *bridge, struct slice message, bool in_batch) {
    struct slice id, method;
    if (!json_member(message, "method", &method) || !id_of(message, &id)) return;
    /* the answer would bear the same id in other letters */
    if (!memchr(id.at, '\\', id.size)) wait_for(bridge, id, in_batch);
}

/* What is no message is answered by the hub as such, and nobody waits for more. */
static void remember(struct bridge *bridge, struct slice line) {
    struct slice message;
    if (!json_whole(line)) return;
    remember_one(bridge, line, false);
    while (json_item(&line, &message)) remember_one(bridge, message, true);
}

static void forget(struct bridge *bridge, size_t place) {
    free(bridge->waiting[place].id);
    bridge->waiting[place] = bridge->waiting[--bridge->waiting_count];
}

static void answered(struct bridge *bridge, struct slice id) {
    for (size_t i = 0; i < bridge->waiting_count; i++) {
        const char *each = bridge->waiting[i].id;
        if (strlen(each) != id.size || memcmp(each, id.at, id.size) != 0) continue;
        forget(bridge, i);
        return;
    }
}

static void heard_one(struct bridge *bridge, struct slice message) {
    struct slice found;
    if (json_member(message, "method", &found)) return;
    if (json_member(message, "id", &found)) {
        answered(bridge, found);
    } else if (json_member(message, "error", &found)) {
        /* a batch that is refused is refused as a whole, without an id */
        for (size_t i = bridge->waiting_count; i-- > 0;)
            if (bridge->waiting[i].in_batch) forget(bridge, i);
    }
}

static void heard(struct bridge *bridge, struct slice line) {
    struct slice message;
    heard_one(bridge, line);
    while (json_item(&line, &message)) heard_one(bridge, message);
}

static void lose_hub(struct bridge *bridge, struct slice why) {
    if (bridge->socket >= 0) close(bridge->socket);
    bridge->socket = -1;
    bridge->out.size = 0;
    for (size_t i = 0; i < bridge->waiting_count; i++) {
        say_error(text_slice(bridge->waiting[i].id), why);
        free(bridge->waiting[i].id);
    }
    bridge->waiting_count = 0;
}

/* What the door says instead of opening, for everyone who waits. */
static void refused(struct bridge *bridge) {
    char answer[REFUSAL_BYTES + 1];
    size_t size = 0;
    struct slice error;
    for (ssize_t got; size < REFUSAL_BYTES && (got = read(bridge->socket, answer + size, REFUSAL_BYTES - size)) > 0;)
        size += (size_t)got;
    answer[size] = 0;
    char *body = strstr(answer, "\r\n\r\n");
    /* what goes out is one line, whoever wrote this */
    for (char *at = body ? body + 4 : NULL; at && (at = strpbrk(at, "\r\n"));) *at = ' ';
    bool said = body && json_member(text_slice(body + 4), "error", &error) && *error.at == '{';
    lose_hub(bridge, said ? error : text_slice(size ? STRANGER : GONE));
}

/* Opens the stream of messages; on failure everyone who waits is told. */
static void open_door(struct bridge *bridge) {
    struct hub hub = {0};
    char head[2048];
    if (find_door(bridge->as_user, &hub)) bridge->socket = connect_hub(&hub);
    if (bridge->socket < 0) {
        lose_hub(bridge, text_slice(GONE));
        return;
    }
    int size = snprintf(head, sizeof head,
                        "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n"
                        "Content-Type: %s\r\nAccept: %s, application/json\r\n"
                        "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n",
                        hub.path, hub.port, hub.token, LINES, LINES);
    if (!send_all(bridge->socket, head, (size_t)size)) lose_hub(bridge, text_slice(GONE));
    else if (!door_opens(bridge->socket, LINES)) refused(bridge);
}

static bool send_line(int socket, struct slice line) {
    struct bytes chunk = {0};
    char size[24];
    snprintf(size, sizeof size, "%zx\r\n", line.size + 1);
    append_text(&chunk, size);
    append(&chunk, line.at, line.size);
    append_text(&chunk, "\n\r\n");
    bool sent = send_all(socket, chunk.at, chunk.size);
    free(chunk.at);
    return sent;
}

static void from_client(struct bridge *bridge, struct slice line) {
    size_t blank = 0;
    while (blank < line.size && (line.at[blank] == ' ' || line.at[blank] == '\t' || line.at[blank] == '\r')) blank++;
    if (blank == line.size) return;
    remember(bridge, line);
    if (bridge->socket < 0) open_door(bridge);
    if (bridge->socket >= 0 && !send_line(bridge->socket, line)) lose_hub(bridge, text_slice(BROKE_OFF));
}

/* The hub would end the stream, and with it what others wait for. */
static void refuse_long(struct slice line) {
    struct slice id;
    say_error(id_of(line, &id) ? id : text_slice(""), text_slice(TOO_LONG));
}

/* Hands on whole lines and keeps what is left of the last one. */
static void take_lines(struct bridge *bridge) {
    size_t done = 0;
    char *end;
    while ((end = memchr(bridge->in.at + done, '\n', bridge->in.size - done))) {
        struct slice line = {bridge->in.at + done, (size_t)(end - bridge->in.at) - done};
        if (!bridge->skipping && line.size > LINE_BYTES) refuse_long(line);
        else if (!bridge->skipping) from_client(bridge, line);
        bridge->skipping = false;
        done += line.size + 1;
    }
    drop(&bridge->in, done);
    if (bridge->in.size <= LINE_BYTES) return;
    if (!bridge->skipping) refuse_long((struct slice){bridge->in.at, bridge->in.size});
    bridge->skipping = true;
    bridge->in.size = 0;
}

/* False when the client has closed its end. */
static bool read_client(struct bridge *bridge) {
    char piece[PIECE_BYTES];
    ssize_t got = read(0, piece, sizeof piece);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return true;
    if (got > 0) append(&bridge->in, piece, (size_t)got);
    /* the last line may lack its end */
    if (got <= 0 && bridge->in.size > 0) append_text(&bridge->in, "\n");
    if (bridge->in.size > 0) take_lines(bridge);
    return got > 0;
}

static void read_hub(struct bridge *bridge) {
    char piece[PIECE_BYTES];
    ssize_t got = read(bridge->socket, piece, sizeof piece);
    if (got < 0 && errno == EINTR) return;
    if (got <= 0) {
        lose_hub(bridge, text_slice(BROKE_OFF));
        return;
    }
    size_t searched = bridge->out.size, done = 0;
    append(&bridge->out, piece, (size_t)got);
    for (char *end; (end = memchr(bridge->out.at + searched, '\n', bridge->out.size - searched)); searched = done) {
        struct slice line = {bridge->out.at + done, (size_t)(end - bridge->out.at) - done};
        heard(bridge, line);
        done += line.size + 1;
    }
    if (done > 0) say(bridge->out.at, done);
    drop(&bridge->out, done);
}

int run_bridge(bool as_user) {
    struct bridge bridge = {.as_user = as_user, .socket = -1};
    bool listening = true;
    signal(SIGPIPE, SIG_IGN);
    while (listening || bridge.socket >= 0) {
        /* a negative descriptor is left out */
        struct pollfd ends[] = {{listening ? 0 : -1, POLLIN, 0}, {bridge.socket, POLLIN, 0}};
        if (poll(ends, 2, -1) < 0 && errno != EINTR) fail("the connection could not be watched");
        if (ends[1].revents) read_hub(&bridge);
        if (!ends[0].revents || read_client(&bridge)) continue;
        listening = false;
        /* the hub answers what is still to be answered, and ends the stream */
        if (bridge.socket >= 0) send_all(bridge.socket, "0\r\n\r\n", 5);
    }
    free(bridge.in.at);
    free(bridge.out.at);
    return 0;
}
