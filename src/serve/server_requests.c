/* One request: the client, its permission, and the reply. */
#include "serve/server_parts.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/unused.h"
#include "serve/frame.h"
#include "serve/pages.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#define COOKIE "shflviz"

struct request {
    char body[SERVE_BODY_MOST];
    size_t size;
    bool too_large;
};

/* ---- replies ---- */

static const char html[] = "text/html; charset=utf-8";
static const char policy[] = "default-src 'none'; script-src 'self'; style-src 'self'; "
                             "connect-src 'self'; form-action 'self'; base-uri 'none'; "
                             "frame-ancestors 'none'";

static void add_headers(struct MHD_Response *response, const char *type, const char *allowed) {
    http()->add_response_header(response, "Content-Type", type);
    http()->add_response_header(response, "Cache-Control", "no-store");
    http()->add_response_header(response, "X-Content-Type-Options", "nosniff");
    http()->add_response_header(response, "Referrer-Policy", "no-referrer");
    http()->add_response_header(response, "Content-Security-Policy", allowed);
}

static enum MHD_Result reply(struct MHD_Connection *connection, unsigned status, const char *type,
                             const char *bytes, const char *header, const char *value) {
    struct MHD_Response *response = http()->create_response_from_buffer(
        strlen(bytes), (void *)(uintptr_t)bytes, MHD_RESPMEM_MUST_COPY);
    if (!response)
        return MHD_NO;
    add_headers(response, type, policy);
    if (header)
        http()->add_response_header(response, header, value);
    const enum MHD_Result queued = http()->queue_response(connection, status, response);
    http()->destroy_response(response);
    return queued;
}

static enum MHD_Result say(struct MHD_Connection *connection, unsigned status, const char *words) {
    struct text line = TEXT_INIT;
    text_append_format(&line, "%s\n", words);
    const bool ends = status == MHD_HTTP_TOO_MANY_REQUESTS || status == MHD_HTTP_CONTENT_TOO_LARGE;
    const enum MHD_Result queued = reply(connection, status, "text/plain; charset=utf-8", line.data,
                                         ends ? "Connection" : NULL, "close");
    text_release(&line);
    return queued;
}

static enum MHD_Result redirect_to(struct MHD_Connection *connection, const char *code) {
    struct text where = TEXT_INIT;
    text_append_format(&where, "%s/", code); /* relative: a proxy may have put a folder before it */
    const enum MHD_Result queued = reply(connection, MHD_HTTP_SEE_OTHER,
                                         "text/plain; charset=utf-8", "", "Location", where.data);
    text_release(&where);
    return queued;
}

/* The page has its own policy, with hashes of its content; only a header can forbid framing. */
struct MHD_Response *request_page(const struct server_options *opts, const char *cookie) {
    struct MHD_Response *response = http()->create_response_from_buffer(
        opts->page_size, (void *)(uintptr_t)opts->page, MHD_RESPMEM_PERSISTENT);
    if (!response)
        return NULL;
    add_headers(response, html, "frame-ancestors 'none'");
    if (cookie)
        http()->add_response_header(response, "Set-Cookie", cookie);
    return response;
}

/* The bytes are shared by all readers; only the cookie is the client's own. */
static enum MHD_Result reply_page(struct server *server, struct MHD_Connection *connection,
                                  const char *cookie) {
    if (!cookie)
        return http()->queue_response(connection, MHD_HTTP_OK, server->page);
    struct MHD_Response *response = request_page(&server->opts, cookie);
    if (!response)
        return MHD_NO;
    const enum MHD_Result queued = http()->queue_response(connection, MHD_HTTP_OK, response);
    http()->destroy_response(response);
    return queued;
}

/* ---- identifying the client ---- */

static enum MHD_Result keep_last(void *context, enum MHD_ValueKind kind UNUSED, const char *name,
                                 const char *value) {
    const char **last = context;
    if (strcasecmp(name, "X-Forwarded-For") == 0)
        *last = value;
    return MHD_YES;
}

/* The client's address as the proxy reports it. Only the last address in the list comes from the
 * proxy: a client can put others before it. */
