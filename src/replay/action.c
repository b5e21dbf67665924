#include "replay/action.h"

#include "base/message.h"

#include <string.h>

#define REPLAY   (1u << ACTION_PLACE_REPLAY)
#define LESSON   (1u << ACTION_PLACE_LESSON)
#define QUESTION (1u << ACTION_PLACE_QUESTION)
#define LIST     (1u << ACTION_PLACE_LIST)
#define QUIZ     (1u << ACTION_PLACE_QUIZ)
/* A picture that one may look around in. */
#define PICTURE (REPLAY | LESSON | QUIZ)
#define ALL     (PICTURE | QUESTION | LIST)

/* The order is that of the help screen: what a newcomer needs first stands first. The rows of a
 * replay stand before all others. */
static const struct action_info actions[] = {
    {ACTION_PHASE_NEXT,
     "phase-next",
     {"Right", "l", "Space", "PageDown"},
     N_("next phase"),
     N_("phase"),
     0,
     true,
     REPLAY},
    {ACTION_PHASE_PREVIOUS,
     "phase-previous",
     {"Left", "h", "PageUp", "Backspace"},
     N_("previous phase"),
     NULL,
     0,
     true,
     REPLAY},
    {ACTION_OPERATION_NEXT,
     "operation-next",
     {"n"},
     N_("next operation"),
     N_("operation"),
     0,
     true,
     PICTURE},
    {ACTION_OPERATION_PREVIOUS,
     "operation-previous",
     {"N"},
     N_("previous operation"),
     NULL,
     0,
     true,
     PICTURE},
    {ACTION_OPERATION_FIRST,
     "operation-first",
     {"g", "Home"},
     N_("first operation"),
     NULL,
     0,
     true,
     PICTURE},
    {ACTION_OPERATION_LAST,
     "operation-last",
     {"G", "End"},
     N_("last operation"),
     NULL,
     0,
     true,
     PICTURE},
    {ACTION_LANE_NEXT, "lane-next", {"Down", "j"}, N_("next lane"), N_("lane"), 0, true, PICTURE},
    {ACTION_LANE_PREVIOUS,
     "lane-previous",
     {"Up", "k"},
     N_("previous lane"),
     NULL,
     0,
     true,
     PICTURE},
    {ACTION_WARP_NEXT, "warp-next", {"w"}, N_("next warp"), NULL, 0, true, PICTURE},
    {ACTION_WARP_PREVIOUS, "warp-previous", {"W"}, N_("previous warp"), NULL, 0, true, PICTURE},
    {ACTION_BLOCK_NEXT, "block-next", {"b"}, N_("next block"), NULL, 0, true, PICTURE},
    {ACTION_BLOCK_PREVIOUS, "block-previous", {"B"}, N_("previous block"), NULL, 0, true, PICTURE},
    {ACTION_VIEW_NEXT, "view-next", {"Tab"}, N_("next view"), N_("view"), 0, false, PICTURE},
    {ACTION_VIEW_PREVIOUS,
     "view-previous",
     {"BackTab"},
     N_("previous view"),
     NULL,
     0,
     false,
     PICTURE},
    {ACTION_VIEW_GO, "view-lanes", {"1"}, N_("lane table"), NULL, 0, false, PICTURE},
    {ACTION_VIEW_GO, "view-wires", {"2"}, N_("wires"), NULL, 1, false, PICTURE},
    {ACTION_VIEW_GO, "view-history", {"3"}, N_("history"), NULL, 2, false, PICTURE},
    {ACTION_VIEW_GO, "view-source", {"4"}, N_("source"), NULL, 3, false, PICTURE},
    {ACTION_VIEW_GO, "view-explain", {"5"}, N_("explanation"), NULL, 4, false, PICTURE},
    {ACTION_PLAY, "play", {"a"}, N_("play and pause"), N_("play"), 0, false, REPLAY},
    {ACTION_FASTER, "faster", {"+", "="}, N_("play faster"), NULL, 0, false, REPLAY | LESSON},
    {ACTION_SLOWER, "slower", {"-"}, N_("play slower"), NULL, 0, false, REPLAY | LESSON},
    {ACTION_PREDICT, "predict", {"p"}, N_("predict"), N_("predict"), 0, false, REPLAY},
    {ACTION_FIND, "find", {"/"}, N_("find"), N_("find"), 0, false, PICTURE},
    {ACTION_FIND_NEXT, "find-next", {";"}, N_("find the next"), NULL, 0, false, PICTURE},
    {ACTION_HELP, "help", {"?", "F1"}, N_("these keys"), N_("help"), 0, false, PICTURE | LIST},
    {ACTION_CANCEL, "cancel", {"Escape"}, N_("close, cancel"), NULL, 0, false, PICTURE | LIST},
    {ACTION_REDRAW, "redraw", {"Ctrl-L"}, N_("draw again"), NULL, 0, false, ALL},
    {ACTION_QUIT, "quit", {"q"}, N_("quit"), N_("quit"), 0, false, REPLAY | LIST | QUIZ},

    /* A lesson, and the picture beside it. */
    {ACTION_BEAT_NEXT,
     "beat-next",
     {"Right", "l", "Space", "PageDown"},
     N_("go on"),
     N_("go on"),
     0,
     false,
     LESSON},
    {ACTION_BEAT_PREVIOUS,
     "beat-previous",
     {"Left", "h", "PageUp", "Backspace"},
     N_("go back"),
     N_("back"),
     0,
     false,
     LESSON},
    {ACTION_CONTINUE,
     "continue",
     {"Enter"},
     N_("go on, or back to the lesson"),
     NULL,
     0,
     false,
     LESSON},
    {ACTION_PREDICT,
     "ask-again",
     {"p"},
     N_("ask the question again, or predict"),
     NULL,
     0,
     false,
     LESSON},
    {ACTION_BEAT_PROMPT,
     "beat-prompt",
     {":"},
     N_("go to a beat by its number"),
     N_("beat"),
     0,
     false,
     LESSON | QUESTION},
    {ACTION_PLAY, "go-on-alone", {"a"}, N_("go on by itself"), NULL, 0, false, LESSON},
    {ACTION_BLACK, "black", {"."}, N_("black screen"), NULL, 0, false, LESSON | QUESTION},
    {ACTION_SCROLL_DOWN,
     "scroll-down",
     {"J"},
     N_("scroll the text down"),
     NULL,
     0,
     false,
     LESSON | QUESTION},
    {ACTION_SCROLL_UP,
     "scroll-up",
     {"K"},
     N_("scroll the text up"),
     NULL,
     0,
     false,
     LESSON | QUESTION},
    {ACTION_RESTART, "restart", {"R"}, N_("begin the lesson again"), NULL, 0, false, LESSON},
    {ACTION_QUIT, "leave", {"q"}, N_("leave the lesson"), N_("leave"), 0, false, LESSON | QUESTION},

    /* An open question, of a lesson or of a quiz. */
    {ACTION_CONTINUE,
     "answer",
     {"Enter"},
     N_("give the answer that was typed"),
     N_("answer"),
     0,
     false,
     QUESTION},
    {ACTION_HINT, "hint", {"Tab"}, N_("hint"), N_("hint"), 0, false, QUESTION},
    {ACTION_REVEAL, "reveal", {"Escape"}, N_("show me"), N_("show me"), 0, false, QUESTION},
    {ACTION_MARK,
     "mark",
     {"Space"},
     N_("mark the lane, where lanes are asked for"),
     N_("mark"),
     0,
     false,
     QUESTION},
    {ACTION_LANE_NEXT, "question-lane-next", {"Down"}, N_("next lane"), NULL, 0, false, QUESTION},
    {ACTION_LANE_PREVIOUS,
     "question-lane-previous",
     {"Up"},
     N_("previous lane"),
     NULL,
     0,
     false,
     QUESTION},
    {ACTION_BEAT_PREVIOUS,
     "question-back",
     {"Left", "PageUp"},
     N_("go back"),
     NULL,
     0,
     false,
     QUESTION},
    {ACTION_BEAT_NEXT,
     "question-on",
     {"Right", "PageDown"},
     N_("go on, once it is answered"),
     NULL,
     0,
     false,
     QUESTION},
    {ACTION_HELP, "question-help", {"F1"}, N_("these keys"), NULL, 0, false, QUESTION},

    /* The list of lessons. */
    {ACTION_LESSON_NEXT,
     "lesson-next",
     {"Down", "j"},
     N_("next lesson"),
     N_("lesson"),
     0,
     false,
     LIST},
    {ACTION_LESSON_PREVIOUS,
     "lesson-previous",
     {"Up", "k"},
     N_("previous lesson"),
     NULL,
     0,
     false,
     LIST},
    {ACTION_CONTINUE,
     "lesson-open",
     {"Enter", "Space", "Right", "l"},
     N_("open the lesson"),
     N_("open"),
     0,
     false,
     LIST},
    {ACTION_FIND, "search", {"/"}, N_("search"), N_("search"), 0, false, LIST},
    {ACTION_LESSON_FIRST, "lesson-first", {"g", "Home"}, N_("first lesson"), NULL, 0, false, LIST},
    {ACTION_LESSON_LAST, "lesson-last", {"G", "End"}, N_("last lesson"), NULL, 0, false, LIST},
    {ACTION_LESSON_PAGE_NEXT,
     "lesson-page-next",
     {"PageDown"},
     N_("ten lessons on"),
     NULL,
     0,
     false,
     LIST},
    {ACTION_LESSON_PAGE_PREVIOUS,
     "lesson-page-previous",
     {"PageUp"},
     N_("ten lessons back"),
     NULL,
     0,
     false,
     LIST},

    /* A quiz, while an answer is shown. */
    {ACTION_CONTINUE,
     "next-question",
     {"Enter", "Space"},
     N_("next question"),
     N_("next"),
     0,
     false,
     QUIZ},
    {ACTION_PHASE_NEXT,
     "quiz-phase-next",
     {"Right", "l", "PageDown"},
     N_("next phase"),
     N_("phase"),
     0,
     true,
     QUIZ},
    {ACTION_PHASE_PREVIOUS,
     "quiz-phase-previous",
     {"Left", "h", "PageUp", "Backspace"},
     N_("previous phase"),
     NULL,
     0,
     true,
     QUIZ},
};

