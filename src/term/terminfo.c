#include "term/terminfo.h"

#include "base/message.h"
#include "base/program.h"
#include "base/text/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <term.h>

bool terminfo_has(const char *capability) {
    const char *value = tigetstr(capability);
    return value && value != (char *)-1;
}

bool terminfo_is_like_xterm(const char *term) {
    static const char *const names[] = {"xterm",   "tmux",  "rxvt",  "alacritty", "foot",
                                        "konsole", "kitty", "st-",   "wezterm",   "contour",
                                        "vte",     "gnome", "iterm", "mintty",    "ghostty"};

    for (size_t i = 0; term && i < sizeof(names) / sizeof(names[0]); i++)
        if (strncmp(term, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

bool terminfo_has_bracketed_paste(const char *term) {
    static const char screen[] = "screen"; /* GNU screen, and tmux's default type */

    return terminfo_is_like_xterm(term) || (term && strncmp(term, screen, strlen(screen)) == 0);
}

/* The end of every complaint about a terminal. */
const char *terminfo_other_formats(void) {
    return _("To see the steps without a screen: --format text, json, jsonl or csv.");
}

bool terminfo_is_known(const char *term, int descriptor) {
    int status = 0;

    if (setupterm(term, descriptor, &status) != 0)
        return false;
    del_curterm(cur_term);
    return true;
}

/* A portable package has its own descriptions, for systems without them (packaging/wheel). */
static void use_own_descriptions(void) {
    const char *others = getenv("TERMINFO_DIRS");
    struct text own = TEXT_INIT, folders = TEXT_INIT;
    program_folder(&own);
    text_append(&own, SHFLVIZ_TERMINFO_FROM_PROGRAM);
    if (access(own.data, R_OK) == 0 && !(others && strstr(others, own.data))) {
        text_append_format(&folders, "%s%s%s", others ? others : "", others ? ":" : "", own.data);
        setenv("TERMINFO_DIRS", folders.data, 1);
    }
    text_release(&own);
    text_release(&folders);
}

const char *terminfo_described(const char *term, int descriptor) {
    static const char *const types[] = {"xterm-256color", "xterm", "vt100", "ansi"};

    if (!term || !*term || terminfo_is_known(term, descriptor))
        return term;
    use_own_descriptions();
    if (terminfo_is_known(term, descriptor))
        return term;
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (terminfo_is_known(types[i], descriptor)) {
            fprintf(stderr,
                    _("shflviz: no description of the terminal type '%s' (from TERM) is installed; "
                      "using %s\n"),
                    utf8_name(term), types[i]);
            return types[i];
        }
    return term;
}

/* Appends a capability of the terminal without its padding, which only hardware terminals need. */
static void append_capability(struct text *text, const char *value) {
    if (!value || value == (char *)-1)
        return;
    while (*value) {
        const char *end = strncmp(value, "$<", 2) == 0 ? strchr(value, '>') : NULL;

        if (end)
            value = end + 1;
        else
            text_append_char(text, *value++);
    }
}

static void append_leaving(struct text *bytes) {
    if (terminfo_has("XM"))
        append_capability(bytes, tiparm(tigetstr("XM"), 0));
    else if (terminfo_has("kmous"))
        text_append(bytes, "\033[?1000l");
    append_capability(bytes, tigetstr("sgr0"));
    append_capability(bytes, tigetstr("op"));
    append_capability(bytes, tigetstr("rmkx"));
    append_capability(bytes, tigetstr("cnorm"));
    if (terminfo_has("rmcup"))
        append_capability(bytes, tigetstr("rmcup"));
    else
        text_append(bytes, "\r\n");
}

/* Checks that the terminal type is known and can do what a screen needs. */
int terminfo_check(const char *term, int descriptor, struct text *leaving, struct error *err) {
    int status = 0;
    bool usable;

    if (!term || !*term)
        return error_set(err, ERROR_USAGE,
                         _("the terminal's type is not known: TERM is not set.\nSet it to the "
                           "terminal's type, as in TERM=xterm.\n%s"),
                         terminfo_other_formats());
    if (setupterm(term, descriptor, &status) != 0)
        return error_set(err, ERROR_USAGE,
                         _("no description of the terminal type '%s' (from TERM) is installed.\n"
                           "Try TERM=xterm-256color, or install your system's package of further "
                           "terminal descriptions (ncurses-term).\n%s"),
                         term, terminfo_other_formats());
    usable = terminfo_has("cup") && terminfo_has("clear");
    append_leaving(leaving);
    del_curterm(cur_term);
    if (!usable)
        return error_set(err, ERROR_USAGE,
                         _("the terminal type '%s' (from TERM) cannot move its cursor, which a "
                           "screen needs.\nIf the terminal can move its cursor, set TERM to a type "
                           "that says so, as in TERM=xterm.\n%s"),
                         term, terminfo_other_formats());
    return 0;
}
