/* Chooses: a command for the hub, the MCP bridge, or the launcher in bash for all the rest. */
#include "launcher.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char **arguments;

void append(struct bytes *bytes, const char *at, size_t size) {
    if (bytes->size + size > bytes->room) {
        size_t room = bytes->room * 2 > bytes->size + size ? bytes->room * 2 : bytes->size + size + 1024;
        char *grown = realloc(bytes->at, room);
        if (!grown) fail("there is not enough memory");
        bytes->at = grown, bytes->room = room;
    }
    memcpy(bytes->at + bytes->size, at, size);
    bytes->size += size;
}

void append_text(struct bytes *bytes, const char *text) { append(bytes, text, strlen(text)); }

void drop(struct bytes *bytes, size_t size) {
    bytes->size -= size;
    memmove(bytes->at, bytes->at + size, bytes->size);
}

void fail(const char *what) {
    fprintf(stderr, "tandem: %s\n", what);
    exit(2);
}

void go_on_in_bash(const char *handover) {
    if (handover) setenv("TANDEM_HANDOVER", handover, 1);
    else unsetenv("TANDEM_HANDOVER");
    /* the script and its words stand behind our own name already */
    arguments[0] = "bash";
    execvp("bash", arguments);
    fail("bash was not found, and this needs it");
}

static bool any_of(const char *word, const char *const *words) {
    for (; *words; words++)
        if (strcmp(word, *words) == 0) return true;
    return false;
}

/* Whether the hub runs it; the others run beside it, or are written in another way. */
static bool is_for_hub(int count, char **words) {
    static const char *const local[] = {"up",   "stop",   "build", "test", "coverage", "bench", "soak",   "package",
                                        "doctor", "agent", "mcp",  "version", "--help", "-h",    "--version", "-v", NULL};
    static const char *const of_hub[] = {"install", "uninstall", NULL};
    if (count == 0 || !*words[0]) return false;
    if (strcmp(words[0], "mcp") == 0) return count > 1 && any_of(words[1], of_hub);
    return !any_of(words[0], local);
}

int main(int count, char **words) {
    if (count < 2) fail("this is the inner part of the command \"tandem\"; use that");
    /* the first word names the launcher in bash */
    arguments = words;
    count -= 2, words += 2;
    if (is_for_hub(count, words)) {
        run_command(count, words);
    } else if (count > 0 && strcmp(words[0], "mcp") == 0) {
        bool as_user = count == 2 && strcmp(words[1], "--as-user") == 0;
        if ((count == 1 || as_user) && bridge_possible(as_user)) return run_bridge(as_user);
    }
    go_on_in_bash(NULL);
}
