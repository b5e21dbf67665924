#include "replay/action.h"

#include "base/message.h"

#include <string.h>

/* The order is that of the help screen: what a newcomer needs first stands first. */
static const struct action_info actions[] = {
    {ACTION_PHASE_NEXT,
     "phase-next",
     {"Right", "l", "Space", "PageDown"},
     N_("next phase"),
     N_("phase"),
     0,
     true},
    {ACTION_PHASE_PREVIOUS,
     "phase-previous",
     {"Left", "h", "PageUp", "Backspace"},
     N_("previous phase"),
     NULL,
     0,
     true},
    {ACTION_OPERATION_NEXT,
     "operation-next",
     {"n"},
     N_("next operation"),
     N_("operation"),
     0,
     true},
    {ACTION_OPERATION_PREVIOUS,
     "operation-previous",
     {"N"},
     N_("previous operation"),
     NULL,
     0,
     true},
    {ACTION_OPERATION_FIRST,
     "operation-first",
     {"g", "Home"},
     N_("first operation"),
     NULL,
     0,
     true},
    {ACTION_OPERATION_LAST, "operation-last", {"G", "End"}, N_("last operation"), NULL, 0, true},
    {ACTION_LANE_NEXT, "lane-next", {"Down", "j"}, N_("next lane"), N_("lane"), 0, true},
    {ACTION_LANE_PREVIOUS, "lane-previous", {"Up", "k"}, N_("previous lane"), NULL, 0, true},
    {ACTION_WARP_NEXT, "warp-next", {"w"}, N_("next warp"), NULL, 0, true},
    {ACTION_WARP_PREVIOUS, "warp-previous", {"W"}, N_("previous warp"), NULL, 0, true},
    {ACTION_BLOCK_NEXT, "block-next", {"b"}, N_("next block"), NULL, 0, true},
    {ACTION_BLOCK_PREVIOUS, "block-previous", {"B"}, N_("previous block"), NULL, 0, true},
    {ACTION_VIEW_NEXT, "view-next", {"Tab"}, N_("next view"), N_("view"), 0, false},
    {ACTION_VIEW_PREVIOUS, "view-previous", {"BackTab"}, N_("previous view"), NULL, 0, false},
    {ACTION_VIEW_GO, "view-lanes", {"1"}, N_("lane table"), NULL, 0, false},
    {ACTION_VIEW_GO, "view-wires", {"2"}, N_("wires"), NULL, 1, false},
    {ACTION_VIEW_GO, "view-history", {"3"}, N_("history"), NULL, 2, false},
    {ACTION_VIEW_GO, "view-source", {"4"}, N_("source"), NULL, 3, false},
    {ACTION_VIEW_GO, "view-explain", {"5"}, N_("explanation"), NULL, 4, false},
    {ACTION_PLAY, "play", {"a"}, N_("play and pause"), N_("play"), 0, false},
    {ACTION_FASTER, "faster", {"+", "="}, N_("play faster"), NULL, 0, false},
    {ACTION_SLOWER, "slower", {"-"}, N_("play slower"), NULL, 0, false},
    {ACTION_PREDICT, "predict", {"p"}, N_("predict a source"), N_("predict"), 0, false},
    {ACTION_FIND, "find", {"/"}, N_("find"), N_("find"), 0, false},
    {ACTION_FIND_NEXT, "find-next", {";"}, N_("find the next"), NULL, 0, false},
    {ACTION_HELP, "help", {"?"}, N_("these keys"), N_("help"), 0, false},
    {ACTION_CANCEL, "cancel", {"Escape"}, N_("close, cancel"), NULL, 0, false},
    {ACTION_REDRAW, "redraw", {"Ctrl-L"}, N_("draw again"), NULL, 0, false},
    {ACTION_QUIT, "quit", {"q"}, N_("quit"), N_("quit"), 0, false},
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
