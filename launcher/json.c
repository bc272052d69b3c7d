/* Finds members of a JSON object by walking over its text once; nothing is kept and nothing is decoded. */
#include "launcher.h"

#include <stdlib.h>
#include <string.h>

/* the hub takes none that is deeper */
enum { DEEPEST = 500 };

static const char *skip_space(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')) at++;
    return at;
}

/* Behind the string that begins here; the end where it has none. */
static const char *skip_string(const char *at, const char *end) {
    for (at++; at < end; at++) {
        if (*at == '"') return at + 1;
        if (*at == '\\') at++;
    }
    return end;
}

/* Behind the value that begins here: a string, a word or number, or all between two brackets. */
static const char *skip_value(const char *at, const char *end) {
    size_t depth = 0;
    while (at < end) {
        if (*at == '"') {
            at = skip_string(at, end);
        } else if (*at == '{' || *at == '[') {
            depth++, at++;
        } else if (*at == '}' || *at == ']') {
            if (depth == 0) return at;
            depth--, at++;
        } else if (depth == 0) {
            while (at < end && !strchr(",}] \t\r\n", *at)) at++;
            return at;
        } else {
            at++;
        }
        if (depth == 0) return at;
    }
    return end;
}

bool json_member(struct slice text, const char *name, struct slice *value) {
    const char *end = text.at + text.size, *at = skip_space(text.at, end);
    size_t wanted = strlen(name);
    if (at == end || *at != '{') return false;
    at = skip_space(at + 1, end);
    while (at < end && *at == '"') {
        const char *key = at + 1;
        at = skip_string(at, end);
        bool found = (size_t)(at - 1 - key) == wanted && memcmp(key, name, wanted) == 0;
        at = skip_space(at, end);
        if (at == end || *at != ':') return false;
        at = skip_space(at + 1, end);
        const char *begin = at;
        at = skip_value(at, end);
        if (at == begin) return false;
        if (found) {
            *value = (struct slice){begin, (size_t)(at - begin)};
            return true;
        }
        at = skip_space(at, end);
        if (at < end && *at == ',') at = skip_space(at + 1, end);
    }
    return false;
}

bool json_item(struct slice *rest, struct slice *item) {
    const char *end = rest->at + rest->size, *at = skip_space(rest->at, end);
    if (at == end || (*at != '[' && *at != ',')) return false;
    const char *begin = skip_space(at + 1, end);
    at = skip_value(begin, end);
    *item = (struct slice){begin, (size_t)(at - begin)};
    *rest = (struct slice){at, (size_t)(end - at)};
    return item->size > 0;
}

/* The three below return where what begins there ends, or NULL where it is not as JSON has it. */
static const char *past_value(const char *at, const char *end, int depth);

static const char *past_string(const char *at, const char *end) {
    for (at++; at < end && (unsigned char)*at >= ' '; at++) {
        if (*at == '"') return at + 1;
        if (*at == '\\' && (++at == end || !memchr("\"\\/bfnrtu", *at, 9))) return NULL;
    }
    return NULL;
}

static const char *past_items(const char *at, const char *end, int depth) {
    char close = *at == '{' ? '}' : ']';
    at = skip_space(at + 1, end);
    if (at < end && *at == close) return at + 1;
    while (at < end) {
        if (close == '}') {
            at = *at == '"' ? past_string(at, end) : NULL;
            if (!at || (at = skip_space(at, end)) == end || *at++ != ':') return NULL;
        }
        at = past_value(skip_space(at, end), end, depth);
        if (!at || (at = skip_space(at, end)) == end) return NULL;
        if (*at == close) return at + 1;
        if (*at != ',') return NULL;
        at = skip_space(at + 1, end);
    }
    return NULL;
}

static const char *past_value(const char *at, const char *end, int depth) {
    static const char *const words[] = {"true", "false", "null"};
    if (at == end || depth == DEEPEST) return NULL;
    if (*at == '"') return past_string(at, end);
    if (*at == '{' || *at == '[') return past_items(at, end, depth + 1);
    const char *begin = at;
    while (at < end && *at && strchr("+-.0123456789Ee", *at)) at++;
    if (at > begin) return at;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t size = strlen(words[i]);
        if ((size_t)(end - at) >= size && memcmp(at, words[i], size) == 0) return at + size;
    }
    return NULL;
}

bool json_whole(struct slice text) {
    const char *end = text.at + text.size, *at = past_value(skip_space(text.at, end), end, 0);
    return at && skip_space(at, end) == end;
}

bool json_number(struct slice text, const char *name, long *value) {
    struct slice raw;
    char digits[16];
    if (!json_member(text, name, &raw) || raw.size >= sizeof digits) return false;
    memcpy(digits, raw.at, raw.size);
    digits[raw.size] = 0;
    if (digits[strspn(digits, "0123456789")] != 0) return false;
    *value = atol(digits);
    return true;
}

/* Of strings without escapes, as all of ours are. */
bool json_string(struct slice text, const char *name, char *value, size_t room) {
    struct slice raw;
    if (!json_member(text, name, &raw) || raw.size < 2 || *raw.at != '"') return false;
    if (raw.size - 2 >= room || memchr(raw.at, '\\', raw.size)) return false;
    memcpy(value, raw.at + 1, raw.size - 2);
    value[raw.size - 2] = 0;
    return true;
}
