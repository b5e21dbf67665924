/*
 * Pure functions over bytes, separate from the server, so that they can be fuzzed. Anything
 * unexpected is refused.
 */
#include "serve/outside_input.h"

#include "base/message.h"
#include "base/text/utf8.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

/* ---- listening addresses ---- */

static int address_refuse(const char *text, struct error *err) {
    return error_set(
        err, ERROR_USAGE,
        _("--serve: '%s' is not an address to listen on\nallowed: PORT, for this machine alone; "
          "ADDRESS:PORT, with [ ] around an IPv6 address; PORT is 0 (any free port) to 65535\ntry: "
          "--serve 8000, or --serve 0.0.0.0:8000 for all who can reach this machine"),
        utf8_name(text));
}

/* Reads a port. False if the text is not only digits, or is out of range. */
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

/* The length of a name or an address at the beginning of a text, in brackets or not; 0 if there is
 * none. */
static size_t host_length(const char *text) {
    if (*text != '[')
        return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_");
    const size_t inside = strspn(text + 1, "0123456789abcdefABCDEF:.");
    return inside > 0 && text[inside + 1] == ']' ? inside + 2 : 0;
}

/* The length of ":PORT" at the start of `text`, which follows a host; 0 if there is none. */
static size_t port_length(const char *text) {
    const size_t digits = *text == ':' ? strspn(text + 1, "0123456789") : 0;
    return digits > 0 && digits <= 5 ? digits + 1 : 0;
}

int serve_proxy_parse(struct serve_proxy *proxy, const char *text, struct error *err) {
    static const char in_path[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789.-_~/";
    const size_t scheme = strncmp(text, "https://", 8) == 0  ? 8
                          : strncmp(text, "http://", 7) == 0 ? 7
                                                             : 0;
    const size_t named = scheme ? host_length(text + scheme) : 0;
    const char *path = text + scheme + named + port_length(text + scheme + named);
    const size_t length = strlen(text);
    if (named == 0 || named >= SERVE_HOST_SIZE || length + 2 > SERVE_URL_SIZE ||
        (*path && *path != '/') || path[strspn(path, in_path)])
        return error_set(
            err, ERROR_USAGE,
            _("--proxy: '%s' is not an address that students can open\nallowed: http:// or "
              "https://, a host, optional port and path\ntry: --proxy https://class.example.org/"),
            utf8_name(text));
    *proxy = (struct serve_proxy){0};
    memcpy(proxy->host, text + scheme, named);
    memcpy(proxy->url, text, length);
    if (text[length - 1] != '/')
        proxy->url[length] = '/';
    return 0;
}

/* ---- requests ---- */

static bool is_name(const char *text, size_t length, const char *name) {
    return strlen(name) == length && strncasecmp(text, name, length) == 0;
}

bool serve_host_allowed(const char *header, const char *const *names) {
    static const char local[] = ".local";
    if (!header)
        return true;
    size_t length = host_length(header);
    if (length == 0 || header[length + port_length(header + length)])
        return false;
    if (*header == '[' || strspn(header, "0123456789.") == length)
        return true;
    length -= header[length - 1] == '.';
    if (!memchr(header, '.', length))
        return true;
    if (length > sizeof local - 1 &&
        is_name(header + length - (sizeof local - 1), sizeof local - 1, local))
        return true;
    for (; *names; names++)
        if (is_name(header, length, *names))
            return true;
    return false;
}

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
    return ROUTE_NO_FILE;
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

/* Reads the number before the first line end within `length` bytes; *at moves past the line end. */
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

static bool is_visible(const char *bytes, size_t length) {
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
    if (size == 0 || size >= ANSWER_TEXT || !is_visible(body + begin, size))
        return false;
    memcpy(answer, body + begin, size);
    answer[size] = '\0';
    return true;
}
