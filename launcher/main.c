/* Chooses: a command for the hub, the MCP bridge, or the launcher in bash for all the rest. */
#include "launcher.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#include <stdint.h>
#else
#include <sys/auxv.h>
#endif

static char **arguments;

/* The launcher in bash, by where this program is: beside its folder `scripts`, or one deeper. */
static const char *script(void) {
    static char path[4096 + 32];
    char *end;
#ifdef __APPLE__
    char named[4096];
    uint32_t room = sizeof named;
    if (_NSGetExecutablePath(named, &room) != 0) return NULL;
#else
    /* where the kernel was told to find it, whatever it was called there; also where /proc is not mounted */
    const char *named = (const char *)getauxval(AT_EXECFN);
    if (!named) return NULL;
#endif
    if (!realpath(named, path)) return NULL;
    for (int up = 0; up < 2 && (end = strrchr(path, '/')); up++) {
        strcpy(end, "/scripts/launcher.sh");
        if (access(path, R_OK) == 0) return path;
        *end = 0;
    }
    return NULL;
}

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
    int count = 0;
    while (arguments[count]) count++;
    char **all = calloc((size_t)count + 2, sizeof *all);
    if (!all) fail("there is not enough memory");
    /* the program's own name gives way to two: the shell's and the script's */
    memcpy(all + 1, arguments, (size_t)count * sizeof *all);
    all[0] = "bash", all[1] = (char *)script();
    if (!all[1]) fail("its folder scripts was not found; run ./tandem link again where Tandem is now");
    execvp("bash", all);
    fail("bash was not found, and this needs it");
}

static bool any_of(const char *word, const char *const *words) {
    for (; *words; words++)
        if (strcmp(word, *words) == 0) return true;
    return false;
}

/* How many words stand before the command: flags for every command may, with their values. */
static int words_before(int count, char **words) {
    static const char *const with_value[] = {"--output-format", "--transport", "--timeout-ms", NULL};
    static const char *const commands[] = {"--help", "--version", NULL};
    int at = 0;
    while (at < count && strncmp(words[at], "--", 2) == 0 && !any_of(words[at], commands))
        at += any_of(words[at], with_value) ? 2 : 1;
    return at < count ? at : 0;
}

/* Whether the hub runs it; the others run beside it, or are written in another way. */
static bool is_for_hub(int count, char **words) {
    static const char *const local[] = {"up",   "stop",   "build", "test", "coverage", "bench", "soak",   "package",
                                        "doctor", "agent", "mcp",  "version", "link", "unlink", "--help", "-h", "--version", "-v", NULL};
    static const char *const of_hub[] = {"install", "uninstall", NULL};
    if (count < 1 || !*words[0]) return false;
    if (strcmp(words[0], "mcp") == 0) return count > 1 && any_of(words[1], of_hub);
    return !any_of(words[0], local);
}

int main(int count, char **words) {
    arguments = words;
    count--, words++;
    int before = words_before(count, words);
    if (is_for_hub(count - before, words + before)) {
        run_command(count, words);
    } else if (count > 0 && strcmp(words[0], "mcp") == 0) {
        bool as_user = count == 2 && strcmp(words[1], "--as-user") == 0;
        if ((count == 1 || as_user) && bridge_possible(as_user)) return run_bridge(as_user);
    }
    go_on_in_bash(NULL);
}
