#include "serve/request.h"

#include "base/message.h"
#include "base/text/utf8.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

/* ---- where to listen ---- */

static int address_refuse(const char *text, struct error *err) {
    return error_set(err, ERROR_USAGE,
                     _("--serve: '%s' is not an address to listen on\n"
                       "allowed: PORT, for this machine alone; ADDRESS:PORT, with [ ] around an "
                       "IPv6 address; PORT is 0 (any that is free) to 65535\n"
                       "try: --serve 8000, or --serve 0.0.0.0:8000 for all who can reach this "
                       "machine"),
                     utf8_name(text));
}

/* Digits alone, to the end. */
static bool read_port(const char *text, uint16_t *port) {
    unsigned value = 0;
    const size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 5 || text[digits])
        return false;
    for (size_t i = 0; i < digits; i++)
        value = value * 10 + (unsigned)(text[i] - '0');
    *port = (uint16_t)value;
    return value <= UINT16_MAX;
}

int serve_address_parse(struct serve_address *address, const char *text, struct error *err) {
    const char *colon = strrchr(text, ':'), *host = text, *end = colon;
    *address = (struct serve_address){.host = "127.0.0.1"};
    if (!colon)
        return read_port(text, &address->port) ? 0 : address_refuse(text, err);
    if (*host == '[') {
        host++;
        if (colon == text || *--end != ']')
            return address_refuse(text, err);
    } else if (memchr(host, ':', (size_t)(end - host))) {
        return address_refuse(text, err); /* an IPv6 address whose last part looks like a port */
    }
    const size_t length = end > host ? (size_t)(end - host) : 0;
    if (length >= sizeof address->host || (length == 0 && *text == '[') ||
        !read_port(colon + 1, &address->port))
        return address_refuse(text, err);
    memcpy(address->host, host, length);
    address->host[length] = '\0';
    if (length == 0)
        strcpy(address->host, "0.0.0.0");
    return 0;
}

/* ---- what is asked for ---- */

const char serve_code_letters[] = "abcdefghjkmnpqrstuvwxyz23456789";

static const struct {
    const char *name;
    enum serve_route route;
} room_files[] = {{"", ROUTE_ROOM},           {"plain", ROUTE_PLAIN},   {"class.js", ROUTE_SCRIPT},
                  {"class.css", ROUTE_STYLE}, {"events", ROUTE_EVENTS}, {"answer", ROUTE_ANSWER}};

enum serve_route serve_route_of(const char *url, const char *code) {
    if (strcmp(url, "/") == 0)
        return ROUTE_DOOR;
    if (*url != '/')
        return ROUTE_NOWHERE;
    const char *slash = strchr(url + 1, '/');
    const size_t length = slash ? (size_t)(slash - url - 1) : strlen(url + 1);
    if (length != SERVE_CODE)
        return ROUTE_NOWHERE;
    if (strncasecmp(url + 1, code, SERVE_CODE) != 0)
        return ROUTE_WRONG_CODE;
    if (!slash)
        return ROUTE_ROOM_BARE;
    for (size_t i = 0; i < sizeof room_files / sizeof room_files[0]; i++)
        if (strcmp(slash + 1, room_files[i].name) == 0)
            return room_files[i].route;
    return ROUTE_NOWHERE;
}

bool serve_is_code(const char *typed, const char *code) {
    typed += strspn(typed, " ");
    return strncasecmp(typed, code, SERVE_CODE) == 0 &&
           typed[SERVE_CODE + strspn(typed + SERVE_CODE, " ")] == '\0';
}

bool serve_is_token(const char *text) {
    return text && strlen(text) == ROOM_TOKEN - 1 &&
           strspn(text, "0123456789abcdef") == ROOM_TOKEN - 1;
}

/* The number before the first line end, at most `length` bytes; moves past the line end. */
static bool read_round(const char *body, size_t length, size_t *at, unsigned *round) {
    unsigned long value = 0;
    for (*at = 0; *at < length && isdigit((unsigned char)body[*at]); ++*at)
        if ((value = value * 10 + (unsigned long)(body[*at] - '0')) > UINT_MAX / 10)
            return false;
    if (*at == 0 || *at == length || body[*at] != '\n')
        return false;
    ++*at;
    *round = (unsigned)value;
    return true;
}

static bool is_shown(const char *bytes, size_t length) {
    for (size_t i = 0; i < length;) {
        const struct utf8_character character = utf8_decode(bytes + i, length - i);
        if (!character.valid || utf8_is_hidden(character.code))
            return false;
        i += character.bytes;
    }
    return true;
}

bool serve_answer_parse(const char *body, size_t length, unsigned *round,
                        char answer[ANSWER_TEXT]) {
    size_t begin;
    if (length > SERVE_BODY_MOST || !read_round(body, length, &begin, round))
        return false;
    while (begin < length && body[begin] == ' ')
        begin++;
    while (length > begin && body[length - 1] == ' ')
        length--;
    const size_t size = length - begin;
    if (size == 0 || size >= ANSWER_TEXT || !is_shown(body + begin, size))
        return false;
    memcpy(answer, body + begin, size);
    answer[size] = '\0';
    return true;
}
