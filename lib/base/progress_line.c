/*
 * A separate thread draws the line, so that a long task needs no timer and only stores numbers. All
 * output to standard error takes the lock first, so that the line is erased before another message
 * is printed.
 */
#include "base/progress_line.h"

#include "base/message.h"
#include "base/text/utf8.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __wasm__ /* a web page has no visible standard error */

void progress_line_begin(const char *what) {
    (void)what;
}
void progress_line_end(void) {}
void progress_line_set_text(const char *format, ...) {
    (void)format;
}
void progress_line_part(uint64_t done, uint64_t all) {
    (void)done, (void)all;
}
void progress_line_count(uint64_t done, uint64_t all) {
    (void)done, (void)all;
}
void progress_line_hold(void) {}
void progress_line_printed(const char *bytes, size_t count) {
    (void)bytes, (void)count;
}
void progress_line_on_screen(bool on_screen) {
    (void)on_screen;
}
void progress_line_corner(int columns) {
    (void)columns;
}
bool progress_line_was_drawn(void) {
    return false;
}

#else

#include "base/clock.h"

#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define FIRST_AFTER 1000 /* milliseconds, after which most commands have ended */
#define AGAIN_AFTER 250
#define QUIET_FOR   500 /* after something else was printed */
#define DEPTH_MOST  4   /* nested tasks; deeper ones are not shown */
#define WHAT_MOST   240 /* bytes */

struct task {
    char what[WHAT_MOST];
    uint64_t done, all; /* the total; 0 if it is not known */
    bool counted;       /* "12 of 1000" rather than a percentage */
};

/* One for the whole program, like standard error. The lock guards the members after it, except the
 * `done`, `all` and `counted` of a task, which are atomic. */
static struct {
    bool enabled;
    pid_t process; /* the process that began the task; one forked meanwhile shows nothing */
    unsigned depth;
    long began;
    pthread_t thread;
    bool has_thread;
    pthread_mutex_t lock;
    pthread_cond_t ends;
    struct task task[DEPTH_MOST];
    unsigned top;               /* index of the task that is shown */
    char text[WHAT_MOST + 128]; /* as last drawn */
    bool ending, shown, held, within_line;
    bool on_screen, marred; /* a screen has the terminal; the line was drawn over it */
    int corner;             /* columns at the end of its first row for the line; 0: the last row */
    long next;              /* not drawn before this time, in milliseconds */
    long again;             /* milliseconds between two lines; 0: each change is drawn */
} line = {.lock = PTHREAD_MUTEX_INITIALIZER, .ends = PTHREAD_COND_INITIALIZER};

static int where(void) {
    return line.on_screen ? STDOUT_FILENO : STDERR_FILENO;
}

/* Does not use stdio, because a process that is forked meanwhile would inherit the lock of its
 * stream. */
static void put(const char *bytes, size_t count) {
    if (write(where(), bytes, count) < 0)
        return; /* the terminal is gone */
}

/* A screen is redrawn by its owner. */
static void erase_line(void) {
    if (line.shown && !line.on_screen)
        put("\r\033[K", 4);
    line.shown = false;
}

/* Writes the line in one row of the terminal, so that it can be erased; over a screen it is drawn
 * in the corner left for it or in the last row, after which the cursor returns. */
static void put_line(const char *text) {
    struct winsize size;
    const bool known = ioctl(where(), TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    const int columns = known ? size.ws_col : 80, most = columns - 1, corner = line.corner;
    char bytes[2 * sizeof line.text];
    int count;
    if (line.on_screen && corner > 0 && corner < most) {
        const int width = utf8_columns(text);
        count = snprintf(bytes, sizeof bytes, "\0337\033[1;%dH\033[0m%*s%.*s\0338",
                         columns - corner, width < corner ? corner - width : 0, "",
                         (int)utf8_cut_columns(text, corner), text);
    } else if (line.on_screen) {
        count = snprintf(bytes, sizeof bytes, "\0337\033[%d;1H\033[0m\033[K%.*s\0338",
                         known ? size.ws_row : 24, (int)utf8_cut_columns(text, most), text);
    } else {
        count =
            snprintf(bytes, sizeof bytes, "\r\033[K%.*s", (int)utf8_cut_columns(text, most), text);
    }
    put(bytes, (size_t)count);
    line.marred = line.marred || line.on_screen;
}

static void draw(long now) {
    const struct task *task = &line.task[line.top];
    const uint64_t all = __atomic_load_n(&task->all, __ATOMIC_RELAXED);
    const uint64_t done = __atomic_load_n(&task->done, __ATOMIC_RELAXED);
    const long seconds = (now - line.began) / 1000;
    char text[sizeof line.text];
    /* Left out over a screen, where it is clear that shflviz is running. */
    const char *const prefix = _("shflviz: ");
    const size_t begin = strlen(prefix), room = sizeof text - begin;
    char *const rest = strcpy(text, prefix) + begin;
    if (all == 0)
        utf8_format(rest, room, _("%s, %ld s"), task->what, seconds);
    else if (__atomic_load_n(&task->counted, __ATOMIC_RELAXED))
        utf8_format(rest, room, _("%s: %" PRIu64 " of %" PRIu64 ", %ld s"), task->what, done, all,
                    seconds);
    else
        utf8_format(rest, room, _("%s: %d%%, %ld s"), task->what,
                    (int)((double)done / (double)all * 100), seconds);
    line.next = now + line.again;
    if (line.shown && strcmp(text, line.text) == 0)
        return;
    memcpy(line.text, text, sizeof text);
    put_line(line.on_screen ? rest : text);
    line.shown = true;
}

static void draw_if_due(void) {
    const long now = clock_milliseconds();
    if (!line.held && !line.within_line && now >= line.next)
        draw(now);
}

static void *keep_drawing(void *unused) {
    (void)unused;
    pthread_mutex_lock(&line.lock);
    while (!line.ending) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 50 * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&line.ends, &line.lock, &until);
        if (!line.ending && line.again)
            draw_if_due();
    }
    pthread_mutex_unlock(&line.lock);
    return NULL;
}

