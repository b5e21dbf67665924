/*
 * action_rows.c - the table of actions. Key files name them, so a name does not change. A name that
 * ends with -next, -previous, -first, -last, -up or -down belongs to a step that takes a count. The
 * help at 60x20 has two columns of 19 rows: a screen with more keys hides some (QUIET).
 */
#include "base/message.h"
#include "replay/changes.h"
#include "replay/keys/action.h"
#include "replay/keys/handlers.h"
#include "replay/keys/input.h"
#include "replay/predict.h"
#include "replay/whose.h"

#define COUNTED ACTION_COUNTED
#define LEAVES  ACTION_LEAVES_BEAT
#define LOOKS   ACTION_CHANGES_DISPLAY
#define EMPTY   ACTION_EMPTY
#define QUIET   ACTION_NOT_IN_HELP

#define REPLAY    (1u << ACTION_MODE_REPLAY)
#define LESSON    (1u << ACTION_MODE_LESSON)
#define QUESTION  (1u << ACTION_MODE_QUESTION)
#define LIST      (1u << ACTION_MODE_LIST)
#define QUIZ      (1u << ACTION_MODE_QUIZ)
#define PREDICT   (1u << ACTION_MODE_PREDICT)
#define PROMPT    (1u << ACTION_MODE_PROMPT)
#define HELP      (1u << ACTION_MODE_HELP)
#define NOTES     (1u << ACTION_MODE_NOTES)
#define OVERVIEW  (1u << ACTION_MODE_OVERVIEW)
#define DIFF      (1u << ACTION_MODE_DIFF)
#define EXERCISE  (1u << ACTION_MODE_EXERCISE)
#define EXERCISES (1u << ACTION_MODE_EXERCISES)
#define LIVE      (1u << ACTION_MODE_LIVE)
#define MEMBERS   (1u << ACTION_MODE_MEMBERS)
#define CONFIRM   (1u << ACTION_MODE_CONFIRM)
#define WHICH     (1u << ACTION_MODE_WHICH)
#define START     (1u << ACTION_MODE_START)
#define FRAGMENTS (1u << ACTION_MODE_FRAGMENTS)
/* The modes that show a picture, whose lanes can be examined in each view. */
#define PICTURE (REPLAY | LESSON | QUIZ)
#define ALL                                                                                        \
    (PICTURE | QUESTION | LIST | PREDICT | PROMPT | HELP | NOTES | OVERVIEW | DIFF | EXERCISE |    \
     EXERCISES | MEMBERS | CONFIRM | WHICH | START | FRAGMENTS)

/* clang-format off */
/* The columns: action, name, keys, words for the help and for the key bar, argument, flags, modes,
 * and a replay's handler. Within a mode the order of the rows is that of its help. */
