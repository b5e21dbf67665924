/*
 * outside_input.h - reads input from outside: an address to listen on, a URL, a student's answer.
 *
 * Any bytes may arrive. Nothing here allocates, waits or keeps anything.
 */
#ifndef SHFLVIZ_SERVE_OUTSIDE_INPUT_H
#define SHFLVIZ_SERVE_OUTSIDE_INPUT_H

#include "base/error.h"
#include "teach/room.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- listening addresses ---- */

#define SERVE_HOST_SIZE 256
#define SERVE_URL_SIZE  300

struct serve_address {
    char host[SERVE_HOST_SIZE]; /* as given, without brackets; "127.0.0.1" by default */
    uint16_t port;              /* 0 for any free port */
};

/* Reads "8000", "0.0.0.0:8000", "[::]:8000", "lab.example.org:8000", ":8000" (all addresses).
 * Fails (ERROR_USAGE) with the given and the allowed form. */
int serve_address_parse(struct serve_address *address, const char *text, struct error *err);

/* The public address of a class behind a proxy. */
struct serve_proxy {
    char url[SERVE_URL_SIZE]; /* ends in '/'; "" if there is no proxy */
    char host[SERVE_HOST_SIZE];
};

/* Reads "https://class.example.org/" or "https://example.org:8443/class". Fails (ERROR_USAGE) with
 * the given and the allowed form. */
int serve_proxy_parse(struct serve_proxy *proxy, const char *text, struct error *err);

/* ---- requests ---- */

/* Returns true if a request's Host may name this class: a numeric address, a name without a
 * dot, a name on the local network (".local"), or one of `names` (NULL ends them; empty ones do
 * not count). Other names may belong to an attacker and resolve to this machine, so that the
 * attacker's page could read the class in a student's browser. NULL, which no browser sends, is
 * allowed. */
bool serve_host_allowed(const char *header, const char *const *names);

#define SERVE_CODE 5 /* letters of a room code */

/* Letters that are not confused when read from a wall. */
extern const char serve_code_letters[];

enum serve_route {
    ROUTE_NOWHERE,
    ROUTE_WRONG_CODE, /* in the form of a room code, but not this one */
    ROUTE_NO_FILE,    /* in this room, but not one of its files */
    ROUTE_DOOR,       /* "/": the page that asks for the code */
    ROUTE_ROOM_BARE,  /* "/CODE": redirected to "/CODE/" */
    ROUTE_ROOM,       /* "/CODE/" */
    ROUTE_PLAIN,      /* "/CODE/plain" */
    ROUTE_SCRIPT,
    ROUTE_STYLE,
    ROUTE_EVENTS,
    ROUTE_ANSWER,
};

/* Capitals in the code are treated as small letters. `url` is without its query. */
enum serve_route serve_route_of(const char *url, const char *code);
/* True if the text typed at the door is the code: blanks around it and capitals do not matter. */
bool serve_is_code(const char *typed, const char *code);

/* True if it has the form of this program's tokens: 32 lowercase hexadecimal digits. */
bool serve_is_token(const char *text);

#define SERVE_BODY_MOST 256 /* bytes of an answer's request */

/* Reads "ROUND\nANSWER": a number without sign, and a line of UTF-8 without control characters,
 * which is trimmed of blanks. False if it is anything else, or the answer is too long or empty. */
bool serve_answer_parse(const char *body, size_t length, unsigned *round, char answer[ANSWER_TEXT]);

#endif