static uint64_t proxied_client_key(struct MHD_Connection *connection) {
    const char *last = NULL;
    http()->get_connection_values(connection, MHD_HEADER_KIND, keep_last, &last);
    if (!last)
        return 0;
    if (strrchr(last, ','))
        last = strrchr(last, ',') + 1;
    return rate_key_named(last + strspn(last, " \t"));
}

static uint64_t client_key(const struct server *server, struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        http()->get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const uint64_t named = server->opts.proxy.url[0] ? proxied_client_key(connection) : 0;
    return named ? named : rate_key(info ? info->client_addr : NULL);
}

static struct room_student *student_of(struct server *server, struct MHD_Connection *connection) {
    const char *token = http()->lookup_connection_value(connection, MHD_COOKIE_KIND, COOKIE);
    return serve_is_token(token) ? room_find(server->opts.room, token) : NULL;
}

static enum MHD_Result admit_student(struct server *server, struct MHD_Connection *connection,
                                     bool plain) {
    struct text cookie = TEXT_INIT;
    char token[ROOM_TOKEN];
    const bool known = student_of(server, connection) != NULL;
    const uint64_t place = client_key(server, connection);
    server->changed |= !known;
    if (!known && !rate_take(&server->rate, RATE_NEWCOMERS, place, clock_milliseconds(), 1)) {
        tally_add(&server->turned_away);
        return say(connection, MHD_HTTP_TOO_MANY_REQUESTS,
                   _("Too many have joined from here: wait a minute, or tell your teacher."));
    }
    if (!known && (!server_token(token) || !room_join(server->opts.room, token, place)))
        return say(connection, MHD_HTTP_SERVICE_UNAVAILABLE, _("The room is full."));
    if (!known)
        tally_add(&server->came);
    if (!known)
        text_append_format(&cookie, COOKIE "=%s; HttpOnly; SameSite=Strict", token);
    const enum MHD_Result queued = server->page && !plain
                                       ? reply_page(server, connection, known ? NULL : cookie.data)
                                       : reply(connection, MHD_HTTP_OK, html, page_room,
                                               known ? NULL : "Set-Cookie", cookie.data);
    text_release(&cookie);
    return queued;
}

/* ---- an answer ---- */

static enum MHD_Result take_answer(struct server *server, struct MHD_Connection *connection,
                                   const struct request *request) {
    struct room *room = server->opts.room;
    struct room_student *student = student_of(server, connection);
    char typed[ANSWER_TEXT], normal[ANSWER_TEXT];
    unsigned round;
    bool right = false;
    if (!student)
        return say(connection, MHD_HTTP_FORBIDDEN, _("Open the page first."));
    if (student->streams == 0)
        return say(connection, MHD_HTTP_CONFLICT,
                   _("This page is not following the class: wait a moment, and send again."));
    if (!serve_answer_parse(request->body, request->size, &round, typed))
        return say(connection, MHD_HTTP_BAD_REQUEST, _("This is not an answer."));
    if (room->state != ROOM_ASKS || round != room->round)
        return say(connection, MHD_HTTP_CONFLICT, _("No answers are taken now."));
    struct text said = TEXT_INIT;
    enum MHD_Result queued;
    if (!server->opts.judge(server->opts.context, typed, normal, &right, &said))
        queued = say(connection, MHD_HTTP_UNPROCESSABLE_CONTENT, said.data);
    else if (room_answer(room, student, round, normal, right) != ROOM_TAKEN)
        queued = say(connection, MHD_HTTP_CONFLICT, _("You have answered already."));
    else {
        server->changed = true;
        queued = say(connection, MHD_HTTP_OK, message(normal));
    }
    text_release(&said);
    return queued;
}

/* ---- routes ---- */

static enum MHD_Result reply_door(struct server *server, struct MHD_Connection *connection) {
    const char *typed = http()->lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "code");
    if (typed && serve_is_code(typed, server->code))
        return redirect_to(connection, server->code);
    return reply(connection, MHD_HTTP_OK, html, page_door, NULL, NULL);
}