#define ACTIONS (sizeof actions / sizeof *actions)
_Static_assert(ACTIONS <= ACTION_ROWS_MAX, "a list of all rows has room");

static bool holds(const struct action_info *info, enum action_place place) {
    return info->places >> place & 1;
}

const struct action_info *action_table(size_t *count) {
    *count = 0;
    while (*count < ACTIONS && holds(&actions[*count], ACTION_PLACE_REPLAY))
        ++*count;
    return actions;
}

size_t action_list(enum action_place place, const struct action_info *list[ACTION_ROWS_MAX]) {
    size_t count = 0;
    for (int shared = 0; shared < 2; shared++)
        for (size_t i = 0; i < ACTIONS; i++)
            if (holds(&actions[i], place) &&
                (place == ACTION_PLACE_REPLAY || holds(&actions[i], ACTION_PLACE_REPLAY)) == shared)
                list[count++] = &actions[i];
    return count;
}

const struct action_info *action_for_key_at(enum action_place place, const char *key) {
    for (size_t i = 0; i < ACTIONS; i++)
        for (int k = 0; holds(&actions[i], place) && actions[i].keys[k]; k++)
            if (strcmp(actions[i].keys[k], key) == 0)
                return &actions[i];
    return NULL;
}

const struct action_info *action_for_key(const char *key) {
    return action_for_key_at(ACTION_PLACE_REPLAY, key);
}
