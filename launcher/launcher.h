/* The native launcher: what a command for a running hub needs, in one process and a few system calls.
   Everything else is for scripts/launcher.sh, which can do all of this as well. */
#ifndef TANDEM_LAUNCHER_H
#define TANDEM_LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>

/* A piece of text that belongs to somebody else. */
struct slice {
    const char *at;
    size_t size;
};

/* Bytes that grow. */
struct bytes {
    char *at;
    size_t size, room;
};

/* Where a hub listens and what opens its doors. */
struct hub {
    int port;
    char token[256];
    char path[512];
};

/* json.c: the raw value of a member of the object in `text`; false where there is none. */
bool json_member(struct slice text, const char *name, struct slice *value);
bool json_number(struct slice text, const char *name, long *value);
bool json_string(struct slice text, const char *name, char *value, size_t room);
/* The next item of an array, of which `rest` is all or what an earlier call left; false where there is none. */
bool json_item(struct slice *rest, struct slice *item);
/* Whether this is one value from its first to its last character, and no piece of one. */
bool json_whole(struct slice text);

/* hub.c: the hub of the state dir, if it runs; a socket to it, or -1; everything sent, or false. */
bool find_hub(struct hub *hub);
int connect_hub(const struct hub *hub);
bool send_all(int to, const char *at, size_t size);
/* Reads the head of an answer and nothing past it, if the answer is yes and its head has that word; of any
   other not a byte. */
bool door_opens(int socket, const char *word);
bool receive_exactly(int socket, char *at, size_t size);

/* command.c: has the hub run one command; returns where this launcher is not the one to go on. */
void run_command(int count, char **words);

/* bridge.c: carries MCP messages between standard input and output and the hub, until the input ends. */
int run_bridge(bool as_user);
bool bridge_possible(bool as_user);

/* main.c: the launcher in bash takes over, with descriptor 3 as its connection where `handover` is said. */
_Noreturn void go_on_in_bash(const char *handover);

void append(struct bytes *bytes, const char *at, size_t size);
void append_text(struct bytes *bytes, const char *text);
void drop(struct bytes *bytes, size_t size);
_Noreturn void fail(const char *what);

#endif