static enum MHD_Result send_events(struct server *server, struct MHD_Connection *connection) {
    struct room_student *student = student_of(server, connection);
    if (!student)
        return say(connection, MHD_HTTP_FORBIDDEN, _("Open the page first."));
    return events_begin(server, connection, student);
}

static enum MHD_Result reply_style(struct MHD_Connection *connection) {
    struct text style = TEXT_INIT;
    text_append(&style, page_style);
    frame_colours(&style);
    const enum MHD_Result queued =
        reply(connection, MHD_HTTP_OK, "text/css; charset=utf-8", style.data, NULL, NULL);
    text_release(&style);
    return queued;
}

static enum MHD_Result reply_route(struct server *server, struct MHD_Connection *connection,
                                   enum serve_route route, const struct request *request) {
    switch (route) {
    case ROUTE_DOOR:
        return reply_door(server, connection);
    case ROUTE_ROOM_BARE:
        return redirect_to(connection, server->code);
    case ROUTE_ROOM:
    case ROUTE_PLAIN:
        return admit_student(server, connection, route == ROUTE_PLAIN);
    case ROUTE_SCRIPT:
        return reply(connection, MHD_HTTP_OK, "text/javascript; charset=utf-8", page_script, NULL,
                     NULL);
    case ROUTE_STYLE:
        return reply_style(connection);
    case ROUTE_EVENTS:
        return send_events(server, connection);
    case ROUTE_ANSWER:
        return take_answer(server, connection, request);
    default:
        return say(connection, MHD_HTTP_NOT_FOUND,
                   _("There is no such page: the room code is on the wall."));
    }
}

/* Returns true if the request gives a room code; sets `*wrong` if that is not the room's. */
static bool gives_code(const struct server *server, struct MHD_Connection *connection,
                       enum serve_route route, bool *wrong) {
    *wrong = route == ROUTE_WRONG_CODE;
    if (route != ROUTE_DOOR)
        return route != ROUTE_NOWHERE;
    const char *typed = http()->lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "code");
    *wrong = typed && !serve_is_code(typed, server->code);
    return typed != NULL;
}

/* Handles clients that have not joined. Once a client's guesses are used up, a right code is
 * refused like a wrong one; otherwise the reply would reveal which code is right. admit_student()
 * counts newcomers. */
static bool stranger_may_ask(struct server *server, struct MHD_Connection *connection,
                             enum serve_route route) {
    const int64_t now = clock_milliseconds();
    const uint64_t place = client_key(server, connection);
    bool wrong;
    if (gives_code(server, connection, route, &wrong) &&
        (!rate_has(&server->rate, RATE_GUESSES, place, now, 1) ||
         !rate_has(&server->rate, RATE_CODES, 0, now, 1)))
        return false;
    if (wrong) {
        server->changed = true;
        tally_add(&server->guesses);
        return rate_take(&server->rate, RATE_GUESSES, place, now, 1) &&
               rate_take(&server->rate, RATE_CODES, 0, now, 1);
    }
    return route == ROUTE_ROOM || route == ROUTE_PLAIN ||
           rate_take(&server->rate, RATE_ADDRESS, place, now, 1);
}

static bool may_ask(struct server *server, struct MHD_Connection *connection,
                    enum serve_route route) {
    const struct room_student *student = student_of(server, connection);
    return student ? rate_take(&server->rate, RATE_STUDENT, student->number, clock_milliseconds(),
                               route == ROUTE_ROOM && server->page ? RATE_PAGE : 1)
                   : stranger_may_ask(server, connection, route);
}

/* The route within the room as it was before it was emptied; ROUTE_NOWHERE if there is none. */
static enum serve_route old_route_of(const struct server *server, const char *url) {
    const enum serve_route route =
        server->old_code[0] ? serve_route_of(url, server->old_code) : ROUTE_NOWHERE;
    return route >= ROUTE_ROOM_BARE ? route : ROUTE_NOWHERE;
}