const struct action_info action_rows[] = {
    /* A replay, and rows that other screens share with it. The keys that a newcomer needs come
     * first: this is the order of the help screen. */
    {ACTION_PHASE_NEXT, "phase-next", {"Right", "l", "PageDown"}, N_("next phase"), N_("phase"), 0, COUNTED | LEAVES, REPLAY, move_phase_next},
    {ACTION_PHASE_PREVIOUS, "phase-previous", {"Left", "h", "PageUp", "Backspace"}, N_("previous phase"), NULL, 0, COUNTED | LEAVES, REPLAY, move_phase_previous},
    {ACTION_OPERATION_NEXT, "operation-next", {"n"}, N_("next operation"), N_("operation"), 0, COUNTED | LEAVES, REPLAY | LESSON, move_operation_next},
    {ACTION_OPERATION_PREVIOUS, "operation-previous", {"N"}, N_("previous operation"), NULL, 0, COUNTED | LEAVES, REPLAY | LESSON, move_operation_previous},
    {ACTION_OPERATION_FIRST, "operation-first", {"g", "Home"}, N_("first operation"), NULL, 0, COUNTED | LEAVES, REPLAY | LESSON, move_operation_first},
    {ACTION_OPERATION_LAST, "operation-last", {"G", "End"}, N_("last operation"), NULL, 0, COUNTED | LEAVES, REPLAY | LESSON, move_operation_last},
    {ACTION_LANE_NEXT, "lane-next", {"Down", "j"}, N_("next lane"), N_("lane"), 0, COUNTED | LOOKS, PICTURE, move_lane_next},
    {ACTION_LANE_PREVIOUS, "lane-previous", {"Up", "k"}, N_("previous lane"), NULL, 0, COUNTED | LOOKS, PICTURE, move_lane_previous},
    {ACTION_WARP_NEXT, "warp-next", {"w"}, N_("next warp"), NULL, 0, COUNTED | LEAVES, REPLAY | LESSON, move_warp_next},
    {ACTION_WARP_PREVIOUS, "warp-previous", {"W"}, N_("previous warp"), NULL, 0, COUNTED | LEAVES, REPLAY | LESSON, move_warp_previous},
    {ACTION_BLOCK_NEXT, "block-next", {"b"}, N_("next block"), NULL, 0, COUNTED | LEAVES, REPLAY | LESSON, move_block_next},
    {ACTION_BLOCK_PREVIOUS, "block-previous", {"B"}, N_("previous block"), NULL, 0, COUNTED | LEAVES, REPLAY | LESSON, move_block_previous},
    {ACTION_VIEW_NEXT, "view-next", {"Tab"}, N_("next view"), N_("view"), 0, LOOKS, PICTURE, look_view_next},
    {ACTION_VIEW_PREVIOUS, "view-previous", {"BackTab"}, N_("previous view"), NULL, 0, LOOKS, PICTURE, look_view_previous},
    {ACTION_VIEW_GO, "view-lanes", {"1"}, N_("lane table"), NULL, 0, LOOKS, PICTURE, look_view_go},
    {ACTION_VIEW_GO, "view-wires", {"2"}, N_("wires"), NULL, 1, LOOKS, PICTURE, look_view_go},
    {ACTION_VIEW_GO, "view-history", {"3"}, N_("history"), NULL, 2, LOOKS, PICTURE, look_view_go},
    {ACTION_VIEW_GO, "view-source", {"4"}, N_("source"), NULL, 3, LOOKS, PICTURE, look_view_go},
    {ACTION_VIEW_GO, "view-explain", {"5"}, N_("explanation"), NULL, 4, LOOKS, PICTURE, look_view_go},
    {ACTION_VIEW_GO, "view-rounds", {"6"}, N_("all rounds"), NULL, 5, LOOKS, PICTURE, look_view_go},
    {ACTION_VIEW_GO, "view-variables", {"7"}, N_("local variables"), NULL, 6, LOOKS, PICTURE, look_view_go},
    {ACTION_VIEW_GO, "view-block", {"8"}, N_("the block: all its warps"), NULL, 7, LOOKS, PICTURE, look_view_go},
    {ACTION_PLAY, "play", {"a"}, N_("play and pause"), N_("play"), 0, 0, REPLAY, play_toggle},
    {ACTION_STOP_AT, "stop-at", {"!"}, N_("play stops at a line"), NULL, 0, LEAVES, REPLAY, play_stop_open},
    {ACTION_RUN, "run-next", {"Space"}, N_("run to stop/next phase"), NULL, 0, COUNTED | LEAVES, REPLAY, play_run},
    {ACTION_WATCH, "watch", {"+"}, N_("watch an expression"), NULL, 0, LEAVES, REPLAY, watched_open},
    {ACTION_FASTER, "faster", {"="}, N_("play faster"), NULL, 0, 0, REPLAY, play_faster},
    {ACTION_SLOWER, "slower", {"-"}, N_("play slower"), NULL, 0, 0, REPLAY | LESSON, play_slower},
    {ACTION_PREDICT, "predict", {"p"}, N_("predict"), N_("predict"), 0, LEAVES, REPLAY, predict_start},
    {ACTION_WHOSE, "whose", {"o"}, N_("whose values are in here?"), NULL, 0, LEAVES, REPLAY, look_whose},
    {ACTION_FIND, "find", {"/"}, N_("find"), N_("find"), 0, LEAVES, REPLAY | LESSON, find_open},
    {ACTION_SCROLL_DOWN, "explanation-down", {"J"}, N_("scroll down"), NULL, 1, LOOKS | QUIET, REPLAY | QUIZ, look_scroll},
    {ACTION_SCROLL_UP, "explanation-up", {"K"}, N_("scroll up"), NULL, -1, LOOKS | QUIET, REPLAY | QUIZ, look_scroll},
    {ACTION_FIND_NEXT, "find-next", {";"}, N_("find the next"), NULL, 0, LEAVES, REPLAY | LESSON, find_next},
    {ACTION_OVERVIEW, "overview", {"v"}, N_("overview"), NULL, 0, LEAVES, REPLAY, look_overview},
    {ACTION_FRAGMENTS, "fragments", {"F"}, N_("tensor-core matrices"), NULL, 0, LEAVES, REPLAY, look_fragments},
    {ACTION_OUTPUT, "output", {"P"}, N_("what was printed"), NULL, 0, LEAVES, REPLAY, look_output},
    {ACTION_HELP, "help", {"?", "F1"}, N_("these keys"), N_("help"), 0, LOOKS, PICTURE | LIST | OVERVIEW | DIFF | EXERCISE | EXERCISES | START | WHICH | FRAGMENTS, look_help},
    {ACTION_CANCEL, "cancel", {"Escape"}, N_("close, cancel"), NULL, 0, LOOKS, PICTURE | LIST | DIFF, look_cancel},
    {ACTION_REDRAW, "redraw", {"Ctrl-L"}, N_("draw again"), NULL, 0, LOOKS, ALL, NULL},
    {ACTION_QUIT, "quit", {"q"}, N_("quit"), N_("quit"), 0, 0, REPLAY | LIST | QUIZ | OVERVIEW | DIFF | EXERCISE | EXERCISES | START | FRAGMENTS, look_quit},

    /* A shuffle or a built-in kernel, whose parameters can be changed. */
    {ACTION_ARGUMENT_NEXT, "argument-up", {"]"}, N_("raise the argument"), N_("argument"), 0, COUNTED | LEAVES, LIVE, live_argument_up},
    {ACTION_ARGUMENT_PREVIOUS, "argument-down", {"["}, N_("lower the argument"), NULL, 0, COUNTED | LEAVES, LIVE, live_argument_down},
    {ACTION_WIDTH_NEXT, "width-up", {"}"}, N_("twice the width"), N_("width"), 0, COUNTED | LEAVES, LIVE, live_width_up},
    {ACTION_WIDTH_PREVIOUS, "width-down", {"{"}, N_("half the width"), NULL, 0, COUNTED | LEAVES, LIVE, live_width_down},
    {ACTION_CALL_NEXT, "call-next", {"c"}, N_("next of idx up down xor"), N_("call"), 0, COUNTED | LEAVES, LIVE, live_operation_next},
    {ACTION_CALL_PREVIOUS, "call-previous", {"C"}, N_("the previous one"), NULL, 0, COUNTED | LEAVES, LIVE, live_operation_previous},
    {ACTION_SETTING, "setting", {":"}, N_("type a setting (mask 5)"), N_("set"), 0, LEAVES, LIVE, live_prompt},
    {ACTION_SETTING, "setting-argument", {"e"}, N_("type the argument"), NULL, 1, LEAVES, LIVE, live_prompt},
    {ACTION_SETTING, "setting-input", {"i"}, N_("type the lanes' values"), NULL, 2, LEAVES, LIVE, live_prompt},
    {ACTION_MEMBERS, "members", {"m"}, N_("mark the member lanes"), NULL, 0, LEAVES, LIVE, live_members},
    {ACTION_THREADS_NEXT, "threads-up", {">"}, N_("add a thread"), NULL, 0, COUNTED | LEAVES, LIVE, live_threads_up},
    {ACTION_THREADS_PREVIOUS, "threads-down", {"<"}, N_("drop a thread"), NULL, 0, COUNTED | LEAVES, LIVE, live_threads_down},
    {ACTION_TYPE_NEXT, "type-next", {"t"}, N_("next type of the values"), NULL, 0, COUNTED | LEAVES, LIVE, live_type_next},
    {ACTION_TYPE_PREVIOUS, "type-previous", {"T"}, N_("previous type"), NULL, 0, COUNTED | LEAVES, LIVE, live_type_previous},
    {ACTION_SCHEDULE_NEXT, "schedule-next", {"s"}, N_("run lanes in another order"), NULL, 0, COUNTED | LEAVES, LIVE, live_schedule_next},
    {ACTION_SCHEDULE_PREVIOUS, "schedule-previous", {"S"}, N_("previous order"), NULL, 0, COUNTED | LEAVES, LIVE, live_schedule_previous},
    {ACTION_UNDO, "undo", {"u"}, N_("undo a change"), NULL, 0, COUNTED | LEAVES, LIVE, live_undo},
    {ACTION_REDO, "redo", {"U"}, N_("redo it"), NULL, 0, COUNTED | LEAVES, LIVE, live_redo},
    {ACTION_BESIDE, "beside", {"|"}, N_("two settings side by side"), NULL, 0, LEAVES, LIVE, live_beside},
    {ACTION_WHICH, "which", {"f"}, N_("which calls give 5<12?"), NULL, 0, LEAVES, LIVE, live_which},
    {ACTION_COPY, "copy", {"y"}, N_("copy this command"), NULL, 0, LOOKS, LIVE, live_copy},

    /* Lanes are marked for the member mask. Keys without a row here are a replay's. */
    {ACTION_MEMBER, "member", {"Space"}, N_("the lane joins or leaves"), N_("join or leave"), 0, 0, MEMBERS, live_member},
    {ACTION_MEMBERS, "members-end", {"Enter", "Escape", "m"}, N_("done"), N_("done"), 0, 0, MEMBERS, live_members},

    /* A confirmation that undefined results should be shown. */
    {ACTION_CONFIRM, "confirm", {"y", "Enter"}, N_("show it anyway"), N_("show it"), 0, 0, CONFIRM, live_confirm},
    {ACTION_CANCEL, "confirm-cancel", {"n", "Escape", "q"}, N_("leave it as it is"), N_("leave it"), 0, LOOKS, CONFIRM, look_cancel},

    /* The list of calls that give the requested values. */
    {ACTION_CONTINUE, "which-show", {"Enter", "Space", "Right", "l"}, N_("show this call"), N_("show"), 0, 0, WHICH, NULL},
    {ACTION_ROW_NEXT, "which-next", {"Down", "j"}, N_("next call"), N_("next"), 0, 0, WHICH, NULL},
    {ACTION_ROW_PREVIOUS, "which-previous", {"Up", "k"}, N_("previous call"), NULL, 0, 0, WHICH, NULL},
    {ACTION_ROW_FIRST, "which-first", {"g", "Home"}, N_("first call"), NULL, 0, 0, WHICH, NULL},
    {ACTION_ROW_LAST, "which-last", {"G", "End"}, N_("last call"), NULL, 0, 0, WHICH, NULL},
    {ACTION_CANCEL, "which-leave", {"Escape", "q", "f", "Left", "h"}, N_("back"), N_("back"), 0, 0, WHICH, NULL},

    /* The start list. */
    {ACTION_CONTINUE, "start-open", {"Enter", "Space", "Right", "l"}, N_("open it"), N_("open"), 0, 0, START, NULL},
    {ACTION_LESSON_NEXT, "start-next", {"Down", "j"}, N_("next entry"), N_("next"), 0, 0, START, NULL},
    {ACTION_LESSON_PREVIOUS, "start-previous", {"Up", "k"}, N_("previous entry"), NULL, 0, 0, START, NULL},
    {ACTION_LESSON_FIRST, "start-first", {"g", "Home"}, N_("first entry"), NULL, 0, 0, START, NULL},
    {ACTION_LESSON_LAST, "start-last", {"G", "End"}, N_("last entry"), NULL, 0, 0, START, NULL},
    {ACTION_LESSON_PAGE_NEXT, "start-page-next", {"PageDown"}, N_("ten entries on"), NULL, 0, 0, START, NULL},
    {ACTION_LESSON_PAGE_PREVIOUS, "start-page-previous", {"PageUp"}, N_("ten entries back"), NULL, 0, 0, START, NULL},
    {ACTION_CANCEL, "start-back", {"Escape", "Left", "h"}, N_("back to the first list"), N_("back"), 0, 0, START, NULL},

    /* Fragments: which lane holds which element of a matrix. */
    {ACTION_ROW_NEXT, "cell-down", {"Down", "j"}, N_("next row"), N_("row"), 0, 0, FRAGMENTS, NULL},
    {ACTION_ROW_PREVIOUS, "cell-up", {"Up", "k"}, N_("previous row"), NULL, 0, 0, FRAGMENTS, NULL},
    {ACTION_COLUMN_NEXT, "cell-right", {"Right", "l"}, N_("next column"), N_("column"), 0, 0, FRAGMENTS, NULL},
    {ACTION_COLUMN_PREVIOUS, "cell-left", {"Left", "h"}, N_("previous column"), NULL, 0, 0, FRAGMENTS, NULL},
    {ACTION_LANE_NEXT, "cell-lane-next", {"n", "Space"}, N_("the same register of the next lane"), N_("lane"), 0, 0, FRAGMENTS, NULL},
    {ACTION_LANE_PREVIOUS, "cell-lane-previous", {"N", "Backspace"}, N_("of the lane before"), NULL, 0, 0, FRAGMENTS, NULL},
    {ACTION_LIST_NEXT, "matrix-next", {"Tab"}, N_("next matrix"), N_("matrix"), 0, 0, FRAGMENTS, NULL},
    {ACTION_ARGUMENT_NEXT, "product-next", {"]"}, N_("in a recording: add a k to the sum"), N_("k"), 0, 0, FRAGMENTS, NULL},
    {ACTION_ARGUMENT_PREVIOUS, "product-previous", {"["}, N_("drop a k"), NULL, 0, 0, FRAGMENTS, NULL},
    {ACTION_PITCH_NEXT, "pitch-more", {"+"}, N_("rows in memory 16 bytes further apart"), N_("pitch"), 0, 0, FRAGMENTS, NULL},
    {ACTION_PITCH_PREVIOUS, "pitch-less", {"-"}, N_("16 bytes less"), NULL, 0, 0, FRAGMENTS, NULL},
    {ACTION_SWIZZLE, "swizzle", {"s"}, N_("addresses with another swizzle"), N_("swizzle"), 0, 0, FRAGMENTS, NULL},
    {ACTION_LIST_PREVIOUS, "matrix-previous", {"BackTab"}, N_("previous matrix"), NULL, 0, 0, FRAGMENTS, NULL},

    /* A lesson, and the picture beside it. */
    {ACTION_BEAT_NEXT, "beat-next", {"Right", "l", "Space", "PageDown"}, N_("go on"), N_("go on"), 0, 0, LESSON, NULL},
    {ACTION_BEAT_PREVIOUS, "beat-previous", {"Left", "h", "PageUp", "Backspace"}, N_("go back"), N_("back"), 0, 0, LESSON, NULL},
    {ACTION_CONTINUE, "continue", {"Enter"}, N_("go on, or come back"), NULL, 0, 0, LESSON, NULL},
    {ACTION_PREDICT, "ask-again", {"p"}, N_("ask again, or predict"), NULL, 0, LEAVES, LESSON, predict_start},
    {ACTION_BEAT_PROMPT, "beat-prompt", {":"}, N_("go to a part"), N_("part"), 0, 0, LESSON, NULL},
    {ACTION_PLAY, "go-on-alone", {"a"}, N_("auto-advance"), NULL, 0, 0, LESSON, play_toggle},
    {ACTION_BLACK, "black", {"."}, N_("black screen"), NULL, 0, EMPTY, LESSON | QUESTION, NULL},
    {ACTION_CLASS, "class", {"@"}, N_("the class (--serve)"), NULL, 0, 0, LESSON | QUESTION | LIST, NULL},
    {ACTION_SCROLL_DOWN, "scroll-down", {"J"}, N_("scroll the text down"), NULL, 0, 0, LESSON | QUESTION | NOTES, NULL},
    {ACTION_SCROLL_UP, "scroll-up", {"K"}, N_("scroll the text up"), NULL, 0, 0, LESSON | QUESTION | NOTES, NULL},
    {ACTION_ASIDE, "aside", {"i"}, N_("notes, and the command"), NULL, 0, 0, LESSON, NULL},
    {ACTION_RESTART, "restart", {"R"}, N_("begin the lesson again"), NULL, 0, 0, LESSON, NULL},
    {ACTION_FASTER, "lesson-faster", {"+", "="}, N_("play faster"), NULL, 0, 0, LESSON, play_faster},
    {ACTION_QUIT, "leave", {"q"}, N_("leave the lesson"), N_("leave"), 0, EMPTY, LESSON | QUESTION | NOTES, look_quit},

    /* An open question, of a lesson, of a quiz, or asked by the learner. */
    {ACTION_CONTINUE, "answer", {"Enter"}, N_("give the answer"), N_("answer"), 0, 0, QUESTION, predict_accept},
    {ACTION_HINT, "hint", {"Tab"}, N_("hint"), N_("hint"), 0, 0, QUESTION, NULL},
    {ACTION_REVEAL, "reveal", {"Escape"}, N_("show me"), N_("show me"), 0, 0, QUESTION, look_cancel},
    {ACTION_MARK, "mark", {"Space"}, N_("mark the lane (of a set)"), N_("mark"), 0, 0, QUESTION, predict_mark},
    {ACTION_LANE_NEXT, "question-lane-next", {"Down"}, N_("next lane"), NULL, 0, LOOKS, QUESTION, move_lane_next},
    {ACTION_LANE_PREVIOUS, "question-lane-previous", {"Up"}, N_("previous lane"), NULL, 0, LOOKS, QUESTION, move_lane_previous},
    {ACTION_BEAT_PREVIOUS, "question-back", {"Left", "PageUp"}, N_("go back"), NULL, 0, 0, QUESTION, NULL},
    {ACTION_BEAT_NEXT, "question-on", {"Right", "PageDown"}, N_("go on, once answered"), NULL, 0, 0, QUESTION, NULL},
    {ACTION_VIEW_NEXT, "question-view", {"BackTab"}, N_("next view"), NULL, 0, LOOKS, QUESTION, look_view_next},
    {ACTION_BEAT_PROMPT, "question-beat-prompt", {":"}, N_("go to a part"), NULL, 0, 0, QUESTION, NULL},
    {ACTION_HELP, "question-help", {"F1", "?"}, N_("these keys"), N_("help"), 0, EMPTY, QUESTION, look_help},
    {ACTION_PLAY, "question-go-on-alone", {"a"}, N_("auto-advance"), NULL, 0, EMPTY, QUESTION, NULL},
    {ACTION_CONTINUE, "predict-answer", {"Enter"}, N_("give the answer"), NULL, 0, 0, PREDICT, predict_accept},
    {ACTION_ASK_NEXT, "ask-next", {"Tab"}, N_("ask something else"), NULL, 1, 0, PREDICT, predict_kind},
    {ACTION_ASK_PREVIOUS, "ask-previous", {"BackTab"}, N_("the previous question"), NULL, -1, 0, PREDICT, predict_kind},
    {ACTION_MARK, "predict-mark", {"Space"}, N_("mark the lane (of a set)"), NULL, 0, 0, PREDICT, predict_mark},
    {ACTION_LANE_NEXT, "predict-lane-next", {"Down"}, N_("next lane"), NULL, 0, LOOKS, PREDICT, move_lane_next},
    {ACTION_LANE_PREVIOUS, "predict-lane-previous", {"Up"}, N_("previous lane"), NULL, 0, LOOKS, PREDICT, move_lane_previous},
    {ACTION_LANE_FIRST, "lane-first", {"Home"}, N_("first lane"), NULL, 0, LOOKS, QUESTION | PREDICT, move_lane_go},
    {ACTION_LANE_LAST, "lane-last", {"End"}, N_("last lane"), NULL, WARP_LANES - 1, LOOKS, QUESTION | PREDICT, move_lane_go},
    {ACTION_HELP, "predict-help", {"F1", "?"}, N_("these keys"), NULL, 0, EMPTY, PREDICT, look_help},
    {ACTION_CANCEL, "predict-cancel", {"Escape"}, N_("end the question"), NULL, 0, LOOKS, PREDICT, look_cancel},

    /* A prompt: find, search, a beat. */
    {ACTION_ACCEPT, "accept", {"Enter"}, N_("accept the input"), NULL, 0, 0, PROMPT, live_accept},
    {ACTION_CANCEL, "prompt-cancel", {"Escape"}, N_("close the prompt"), NULL, 0, LOOKS, PROMPT, look_cancel},
    {ACTION_COMPLETE, "complete", {"Tab"}, N_("complete what is typed"), NULL, 0, 0, PROMPT, live_complete},
    {ACTION_ERASE, "erase", {"Backspace"}, N_("erase the last character"), NULL, 0, 0, PROMPT, predict_erase},
    {ACTION_ERASE, "question-erase", {"Backspace"}, N_("erase the last character"), NULL, 0, 0, QUESTION | PREDICT, predict_erase},
    {ACTION_ERASE, "erase-word", {"Ctrl-W"}, N_("erase the last word"), NULL, ERASE_WORD, 0, PROMPT, predict_erase},
    {ACTION_ERASE, "erase-line", {"Ctrl-U"}, N_("erase everything typed"), NULL, ERASE_LINE, 0, PROMPT, predict_erase},
    {ACTION_LESSON_NEXT, "found-next", {"Down"}, N_("next lesson found"), NULL, 0, 0, PROMPT, NULL},
    {ACTION_LESSON_PREVIOUS, "found-previous", {"Up"}, N_("previous lesson found"), NULL, 0, 0, PROMPT, NULL},

    /* The help screen. Other keys close it, too, and then have their usual effect. */
    {ACTION_HELP_CLOSE, "help-close", {"?", "Escape", "F1", "q", "Enter", "Space"}, N_("close this page"), NULL, 0, LOOKS, HELP, NULL},

    /* The list of lessons. */
    {ACTION_LESSON_NEXT, "lesson-next", {"Down", "j"}, N_("next lesson"), N_("lesson"), 0, 0, LIST, NULL},
    {ACTION_LESSON_PREVIOUS, "lesson-previous", {"Up", "k"}, N_("previous lesson"), NULL, 0, 0, LIST, NULL},
    {ACTION_CONTINUE, "lesson-open", {"Enter", "Space", "Right", "l"}, N_("open the lesson"), N_("open"), 0, 0, LIST, NULL},
    {ACTION_FIND, "search", {"/"}, N_("search"), N_("search"), 0, 0, LIST, NULL},
    {ACTION_LESSON_FIRST, "lesson-first", {"g", "Home"}, N_("first lesson"), NULL, 0, 0, LIST, NULL},
    {ACTION_LESSON_LAST, "lesson-last", {"G", "End"}, N_("last lesson"), NULL, 0, 0, LIST, NULL},
    {ACTION_LESSON_PAGE_NEXT, "lesson-page-next", {"PageDown"}, N_("ten lessons on"), NULL, 0, 0, LIST, NULL},
    {ACTION_LESSON_PAGE_PREVIOUS, "lesson-page-previous", {"PageUp"}, N_("ten lessons back"), NULL, 0, 0, LIST, NULL},

    /* A quiz, while an answer is shown. */
    {ACTION_CONTINUE, "next-question", {"Enter", "Space"}, N_("next question"), N_("next"), 0, 0, QUIZ, NULL},
    {ACTION_PHASE_NEXT, "quiz-phase-next", {"Right", "l", "PageDown"}, N_("next phase"), N_("phase"), 0, COUNTED | LEAVES, QUIZ, move_phase_next},
    {ACTION_PHASE_PREVIOUS, "quiz-phase-previous", {"Left", "h", "PageUp", "Backspace"}, N_("previous phase"), NULL, 0, COUNTED | LEAVES, QUIZ, move_phase_previous},

    /* A recording as a whole. */
    {ACTION_CONTINUE, "row-open", {"Enter", "Space", "Right", "l"}, N_("look at its first step"), N_("look"), 0, 0, OVERVIEW, NULL},
    {ACTION_ROW_NEXT, "row-next", {"Down", "j"}, N_("next row"), N_("row"), 0, 0, OVERVIEW, NULL},
    {ACTION_ROW_PREVIOUS, "row-previous", {"Up", "k"}, N_("previous row"), NULL, 0, 0, OVERVIEW, NULL},
    {ACTION_ROW_FIRST, "row-first", {"g", "Home"}, N_("first row"), NULL, 0, 0, OVERVIEW, NULL},
    {ACTION_ROW_LAST, "row-last", {"G", "End"}, N_("last row"), NULL, 0, 0, OVERVIEW, NULL},
    {ACTION_ROW_PAGE_NEXT, "row-page-next", {"PageDown"}, N_("ten rows on"), NULL, 0, 0, OVERVIEW, NULL},
    {ACTION_ROW_PAGE_PREVIOUS, "row-page-previous", {"PageUp"}, N_("ten rows back"), NULL, 0, 0, OVERVIEW, NULL},
    {ACTION_LIST_NEXT, "list-next", {"Tab"}, N_("next list"), N_("list"), 0, 0, OVERVIEW, NULL},
    {ACTION_LIST_PREVIOUS, "list-previous", {"BackTab"}, N_("previous list"), NULL, 0, 0, OVERVIEW, NULL},
    {ACTION_LIST_GO, "list-launches", {"1"}, N_("launches"), NULL, 0, 0, OVERVIEW, NULL},
    {ACTION_LIST_GO, "list-kernels", {"2"}, N_("kernels"), NULL, 1, 0, OVERVIEW, NULL},
    {ACTION_LIST_GO, "list-lines", {"3"}, N_("lines"), NULL, 2, 0, OVERVIEW, NULL},
    {ACTION_LIST_GO, "list-findings", {"4"}, N_("findings"), NULL, 3, 0, OVERVIEW, NULL},
    {ACTION_LIST_GO, "list-output", {"5", "P"}, N_("what was printed"), NULL, 4, 0, OVERVIEW, NULL},
    {ACTION_SORT, "sort", {"s"}, N_("another order"), N_("sort"), 0, 0, OVERVIEW, NULL},
    {ACTION_FIND, "filter", {"/"}, N_("only matching rows"), N_("filter"), 0, 0, OVERVIEW, NULL},
    {ACTION_CANCEL, "filter-drop", {"Escape"}, N_("drop the filter, or back to the replay"), NULL, 0, 0, OVERVIEW, NULL},
    {ACTION_OVERVIEW, "overview-leave", {"v"}, N_("back to the replay"), N_("replay"), 0, 0, OVERVIEW, NULL},

    /* Two recordings side by side. */
    {ACTION_OPERATION_NEXT, "difference-next", {"n", "Right", "l", "Down", "j", "Space", "PageDown"}, N_("next difference"), N_("next"), 0, 0, DIFF, move_operation_next},
    {ACTION_OPERATION_PREVIOUS, "difference-previous", {"N", "Left", "h", "Up", "k", "Backspace", "PageUp"}, N_("previous difference"), N_("previous"), 0, 0, DIFF, move_operation_previous},
    {ACTION_OPERATION_FIRST, "difference-first", {"g", "Home"}, N_("first difference"), NULL, 0, 0, DIFF, move_operation_first},
    {ACTION_OPERATION_LAST, "difference-last", {"G", "End"}, N_("last difference"), NULL, 0, 0, DIFF, move_operation_last},
    {ACTION_WARP_NEXT, "difference-warp-next", {"w"}, N_("next warp that differs"), N_("warp"), 0, 0, DIFF, move_warp_next},
    {ACTION_WARP_PREVIOUS, "difference-warp-previous", {"W"}, N_("previous warp that differs"), NULL, 0, 0, DIFF, move_warp_previous},

    /* An exercise. */
    {ACTION_EDIT, "edit", {"e"}, N_("edit the file"), N_("edit"), 0, 0, EXERCISE, NULL},
    {ACTION_HINT, "exercise-hint", {"Tab", "h"}, N_("open a hint, then the next"), N_("hint"), 0, 0, EXERCISE, NULL},
    {ACTION_CONTINUE, "exercise-look", {"Enter"}, N_("look at the first lane that is wrong"), N_("look"), 0, 0, EXERCISE, NULL},
    {ACTION_REVEAL, "solution", {"s"}, N_("a solution, once yours has passed"), N_("solution"), 0, 0, EXERCISE, NULL},
    {ACTION_LESSON_NEXT, "go-on", {"n"}, N_("next exercise, once yours has passed"), N_("next"), 0, 0, EXERCISE, NULL},
    {ACTION_CANCEL, "exercise-back", {"Escape"}, N_("back"), NULL, 0, 0, EXERCISE | EXERCISES, NULL},
    {ACTION_RESTART, "judge-again", {"R"}, N_("build and run it again"), NULL, 0, 0, EXERCISE, NULL},
    {ACTION_SCROLL_DOWN, "exercise-down", {"Down", "j", "J", "PageDown"}, N_("scroll down"), NULL, 0, 0, EXERCISE, NULL},
    {ACTION_SCROLL_UP, "exercise-up", {"Up", "k", "K", "PageUp"}, N_("scroll up"), NULL, 0, 0, EXERCISE, NULL},

    /* The list of exercises. */
    {ACTION_LESSON_NEXT, "exercise-next", {"Down", "j"}, N_("next exercise"), N_("exercise"), 0, 0, EXERCISES, NULL},
    {ACTION_LESSON_PREVIOUS, "exercise-previous", {"Up", "k"}, N_("previous exercise"), NULL, 0, 0, EXERCISES, NULL},
    {ACTION_CONTINUE, "exercise-open", {"Enter", "Space", "Right", "l"}, N_("work on it: ./NAME.cu is watched"), N_("open"), 0, 0, EXERCISES, NULL},
    {ACTION_LESSON_FIRST, "exercise-first", {"g", "Home"}, N_("first exercise"), NULL, 0, 0, EXERCISES, NULL},
    {ACTION_LESSON_LAST, "exercise-last", {"G", "End"}, N_("last exercise"), NULL, 0, 0, EXERCISES, NULL},
    {ACTION_LESSON_PAGE_NEXT, "exercise-page-next", {"PageDown"}, N_("ten exercises on"), NULL, 0, 0, EXERCISES, NULL},
    {ACTION_LESSON_PAGE_PREVIOUS, "exercise-page-previous", {"PageUp"}, N_("ten exercises back"), NULL, 0, 0, EXERCISES, NULL},

    /* Requested by clicks only. */
    {ACTION_CELL_GO, "cell-go", {NULL}, NULL, NULL, 0, 0, 0, NULL},
    {ACTION_ROW_GO, "row-go", {NULL}, NULL, NULL, 0, 0, 0, NULL},
    {ACTION_PHASE_GO, "phase-go", {NULL}, NULL, NULL, 0, LEAVES, 0, move_phase_go},
    {ACTION_OPERATION_GO, "operation-go", {NULL}, NULL, NULL, 0, LEAVES, 0, move_operation_go},
    {ACTION_LANE_GO, "lane-go", {NULL}, NULL, NULL, 0, LOOKS, 0, move_lane_click},
};
/* clang-format on */

const size_t action_row_count = sizeof action_rows / sizeof *action_rows;
_Static_assert(sizeof action_rows / sizeof *action_rows <= ACTION_ROWS_MAX,
               "a list of all rows has room");
