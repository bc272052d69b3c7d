/* Where the hub is, and the way there. */
#include "launcher.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HEAD_BYTES = 8192 };
static const char OPEN[] = "HTTP/1.1 200";

/* The file in which the hub says where it listens; empty where it cannot be read. */
static struct slice browse_file(char *room, size_t size) {
    char path[4096];
    const char *state = getenv("TANDEM_STATE_DIR"), *home = getenv("HOME");
    bool named = state && *state;
    int length = named ? snprintf(path, sizeof path, "%s/browse.json", state)
                       : snprintf(path, sizeof path, "%s/.local/state/tandem/browse.json", home ? home : "");
    if (length < 0 || (size_t)length >= sizeof path) return (struct slice){room, 0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return (struct slice){room, 0};
    ssize_t got = read(file, room, size);
    close(file);
    return (struct slice){room, got > 0 ? (size_t)got : 0};
}

bool find_hub(struct hub *hub) {
    char room[4096];
    struct slice json = browse_file(room, sizeof room);
    long port, pid;
    if (!json_number(json, "port", &port) || port < 1 || port > 65535) return false;
    if (!json_number(json, "pid", &pid) || pid < 1) return false;
    if (!json_string(json, "token", hub->token, sizeof hub->token) || !*hub->token) return false;
    /* who has the port of a hub that is gone gets neither words nor keys */
    if (kill((pid_t)pid, 0) != 0) return false;
    hub->port = (int)port;
    return true;
}

int connect_hub(const struct hub *hub) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)hub->port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int at_once = 1, socket_to = socket(AF_INET, SOCK_STREAM, 0);
    if (socket_to < 0) return -1;
    if (connect(socket_to, (struct sockaddr *)&to, sizeof to) != 0) {
        close(socket_to);
        return -1;
    }
    setsockopt(socket_to, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
    return socket_to;
}

/* Who shares the descriptor may have set it to be full instead of slow. */
static bool await_room(int file) {
    struct pollfd room = {file, POLLOUT, 0};
    return poll(&room, 1, -1) > 0 || errno == EINTR;
}

bool send_all(int to, const char *at, size_t size) {
    while (size > 0) {
        ssize_t sent = write(to, at, size);
        if (sent < 0 && (errno == EINTR || (errno == EAGAIN && await_room(to)))) continue;
        if (sent <= 0) return false;
        at += sent, size -= (size_t)sent;
    }
    return true;
}

bool receive_exactly(int socket, char *at, size_t size) {
    while (size > 0) {
        ssize_t got = recv(socket, at, size, MSG_WAITALL);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got, size -= (size_t)got;
    }
    return true;
}

bool door_opens(int socket, const char *word) {
    char head[HEAD_BYTES + 1];
    size_t seen = 0;
    int wait = 0;
    for (;;) {
        /* peeking again would show the same bytes: wait for one more than was seen */
        ssize_t got = recv(socket, head, wait ? seen + 1 : HEAD_BYTES, MSG_PEEK | wait);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0 || (wait && (size_t)got <= seen)) return false;
        head[got] = 0;
        char *end = strstr(head, "\r\n\r\n");
        if (end) {
            *end = 0;
            if (strncmp(head, OPEN, sizeof OPEN - 1) != 0 || !strstr(head, word)) return false;
            return receive_exactly(socket, head, (size_t)(end + 4 - head));
        }
        if (got == HEAD_BYTES) return false;
        wait = wait ? 0 : MSG_WAITALL;
        seen = (size_t)got;
    }
}