/* Pages redirect to the door; requests from a page's script are refused, so the page reloads. */
static enum MHD_Result redirect_old(struct MHD_Connection *connection, enum serve_route old) {
    if (old == ROUTE_ROOM || old == ROUTE_PLAIN || old == ROUTE_ROOM_BARE)
        return redirect_to(connection, old == ROUTE_ROOM_BARE ? "." : "..");
    return say(connection, MHD_HTTP_GONE,
               _("The room was emptied: the new room code is on the wall."));
}

static bool is_own_host(const struct server *server, struct MHD_Connection *connection) {
    const char *const names[] = {server->opts.address.host, server->own_name,
                                 server->opts.proxy.host, NULL};
    return serve_host_allowed(
        http()->lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST), names);
}

static enum MHD_Result handle(struct server *server, struct MHD_Connection *connection,
                              const char *url, const char *method, const struct request *request) {
    const enum serve_route old = old_route_of(server, url);
    const enum serve_route route = old ? ROUTE_NOWHERE : serve_route_of(url, server->code);
    if (!is_own_host(server, connection))
        return say(connection, MHD_HTTP_MISDIRECTED_REQUEST,
                   _("The class is not at this address: open the address on the wall."));
    if (!may_ask(server, connection, route))
        return say(connection, MHD_HTTP_TOO_MANY_REQUESTS, _("Too many requests: wait a moment."));
    if (old)
        return redirect_old(connection, old);
    if (request->too_large)
        return say(connection, MHD_HTTP_CONTENT_TOO_LARGE, _("This is not an answer."));
    const bool posts = strcmp(method, MHD_HTTP_METHOD_POST) == 0;
    const bool gets = strcmp(method, MHD_HTTP_METHOD_GET) == 0;
    if (route == ROUTE_ANSWER ? !posts : !gets)
        return say(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "405");
    return reply_route(server, connection, route, request);
}

/* The library calls this once when the headers have arrived, for each part of a body, and at its
 * end. */
enum MHD_Result request_handle(void *context, struct MHD_Connection *connection, const char *url,
                               const char *method, const char *version UNUSED, const char *body,
                               size_t *body_size, void **state) {
    struct request *request = *state;
    if (!request) {
        *state = memory_zeroed(1, sizeof *request);
        return MHD_YES;
    }
    if (*body_size > 0) {
        if (*body_size > sizeof request->body - request->size)
            request->too_large = true;
        else {
            memcpy(request->body + request->size, body, *body_size);
            request->size += *body_size;
        }
        *body_size = 0;
        return MHD_YES;
    }
    visit_until(connection, SERVER_SECONDS_REPLY);
    return handle(context, connection, url, method, request);
}

void request_ended(void *context UNUSED, struct MHD_Connection *connection, void **request,
                   enum MHD_RequestTerminationCode how UNUSED) {
    visit_until(connection, SERVER_SECONDS);
    free(*request);
    *request = NULL;
}

/* ---- connections and their time ---- */

static struct visit *visit_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        http()->get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

void visit_until(struct MHD_Connection *connection, long seconds) {
    struct visit *visit = visit_of(connection);
    if (visit)
        visit->until = seconds < 0 ? INT64_MAX : clock_milliseconds() + seconds * 1000;
}

void visit_changed(void *context, struct MHD_Connection *connection, void **state,
                   enum MHD_ConnectionNotificationCode what) {
    struct server *server = context;
    struct visit *visit = *state;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            http()->get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        *state = visit = memory_zeroed(1, sizeof *visit);
        visit->descriptor = info ? info->connect_fd : -1;
        visit->until = clock_milliseconds() + SERVER_SECONDS * 1000;
        visit->next = server->visits;
        visit->link = &server->visits;
        if (visit->next)
            visit->next->link = &visit->next;
        server->visits = visit;
    } else if (visit) {
        *visit->link = visit->next;
        if (visit->next)
            visit->next->link = visit->link;
        free(visit);
        *state = NULL;
    }
}

void visits_end(struct server *server) {
    const int64_t now = clock_milliseconds();
    for (struct visit *visit = server->visits; visit; visit = visit->next)
        if (visit->until < now) {
            visit->until = INT64_MAX;
            shutdown(visit->descriptor, SHUT_RDWR); /* the library notices, and closes it */
        }
}
