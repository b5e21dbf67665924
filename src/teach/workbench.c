#include "teach/workbench.h"

#include "base/message.h"
#include "base/text/utf8.h"

static void say(struct workbench *bench, const char *message) {
    utf8_format(bench->message, sizeof bench->message, "%s", message);
}

static void open_hint(struct workbench *bench) {
    if (bench->hints_open < bench->hint_count)
        bench->hints_open++;
    else
        say(bench, _("there are no more hints"));
}

static void look(struct workbench *bench) {
    if (bench->state == WORKBENCH_PASSED)
        say(bench, _("nothing is wrong; s shows a solution to compare with"));
    else if (bench->can_look)
        bench->request = WORKBENCH_LOOK;
    else
        say(bench, _("nothing that can be shown was recorded"));
}

static void toggle_solution(struct workbench *bench) {
    if (bench->state == WORKBENCH_PASSED) {
        bench->solution_open = !bench->solution_open;
        if (bench->solution_open && !bench->solution_operations)
            bench->request = WORKBENCH_COUNT;
    } else
        say(bench,
            _("solve the exercise first; shflviz exercise NAME --solution prints a solution"));
}

static void go_on(struct workbench *bench) {
    if (bench->state != WORKBENCH_PASSED)
        say(bench, _("solve this exercise first; q goes back"));
    else if (bench->next)
        bench->request = WORKBENCH_NEXT;
    else
        say(bench, _("this was the last exercise"));
}

static void scroll(struct workbench *bench, int lines) {
    bench->scroll = bench->scroll + lines < 0 ? 0 : bench->scroll + lines;
}

bool workbench_apply(struct workbench *bench, enum action action) {
    bench->message[0] = '\0';
    if (action != ACTION_HELP)
        bench->help = false;
    switch (action) {
    case ACTION_EDIT:
        bench->request = WORKBENCH_EDIT;
        return true;
    case ACTION_HINT:
        open_hint(bench);
        return true;
    case ACTION_CONTINUE:
        look(bench);
        return true;
    case ACTION_REVEAL:
        toggle_solution(bench);
        return true;
    case ACTION_LESSON_NEXT:
        go_on(bench);
        return true;
    case ACTION_CANCEL:
        bench->quit = true;
        return true;
    case ACTION_RESTART:
        bench->request = WORKBENCH_AGAIN;
        return true;
    case ACTION_SCROLL_DOWN:
    case ACTION_PHASE_NEXT: /* the wheel */
        scroll(bench, 1);
        return true;
    case ACTION_SCROLL_UP:
    case ACTION_PHASE_PREVIOUS:
        scroll(bench, -1);
        return true;
    case ACTION_HELP:
        bench->help = !bench->help;
        return true;
    case ACTION_QUIT:
        bench->quit = true;
        return true;
    default:
        return true;
    }
}

struct press workbench_press(const struct workbench *bench, const char *key) {
    return action_help_press(bench->help, action_press(ACTION_MODE_EXERCISE, key));
}

enum workbench_request workbench_take_request(struct workbench *bench) {
    const enum workbench_request request = bench->request;
    bench->request = WORKBENCH_NOTHING;
    return request;
}

void workbench_judged(struct workbench *bench, enum workbench_state state, const char *verdict,
                      bool can_look) {
    bench->state = state;
    bench->verdict = verdict;
    bench->can_look = can_look;
    bench->scroll = 0;
    bench->message[0] = '\0';
    if (state != WORKBENCH_PASSED)
        bench->solution_open = false;
}
