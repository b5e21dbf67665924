/* The server: its socket, its address as text, and its deadlines. */
#include "serve/server.h"

#include "base/memory.h"
#include "base/message.h"
#include "serve/server_parts.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONNECTION_MEMORY        (16 * 1024) /* headers of a request, and a block of a reply */
#define SERVER_CONNECTIONS_LEAST 900         /* below 1024, the usual limit of open files */
#define FILES_APART              100
#define LOOK_MILLISECONDS        1000
#define MINUTE                   60000 /* milliseconds */
#define POLL_MILLISECONDS        20    /* used if there is no descriptor to wait for */

bool server_is_built(void) {
    return true;
}

int server_load(struct error *err) {
    return libraries_load(err) ? 0 : -1;
}

const struct libraries *http(void) {
    return libraries_load(NULL);
}

/* ---- randomness ---- */

bool server_token(char token[ROOM_TOKEN]) {
    unsigned char bytes[(ROOM_TOKEN - 1) / 2];
    if (getentropy(bytes, sizeof bytes) != 0)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

bool server_random_code(char code[SERVE_CODE + 1]) {
    const unsigned letters = (unsigned)strlen(serve_code_letters), fair = 256 - 256 % letters;
    for (size_t i = 0; i < SERVE_CODE;) {
        unsigned char byte;
        if (getentropy(&byte, 1) != 0)
            return false;
        if (byte < fair)
            code[i++] = serve_code_letters[byte % letters];
    }
    code[SERVE_CODE] = '\0';
    return true;
}

/* ---- the address in words ---- */

/* The first address of this machine that others may reach; false if there is none. */
static bool external_address(char *host, size_t size) {
    struct ifaddrs *all;
    bool found = false;
    if (getifaddrs(&all) != 0)
        return false;
    for (const struct ifaddrs *one = all; one && !found; one = one->ifa_next)
        if (one->ifa_addr && one->ifa_addr->sa_family == AF_INET &&
            !(one->ifa_flags & IFF_LOOPBACK) && one->ifa_flags & IFF_UP)
            found = getnameinfo(one->ifa_addr, sizeof(struct sockaddr_in), host, (socklen_t)size,
                                NULL, 0, NI_NUMERICHOST) == 0;
    freeifaddrs(all);
    return found;
}

static void set_url(struct server *server) {
    char host[SERVE_HOST_SIZE];
    const char *given = server->opts.address.host;
    text_clear(&server->url);
    if (server->opts.proxy.url[0]) {
        text_append_format(&server->url, "%s%s/", server->opts.proxy.url, server->code);
        return;
    }
    snprintf(host, sizeof host, "%s", given);
    if ((strcmp(given, "0.0.0.0") == 0 || strcmp(given, "::") == 0) &&
        !external_address(host, sizeof host))
        snprintf(host, sizeof host, "127.0.0.1");
    const bool six = strchr(host, ':') != NULL;
    text_append_format(&server->url, "http://%s%s%s:%u/%s/", six ? "[" : "", host, six ? "]" : "",
                       (unsigned)server->port, server->code);
}

/* ---- opening ---- */

static int refuse(const struct server_options *opts, const char *why, struct error *err) {
    return error_set(
        err, ERROR_USAGE,
        _("--serve: cannot listen on %s, port %u: %s\ntry: another port, or 0 for any free port"),
        opts->address.host, (unsigned)opts->address.port, why);
}

static int new_listener(int family, int *descriptor) {
    const int yes = 1;
    *descriptor = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*descriptor >= 0)
        setsockopt(*descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    return *descriptor < 0 ? -1 : 0;
}

/* Opens a socket that listens at the first address that works. */
static int listen_at(const struct server_options *opts, int *descriptor, struct error *err) {
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *found = NULL;
    char port[8];
    int trouble = 0;
    snprintf(port, sizeof port, "%u", (unsigned)opts->address.port);
    const int looked = getaddrinfo(opts->address.host, port, &hints, &found);
    if (looked != 0)
        return refuse(opts, gai_strerror(looked), err);
    *descriptor = -1;
    for (const struct addrinfo *one = found; one && *descriptor < 0; one = one->ai_next) {
        if (new_listener(one->ai_family, descriptor) == 0 &&
            bind(*descriptor, one->ai_addr, one->ai_addrlen) == 0 &&
            listen(*descriptor, SOMAXCONN) == 0)
            break;
        trouble = errno;
        if (*descriptor >= 0)
            close(*descriptor);
        *descriptor = -1;
    }
    freeaddrinfo(found);
    return *descriptor >= 0 ? 0 : refuse(opts, strerror(trouble), err);
}

static uint16_t port_of(int descriptor) {
    struct sockaddr_storage address = {0};
    socklen_t length = sizeof address;
    getsockname(descriptor, (struct sockaddr *)&address, &length);
    if (address.ss_family == AF_INET6)
        return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
    return ntohs(((struct sockaddr_in *)&address)->sin_port);
}

/* The number of connections that the limit on open files allows; raises that limit if necessary. */
static unsigned connection_limit(void) {
    const rlim_t wanted = SERVER_CONNECTIONS + FILES_APART;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return SERVER_CONNECTIONS_LEAST;
    if (limit.rlim_cur < wanted) {
        limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
        setrlimit(RLIMIT_NOFILE, &limit);
        getrlimit(RLIMIT_NOFILE, &limit);
    }
    return limit.rlim_cur >= wanted ? SERVER_CONNECTIONS : SERVER_CONNECTIONS_LEAST;
}

static int random_failed(struct error *err) {
    return error_set(err, ERROR_MISSING, _("--serve: no random numbers from this system"));
}

static int start(struct server *server, struct error *err) {
    const unsigned epoll =
        http()->is_feature_supported(MHD_FEATURE_EPOLL) == MHD_YES ? MHD_USE_EPOLL : 0;
    int descriptor;
    if (!server_random_code(server->code))
        return random_failed(err);
    if (listen_at(&server->opts, &descriptor, err) != 0)
        return -1;
    server->port = port_of(descriptor);
    set_url(server);
    server->on_pipe = signal(SIGPIPE, SIG_IGN); /* a client that leaves in the middle of a reply
                                                 * must not end the program */
    server->daemon = http()->start_daemon(
        epoll | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, request_handle, server,
        MHD_OPTION_LISTEN_SOCKET, descriptor, MHD_OPTION_NOTIFY_COMPLETED, request_ended, NULL,
        MHD_OPTION_CONNECTION_LIMIT, connection_limit(), MHD_OPTION_NOTIFY_CONNECTION,
        visit_changed, server, MHD_OPTION_PER_IP_CONNECTION_LIMIT,
        server->opts.proxy.url[0] ? connection_limit() : (unsigned)SERVER_ONE_ADDRESS,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SERVER_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_MEMORY, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
    if (server->daemon)
        return 0;
    close(descriptor);
    return refuse(&server->opts, strerror(errno), err);
}

int server_open(struct server **opened, const struct server_options *opts, struct error *err) {
    *opened = NULL;
    if (server_load(err) != 0)
        return -1;
    struct server *server = *opened = memory_zeroed(1, sizeof *server);
    server->opts = *opts;
    server->on_pipe = SIG_ERR;
    if (gethostname(server->own_name, sizeof server->own_name - 1) != 0)
        server->own_name[0] = '\0';
    server->page = opts->page ? request_page(opts, NULL) : NULL;
    text_init(&server->url);
    server->beat = clock_milliseconds();
    if (start(server, err) == 0)
        return 0;
    server_close(server);
    *opened = NULL;
    return -1;
}

void server_close(struct server *server) {
    if (!server)
        return;
    server->closing = true;
    events_wake(server);
    if (server->daemon) {
        http()->run(server->daemon);
        http()->stop_daemon(server->daemon);
    }
    if (server->on_pipe != SIG_ERR)
        signal(SIGPIPE, server->on_pipe);
    if (server->page)
        http()->destroy_response(server->page);
    frame_release(server->frame);
    text_release(&server->url);
    free(server);
}

int server_reset(struct server *server, struct error *err) {
    char code[SERVE_CODE + 1];
    if (!server_random_code(code))
        return random_failed(err);
    memcpy(server->old_code, server->code, sizeof code);
    memcpy(server->code, code, sizeof code);
    set_url(server);
    events_end(server);
    room_clear(server->opts.room);
    server->rate = (struct rate){0};
    server->came = server->turned_away = server->guesses = (struct tally){0};
    http()->run(server->daemon);
    return 0;
}

/* ---- running ---- */

void tally_add(struct tally *tally) {
    const int64_t now = clock_milliseconds();
    if (tally->count == 0 || now - tally->since >= MINUTE)
        *tally = (struct tally){now, 0};
    tally->count++;
}

static unsigned tally_of(const struct tally *tally) {
    return clock_milliseconds() - tally->since < MINUTE ? tally->count : 0;
}

struct server_minute server_minute(const struct server *server) {
    return (struct server_minute){tally_of(&server->came), tally_of(&server->turned_away),
                                  tally_of(&server->guesses)};
}

/* Forgets the events if their minute is over; true if there were any. */
static bool forget(struct tally *tally) {
    const bool is_over = tally->count > 0 && tally_of(tally) == 0;
    if (is_over)
        tally->count = 0;
    return is_over;
}

const char *server_url(const struct server *server) {
    return server->url.data;
}

bool server_is_local(const struct server *server) {
    return !server->opts.proxy.url[0] && (strncmp(server->url.data, "http://127.", 11) == 0 ||
                                          strncmp(server->url.data, "http://[::1]", 12) == 0 ||
                                          strncmp(server->url.data, "http://localhost:", 17) == 0);
}

const char *server_code(const struct server *server) {
    return server->code;
}

void server_publish(struct server *server, const char *json) {
    struct text event = TEXT_INIT;
    struct frame *frame = memory_zeroed(1, sizeof *frame);
    text_append_format(&event, "event: frame\ndata: %s\n\n", json);
    frame->length = event.length;
    frame->bytes = text_detach(&event);
    frame->holders = 1;
    frame_release(server->frame);
    server->frame = frame;
    server->frames++;
    events_wake(server);
    http()->run(server->daemon);
}

int server_descriptor(const struct server *server) {
    const union MHD_DaemonInfo *info =
        http()->get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

long server_wait(const struct server *server) {
    MHD_UNSIGNED_LONG_LONG milliseconds;
    int64_t least = server->beat + SERVER_BEAT - clock_milliseconds();
    if (http()->get_timeout(server->daemon, &milliseconds) == MHD_YES &&
        (int64_t)milliseconds < least)
        least = (int64_t)milliseconds;
    if (server_descriptor(server) < 0 && least > POLL_MILLISECONDS)
        least = POLL_MILLISECONDS;
    return least > 0 ? (long)least : 0;
}

bool server_run(struct server *server) {
    if (clock_milliseconds() - server->beat >= SERVER_BEAT) {
        server->beat = clock_milliseconds();
        events_heartbeat(server);
    }
    if (clock_milliseconds() - server->looked >= LOOK_MILLISECONDS) {
        server->looked = clock_milliseconds();
        visits_end(server);
        server->changed |= forget(&server->came);
        server->changed |= forget(&server->turned_away);
        server->changed |= forget(&server->guesses);
    }
    http()->run(server->daemon);
    const bool changed = server->changed;
    server->changed = false;
    return changed;
}