/* Reads SHFLVIZ_PROGRESS, which the manual describes. */
static bool wanted(long *first, long *again) {
    const char *terminal = getenv("TERM"), *setting = getenv("SHFLVIZ_PROGRESS");
    *first = FIRST_AFTER;
    *again = AGAIN_AFTER;
    if (setting && strcmp(setting, "never") == 0)
        return false;
    if (setting && strcmp(setting, "always") == 0)
        *first = *again = 0;
    return isatty(where()) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

/* Blocks all signals in the new thread: the main thread handles them. */
static void start_thread(void) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    line.ending = false;
    line.has_thread = pthread_create(&line.thread, NULL, keep_drawing, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static bool is_mine(void) {
    return line.enabled && line.depth > 0 && line.process == getpid();
}

static void set_progress(bool counted, uint64_t done, uint64_t all) {
    struct task *task = &line.task[line.top];
    __atomic_store_n(&task->counted, counted, __ATOMIC_RELAXED);
    __atomic_store_n(&task->done, done, __ATOMIC_RELAXED);
    __atomic_store_n(&task->all, all, __ATOMIC_RELAXED);
}

void progress_line_begin(const char *what) {
    long first;
    if (line.depth > 0 && line.process != getpid())
        return;
    if (line.depth++ == 0) {
        line.process = getpid();
        line.enabled = wanted(&first, &line.again);
        if (!line.enabled)
            return;
        line.began = clock_milliseconds();
        line.next = line.began + first;
        line.top = 0;
        line.held = line.within_line = line.shown = false;
        start_thread();
    }
    if (!line.enabled || line.depth > DEPTH_MOST)
        return;
    pthread_mutex_lock(&line.lock);
    line.top = line.depth - 1;
    utf8_format(line.task[line.top].what, WHAT_MOST, "%s", what);
    set_progress(false, 0, 0);
    draw_if_due();
    pthread_mutex_unlock(&line.lock);
}

void progress_line_end(void) {
    if (line.depth == 0 || line.process != getpid())
        return;
    if (line.enabled) {
        pthread_mutex_lock(&line.lock);
        if (line.depth == 1) {
            erase_line();
            line.ending = true;
            pthread_cond_signal(&line.ends);
        } else if (line.depth <= DEPTH_MOST) {
            line.top--;
        }
        pthread_mutex_unlock(&line.lock);
        if (line.depth == 1 && line.has_thread)
            pthread_join(line.thread, NULL);
    }
    line.depth--;
}

void progress_line_set_text(const char *format, ...) {
    va_list arguments;
    if (!is_mine() || line.depth > DEPTH_MOST)
        return;
    pthread_mutex_lock(&line.lock);
    va_start(arguments, format);
    utf8_vformat(line.task[line.top].what, WHAT_MOST, format, arguments);
    va_end(arguments);
    set_progress(false, 0, 0);
    draw_if_due();
    pthread_mutex_unlock(&line.lock);
}

/* The thread draws it, unless every change must be drawn immediately. */
static void advance(bool counted, uint64_t done, uint64_t all) {
    if (!line.enabled || line.depth == 0 || line.depth > DEPTH_MOST)
        return;
    set_progress(counted, done, all);
    if (line.again == 0 && is_mine()) {
        pthread_mutex_lock(&line.lock);
        draw_if_due();
        pthread_mutex_unlock(&line.lock);
    }
}

void progress_line_part(uint64_t done, uint64_t all) {
    advance(false, done, all);
}

void progress_line_count(uint64_t done, uint64_t all) {
    advance(true, done, all);
}

void progress_line_hold(void) {
    if (!is_mine())
        return;
    pthread_mutex_lock(&line.lock);
    erase_line();
    line.held = true;
    pthread_mutex_unlock(&line.lock);
}

void progress_line_printed(const char *bytes, size_t count) {
    if (!is_mine())
        return;
    pthread_mutex_lock(&line.lock);
    const long quiet = clock_milliseconds() + QUIET_FOR;
    line.held = false;
    if (bytes && count)
        line.within_line = bytes[count - 1] != '\n';
    if (line.again && quiet > line.next)
        line.next = quiet;
    pthread_mutex_unlock(&line.lock);
}

void progress_line_on_screen(bool on_screen) {
    pthread_mutex_lock(&line.lock);
    erase_line();
    line.on_screen = on_screen;
    line.marred = false;
    pthread_mutex_unlock(&line.lock);
}

void progress_line_corner(int columns) {
    pthread_mutex_lock(&line.lock);
    line.corner = columns;
    pthread_mutex_unlock(&line.lock);
}

bool progress_line_was_drawn(void) {
    const bool marred = line.marred;
    line.marred = false;
    return marred;
}

#endif
