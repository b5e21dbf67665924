#include "replay/action.h"

#include <string.h>

/* The order is that of the help screen: what a newcomer needs first stands first. */
static const struct action_info actions[] = {
    {ACTION_PHASE_NEXT,
     "phase-next",
     {"Right", "l", "Space", "PageDown"},
     "next phase",
     "phase",
     0,
     true},
    {ACTION_PHASE_PREVIOUS,
     "phase-previous",
     {"Left", "h", "PageUp", "Backspace"},
     "previous phase",
     NULL,
     0,
     true},
    {ACTION_OPERATION_NEXT, "operation-next", {"n"}, "next operation", "operation", 0, true},
    {ACTION_OPERATION_PREVIOUS, "operation-previous", {"N"}, "previous operation", NULL, 0, true},
    {ACTION_OPERATION_FIRST, "operation-first", {"g", "Home"}, "first operation", NULL, 0, true},
    {ACTION_OPERATION_LAST, "operation-last", {"G", "End"}, "last operation", NULL, 0, true},
    {ACTION_LANE_NEXT, "lane-next", {"Down", "j"}, "next lane", "lane", 0, true},
    {ACTION_LANE_PREVIOUS, "lane-previous", {"Up", "k"}, "previous lane", NULL, 0, true},
    {ACTION_WARP_NEXT, "warp-next", {"w"}, "next warp", NULL, 0, true},
    {ACTION_WARP_PREVIOUS, "warp-previous", {"W"}, "previous warp", NULL, 0, true},
    {ACTION_BLOCK_NEXT, "block-next", {"b"}, "next block", NULL, 0, true},
    {ACTION_BLOCK_PREVIOUS, "block-previous", {"B"}, "previous block", NULL, 0, true},
    {ACTION_VIEW_NEXT, "view-next", {"Tab"}, "next view", "view", 0, false},
    {ACTION_VIEW_PREVIOUS, "view-previous", {"BackTab"}, "previous view", NULL, 0, false},
    {ACTION_VIEW_GO, "view-lanes", {"1"}, "lane table", NULL, 0, false},
    {ACTION_VIEW_GO, "view-wires", {"2"}, "wires", NULL, 1, false},
    {ACTION_VIEW_GO, "view-history", {"3"}, "history", NULL, 2, false},
    {ACTION_VIEW_GO, "view-source", {"4"}, "source", NULL, 3, false},
    {ACTION_VIEW_GO, "view-explain", {"5"}, "explanation", NULL, 4, false},
    {ACTION_PLAY, "play", {"a"}, "play and pause", "play", 0, false},
    {ACTION_FASTER, "faster", {"+", "="}, "play faster", NULL, 0, false},
    {ACTION_SLOWER, "slower", {"-"}, "play slower", NULL, 0, false},
    {ACTION_PREDICT, "predict", {"p"}, "predict a source", "predict", 0, false},
    {ACTION_FIND, "find", {"/"}, "find", "find", 0, false},
    {ACTION_FIND_NEXT, "find-next", {";"}, "find the next", NULL, 0, false},
    {ACTION_HELP, "help", {"?"}, "these keys", "help", 0, false},
    {ACTION_CANCEL, "cancel", {"Escape"}, "close, cancel", NULL, 0, false},
    {ACTION_REDRAW, "redraw", {"Ctrl-L"}, "draw again", NULL, 0, false},
    {ACTION_QUIT, "quit", {"q"}, "quit", "quit", 0, false},
};

#define ACTIONS (sizeof actions / sizeof *actions)

const struct action_info *action_table(size_t *count) {
    *count = ACTIONS;
    return actions;
}

const struct action_info *action_for_key(const char *key) {
    for (size_t i = 0; i < ACTIONS; i++)
        for (int k = 0; actions[i].keys[k]; k++)
            if (strcmp(actions[i].keys[k], key) == 0)
                return &actions[i];
    return NULL;
}
