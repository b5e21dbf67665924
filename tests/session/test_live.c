/*
 * A scene that is changed by key scripts: the kernel runs again, the position stays, and the
 * screens are compared with the reviewed text in screens/NAME.txt.
 *
 *     UPDATE_SCREENS=1 ctest -R session_live      rewrites them; read the diff before committing it
 */
#include "base/message.h"
#include "session/live.h"
#include "view/view.h"

#include "reviewed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#if __GLIBC_PREREQ(2, 33)
#define COUNTS_MEMORY
#endif
#endif

#include <cmocka.h>

struct scene {
    struct request request;
    struct trace *trace;
    struct replay replay;
    struct live live;
};

static void scene_open(struct scene *scene, const char *command) {
    struct error err = ERROR_INIT;
    memset(scene, 0, sizeof *scene);
    if (request_read(&scene->request, command, DEVICE_CPU, &err) != 0)
        fail_msg("%s", err.text);
    launch_record(&scene->request.launch, &scene->trace, &err);
    assert_non_null(scene->trace);
    assert_int_equal(replay_init(&scene->replay, scene->trace, &err), 0);
    live_begin(&scene->live, &scene->request.launch);
    replay_set_live(&scene->replay, true);
}

/* The first picture that a user sees. */
static void scene_explains(struct scene *scene, const char *name) {
    if (strstr(name, "legend"))
        replay_set_legend(&scene->replay);
}

static void scene_close(struct scene *scene) {
    live_release(&scene->live);
    trace_close(scene->trace);
    request_release(&scene->request);
}

/* Passes a key on in the same way as session/screens/recording_screen.c. */
static void press(struct scene *scene, const char *key) {
    bool remade;
    if (scene->live.choosing) {
        live_page_apply(&scene->live, &scene->replay,
                        which_page_press(&scene->live.page, key).info->action, 0, &remade);
        return;
    }
    replay_key(&scene->replay, replay_press(&scene->replay, key));
    live_follow(&scene->live, &scene->replay, &remade);
}

/* Words that name a key press it; other words are typed; "+500ms" lets time pass. */
static void script(struct scene *scene, const char *keys) {
    while (*keys) {
        char word[64];
        const size_t length = strcspn(keys, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, keys);
        keys += length + (keys[length] == ' ');
        if (word[0] == '+' && word[1])
            replay_tick(&scene->replay, strtol(word + 1, NULL, 10));
        else if (action_key_exists(word))
            press(scene, word);
        else
            for (const char *c = word; *c; c++)
                press(scene, (const char[]){*c, '\0'});
    }
}

static void asks_for(const struct scene *scene, const char *command) {
    struct text line = TEXT_INIT;
    request_line(&scene->live.request.launch, &line);
    assert_string_equal(line.data, command);
    text_release(&line);
    /* The recording is the command's. */
    char noted[256];
    snprintf(noted, sizeof noted, "shflviz %s", command);
    assert_string_equal(trace_note(scene->replay.cursor.trace, TRACE_NOTE_COMMAND), noted);
}

/* ---- requests by keys ---- */

static void keys_change_the_command(void **state) {
    (void)state;
    static const struct {
        const char *command, *keys, *becomes;
    } cases[] = {
        {"xor --mask 3 --width 16", "]", "xor --mask 4 --width 16"},
        {"xor --mask 3 --width 16", "4]", "xor --mask 7 --width 16"},
        {"xor --mask 3 --width 16", "[ [ [ [", "xor --mask -1 --width 16"},
        {"xor --mask 0x10", "]", "xor --mask 17"},
        {"xor --mask 3 --width 16", "}", "xor --mask 3 --width 32"},
        {"xor --mask 3 --width 16", "} }", "xor --mask 3 --width 32"},
        {"xor --mask 3", "{ {", "xor --mask 3 --width 8"},
        {"xor --mask 3 --width 2", "{ {", "xor --mask 3 --width 1"},
        {"xor --mask 3 --width 16", "c", "idx --src 3 --width 16"},
        {"xor --mask 3 --width 16", "c c c c", "xor --mask 3 --width 16"},
        {"idx --src 3", "C", "xor --mask 3"},
        {"xor --mask 3", "t", "xor --mask 3 --type unsigned"},
        {"xor --mask 3", "t T", "xor --mask 3 --type int"},
        {"xor --mask 3", "s s", "xor --mask 3 --schedule 2"},
        {"xor --mask 3", "s S", "xor --mask 3"},
        {"xor --mask 3", "> 2>", "xor --mask 3 --threads 35"},
        {"xor --mask 3", "<", "xor --mask 3 --threads 31"},
        {"xor --mask 3", "5j m Space Escape", "xor --mask 3 --members 0xffffffdf"},
        {"xor --mask 3", "5j m Space Space Enter", "xor --mask 3"},
        {"xor --mask 3", "m Space j Space Enter ]", "xor --mask 4 --members 0xfffffffc"},
        {"xor --mask 3", ": mask Space 5 Enter", "xor --mask 5"},
        {"idx --src 1", ": src Space (lane+7)%32 Enter", "idx --src '(lane+7)%32'"},
        {"xor --mask 3", ": wi Tab 8 Enter", "xor --mask 3 --width 8"},
        {"xor --mask 3", "e Backspace 5 Enter", "xor --mask 5"},
        {"xor --mask 3", "i *2 Enter", "xor --mask 3 --in 'lane*2'"},
        {"xor --mask 'lane & 1'", "] ]", "xor --mask '(lane & 1) + 2'"},
        {"xor --mask 'lane & 1'", "] [", "xor --mask 'lane & 1'"},
        {"xor --mask 'lane & 1'", "2[", "xor --mask '(lane & 1) - 2'"},
        {"xor --mask 3", "] ] u", "xor --mask 4"},
        {"xor --mask 3", "] ] u u u U", "xor --mask 4"},
        {"xor --mask 3", "] ] u u 2U", "xor --mask 5"},
        {"xor --mask 3", "] ] u { U", "xor --mask 4 --width 16"},
        {"xor --mask 3", ": width Space 12 Enter n", "xor --mask 3"},
        {"xor --mask 3", ": width Space 12 Enter y", "xor --mask 3 --width 12 --undefined"},
        {"xor --mask 3", ": width Space 12 Enter y {", "xor --mask 3 --width 6 --undefined"},
        {"xor --mask 3", ": mask Space x Enter Escape", "xor --mask 3"},
        {"xor --mask 3", ": type Space float Enter", "xor --mask 3 --type float"},
        {"xor --mask 3", ": members Space 0xff Enter", "xor --mask 3 --members 0xff"},
        {"xor --mask 3", ": threads Space 64 Enter", "xor --mask 3 --threads 64"},
        {"xor --mask 3", ": in Space random:7 Enter", "xor --mask 3 --in random:7"},
        {"xor --mask 3", ": schedule Space 9 Enter", "xor --mask 3 --schedule 9"},
        {"xor --mask 3", ": device Space cpu Enter", "xor --mask 3 --device cpu"},
        {"xor --mask 3", ": mask Space lane&1 Enter", "xor --mask 'lane&1'"},
        {"xor --mask 3", ": up Enter", "up --delta 3"},
        {"xor --mask 3", ": up Space --delta Space 2 Enter", "up --delta 2"},
        {"xor --mask 3", ": --width Space 8 Enter", "xor --mask 3 --width 8"},
        {"kernel allreduce", ": threads Space 64 Enter", "kernel allreduce --threads 64"},
        {"kernel allreduce", ": blocks Space 2 Enter", "kernel allreduce --blocks 2"},
        {"kernel grid-reduce-warp", ": n Space 100 Enter", "kernel grid-reduce-warp --n 100"},
        {"kernel grid-reduce-warp --n 100", "] ]", "kernel grid-reduce-warp --n 102"},
        {"kernel grid-reduce-warp --n 2", "5[", "kernel grid-reduce-warp --n 1"},
        {"xor --mask '(lane & 1) + 2'", "[", "xor --mask '(lane & 1) + 1'"},
        {"xor --mask '(lane & 1) - 2'", "3]", "xor --mask '(lane & 1) + 1'"},
        {"xor --mask '(lane & 1) * 2'", "]", "xor --mask '((lane & 1) * 2) + 1'"},
        {"xor --mask 3 --threads 1000", "100>", "xor --mask 3 --threads 1024"},
        {"xor --mask 3 --threads 3", "9<", "xor --mask 3 --threads 1"},
        {"xor --mask 3 --width 1", "{", "xor --mask 3 --width 1"},
        {"xor --mask 3", ": Space Enter", "xor --mask 3"},
        {"kernel scan-8", "s", "kernel scan-8 --schedule 1"},
        {"kernel scan-8", "c", "kernel scan-8"},
        {"kernel scan-8", ": kernel Space scan-32 Enter", "kernel scan-32"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scene scene;
        scene_open(&scene, cases[i].command);
        script(&scene, cases[i].keys);
        asks_for(&scene, cases[i].becomes);
        scene_close(&scene);
    }
}

/* A setting without a next value reports that, and nothing else changes. */
static void settings_without_a_next_say_so(void **state) {
    (void)state;
    static const struct {
        const char *command, *keys, *says;
    } cases[] = {
        {"kernel allreduce", "]", "this kernel has no argument: : sets its options"},
        {"idx --src 1,2,3 --threads 3", "]",
         "a list has no next value: : lets you type another list"},
        {"idx --src random:7", "[", "a list has no next value: : lets you type another list"},
        {"xor --mask 3", "}", "a group has at most the 32 lanes of a warp"},
        {"xor --mask 3 --width 1", "{", "a group has at least one lane"},
        {"kernel scan-8", "c", "a kernel is not a single call: : kernel NAME shows another kernel"},
        {"xor --mask 3", "S", "order 0, lane order, is the first order"},
        {"xor --mask 3", "u", "nothing to undo"},
        {"xor --mask 3", "U", "nothing to redo"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scene scene;
        scene_open(&scene, cases[i].command);
        script(&scene, cases[i].keys);
        if (strcmp(scene.replay.message, cases[i].says) != 0)
            fail_msg("%s, %s: '%s'", cases[i].command, cases[i].keys, scene.replay.message);
        assert_null(scene.live.made);
        scene_close(&scene);
    }
}

static void the_position_stays_and_changes_are_marked(void **state) {
    (void)state;
    struct scene scene;
    scene_open(&scene, "xor --mask 16");
    script(&scene, "llll 20j 2 +600");
    assert_int_equal(scene.replay.view, VIEW_WIRES);
    script(&scene, "{");
    assert_int_equal(scene.replay.cursor.phase, PHASE_AFTER);
    assert_int_equal(scene.replay.lane, 20);
    assert_int_equal(scene.replay.view, VIEW_WIRES);
    /* At width 16, xor 16 puts lanes 0-15 out of range; lanes 16-31 read the earlier group as
     * before, but are a group of their own. */
    const struct live_altered altered = replay_altered(&scene.replay);
    assert_int_equal(altered.reads, 0x0000ffff);
    assert_int_equal(altered.out, 0x0000ffff);
    assert_int_equal(altered.group, 0xffff0000);
    assert_int_equal(altered.in | altered.formula, 0);
    assert_int_equal(scene.replay.cursor.step.operation.out[3], 3);
    assert_int_equal(scene.replay.cursor.step.operation.out[20], 4);
    script(&scene, "+1400");
    assert_int_equal(replay_points(&scene.replay), 0x0000ffff);
    script(&scene, "+200");
    assert_int_equal(replay_points(&scene.replay), 0);
    scene_close(&scene);
}

static uint32_t points_after(const char *command, const char *keys) {
    struct scene scene;
    scene_open(&scene, command);
    script(&scene, keys);
    const uint32_t points = replay_points(&scene.replay);
    scene_close(&scene);
    return points;
}

/* A row with the same content as before is not marked. */
static void unchanged_rows_are_not_marked(void **state) {
    (void)state;
    struct scene scene;
    scene_open(&scene, "xor --mask 3 --width 16");
    script(&scene, "llll {"); /* partners are within 4: only the groups differ */
    assert_int_equal(replay_points(&scene.replay), 0);
    assert_int_equal(replay_altered(&scene.replay).group, 0xffffff00); /* groups of 8: A stays A */
    scene_close(&scene);
    /* Masks 3 and 4 differ in all lanes, both in the lane read and in the result. */
    assert_int_equal(points_after("xor --mask 3", "llll ]"), 0xffffffff);
    /* With mask lane & 1 and then 1, the odd lanes read the same lanes as before. */
    assert_int_equal(points_after("xor --mask lane&1", "llll : mask Space 1 Enter"), 0x55555555);
    /* With another input and the same sources, only the values differ at `range`. */
    assert_int_equal(points_after("xor --mask 3 --in lane", "ll : in Space lane&15 Enter"),
                     0xffff0000);
    /* With delta 0 and 32, the same lanes are read: only the argument differs, from address on. */
    assert_int_equal(points_after("down --delta 0", ": delta Space 32 Enter"), 0);
    assert_int_equal(points_after("down --delta 0", "l : delta Space 32 Enter"), 0xffffffff);
}

static void a_kernel_stays_at_its_warp_and_operation(void **state) {
    (void)state;
    struct scene scene;
    scene_open(&scene, "kernel block-reduce --threads 64 --in 1");
    script(&scene, "w n n l");
    const struct cursor was = scene.replay.cursor;
    assert_int_equal(was.warp.warp, 1);
    script(&scene, ": in Space 2 Enter");
    assert_int_equal(scene.replay.cursor.warp.warp, 1);
    assert_int_equal(scene.replay.cursor.position, was.position);
    assert_int_equal(scene.replay.cursor.phase, was.phase);
    assert_int_equal(scene.replay.cursor.step.operation.in[0], 2 * was.step.operation.in[0]);
    /* With one warp there is no second warp, so the first is shown. */
    script(&scene, ": threads Space 32 Enter");
    assert_int_equal(scene.replay.cursor.warp.warp, 0);
    scene_close(&scene);
}

static void a_refused_setting_changes_nothing(void **state) {
    (void)state;
    struct scene scene;
    scene_open(&scene, "xor --mask 3");
    const struct trace *trace = scene.replay.cursor.trace;
    script(&scene, ": in Space lane/0 Enter");
    assert_ptr_equal(scene.replay.cursor.trace, trace);
    assert_non_null(strstr(scene.replay.live.complaint, "xor: --in"));
    assert_int_equal(scene.replay.input.prompt, PROMPT_SETTING); /* to be corrected */
    assert_string_equal(scene.replay.input.text, "in lane/0");
    script(&scene, "Backspace 2 Enter");
    asks_for(&scene, "xor --mask 3 --in lane/2");
    assert_string_equal(scene.replay.live.complaint, "");
    scene_close(&scene);
}

/* Errors after : are worded as on the command line, whatever was pasted. */
static void errors_match_the_command_line(void **state) {
    (void)state;
    static const char *const wrong[][2] = {{"mask", "x"},
                                           {"mask", "lane/0"},
                                           {"width", "wide"},
                                           {"type", "flaot"},
                                           {"members", "0xg"},
                                           {"threads", "2000"},
                                           {"in", "random:"},
                                           {"schedule", "-1"},
                                           {"maks", "5"},
                                           {"device", "tpu"},
                                           {"n", "5"},
                                           {"src", "5"},
                                           {"mask", "$(reboot);`ls`|&<>"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct scene scene;
        struct request request;
        struct trace *trace = NULL;
        struct error err = ERROR_INIT;
        char line[128];
        snprintf(line, sizeof line, "xor --mask 3 --%s '%s'", wrong[i][0], wrong[i][1]);
        int status = request_read(&request, line, DEVICE_CPU, &err);
        if (status == 0)
            status = launch_record(&request.launch, &trace, &err);
        assert_int_not_equal(status, 0);
        request_release(&request);
        scene_open(&scene, "xor --mask 3");
        script(&scene, ":");
        snprintf(line, sizeof line, "%s %s", wrong[i][0], wrong[i][1]);
        for (const char *c = line; *c; c++)
            press(&scene, *c == ' ' ? "Space" : (const char[]){*c, '\0'});
        press(&scene, "Enter");
        if (strncmp(scene.replay.live.complaint, err.text, strlen(err.text)) != 0 &&
            !strchr(wrong[i][1], '$')) /* words after that are separate words */
            fail_msg("%s: '%s' is not '%s'", line, scene.replay.live.complaint, err.text);
        assert_true(scene.replay.live.complaint[0]);
        asks_for(&scene, "xor --mask 3");
        scene_close(&scene);
    }
}

/* Tab completes a setting's name as soon as the letters typed make it unique. */
static void settings_are_completed(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"mas", "mask "},
                                           {"wi", "width "},
                                           {"memb", "members "},
                                           {"thr", "threads "},
                                           {"sch", "schedule "},
                                           {"ty", "type "},
                                           {"dev", "device "},
                                           {"type Space bf", "type bfloat16"},
                                           {"device Space c", "device cpu"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scene scene;
        char keys[64];
        scene_open(&scene, "xor --mask 3");
        snprintf(keys, sizeof keys, ": %s Tab", cases[i][0]);
        script(&scene, keys);
        if (strncmp(scene.replay.input.text, cases[i][1], strlen(cases[i][1])) != 0)
            fail_msg("'%s' becomes '%s'", cases[i][0], scene.replay.input.text);
        scene_close(&scene);
    }
}

/* Undo works as many times as documented, without leaking memory or files. */
static void thousands_of_changes_are_undone(void **state) {
    (void)state;
    struct scene scene;
    scene_open(&scene, "xor --mask 0");
    for (int i = 0; i < 2000; i++)
        script(&scene, "]");
    asks_for(&scene, "xor --mask 2000");
    script(&scene, "1999u");
    asks_for(&scene, "xor --mask 1");
    script(&scene, "5000U");
    asks_for(&scene, "xor --mask 2000");
    scene_close(&scene);
}

static void the_command_is_copied(void **state) {
    (void)state;
    struct scene scene;
    scene_open(&scene, "xor --mask 3");
    assert_null(live_take_copy(&scene.live));
    script(&scene, "] y");
    assert_string_equal(live_take_copy(&scene.live), "shflviz xor --mask 4");
    assert_null(live_take_copy(&scene.live));
    scene_close(&scene);
}

static void calls_are_found_backwards(void **state) {
    (void)state;
    struct scene scene;
    scene_open(&scene, "xor --mask 3");
    script(&scene, "5j f"); /* lane 5 reads lane 6 */
    assert_string_equal(scene.replay.live.choices, "5<6");
    script(&scene, "5<6,6<7 Enter");
    assert_true(scene.live.choosing);
    script(&scene, "Enter");
    assert_false(scene.live.choosing);
    asks_for(&scene, "down --delta 1");
    script(&scene, "u");
    asks_for(&scene, "xor --mask 3");
    scene_close(&scene);
}

#ifdef COUNTS_MEMORY
/* Repeated searches for calls do not use more memory. */
static void found_calls_are_released(void **state) {
    (void)state;
    struct scene scene;
    size_t in_use = 0;
    scene_open(&scene, "xor --mask 3");
    script(&scene, "5j");
    for (int i = 0; i < 100; i++) {
        script(&scene, "f Enter");
        assert_true(scene.live.choosing);
        assert_true(scene.live.page.which.count > 0);
        script(&scene, "Escape");
        assert_false(scene.live.choosing);
        if (i == 49)
            in_use = mallinfo2().uordblks;
    }
    /* If each of fifty pages leaked one call, more memory would be in use. */
    assert_in_range(mallinfo2().uordblks, 0, in_use + 49 * sizeof(struct which_call));
    scene_close(&scene);
}
#endif

static void survives_random_keys(void **state) {
    (void)state;
    static const char *const keys[] = {
        "]", "[",     "}",      "{",   "c",         "C", "o", "t",    "T", "s", "S", ">",
        "<", "m",     "Space",  "j",   "k",         ":", "e", "i",    "f", "|", "u", "U",
        "y", "Enter", "Escape", "Tab", "Backspace", "1", "2", "3",    "n", "l", "h", "?",
        "p", "/",     "a",      "w",   "5",         "x", "v", "Down", "Up"};
    struct scene scene;
    struct grid grid;
    uint32_t seed = 11;
    scene_open(&scene, "xor --mask 3 --width 16");
    grid_init(&grid, 80, 24, false);
    for (int i = 0; i < 6000; i++) {
        seed = seed * 1664525u + 1013904223u;
        press(&scene, keys[(seed >> 8) % (sizeof keys / sizeof *keys)]);
        replay_tick(&scene.replay, (long)(seed >> 28) * 100);
        assert_true(scene.replay.cursor.has_step);
        grid_clear(&grid);
        if (i % 7 == 0 && !live_draw(&scene.live, &scene.replay, &grid))
            view_draw(&grid, &scene.replay);
        assert_false(grid.failed_to_fit);
        scene.replay.quit = false;
    }
    grid_release(&grid);
    scene_close(&scene);
}

/* ---- screens ---- */

/* The file of a "part-..." has the rows below the tabs. The file of a "change-..." has the rows
 * that differ from another screen: the last one before it in this table that is not a
 * "change-...". */
static const struct screen {
    const char *name, *command;
    int columns, rows;
    const char *keys;
} screens[] = {
    {"argument-80x24", "xor --mask 3 --width 16", 80, 24, "llll 5j ]"},
    {"legend-80x24", "xor --mask 3 --width 16", 80, 24, ""},
    {"legend-60x20", "xor --mask 3 --width 16", 60, 20, ""},
    {"zh-legend-80x24", "xor --mask 3 --width 16", 80, 24, ""},
    {"part-argument-60x20", "xor --mask 3 --width 16", 60, 20, "llll 5j ]"},
    {"part-expression-80x24", "idx --src 1", 80, 24, "llll : src Space (lane+7)%32 Enter +2000"},
    {"typing-80x24", "xor --mask 3", 80, 24, ": type Space bf Tab"},
    {"change-refused-80x24", "xor --mask 3", 80, 24, ": mask Space (lane Enter"},
    {"change-asked-80x24", "xor --mask 3", 80, 24, ": width Space 12 Enter"},
    {"change-which-refused-80x24", "xor --mask 3", 80, 24, "f x Enter"},
    {"part-undefined-80x24", "xor --mask 3", 80, 24, "llll : width Space 12 Enter y +2000"},
    {"part-members-80x24", "down --delta 1", 80, 24, "llll 8j m Space j Space"},
    {"part-kernel-80x24", "kernel block-reduce --threads 64 --in 1", 80, 24,
     "w n llll : in Space 2 Enter"},
    {"beside-80x24", "xor --mask 16", 80, 24, "| {"},
    {"change-zh-beside-80x24", "xor --mask 16", 80, 24, "| {"},
    {"beside-120x40", "xor --mask 16", 120, 40, "| {"},
    {"beside-same-80x24", "xor --mask 3", 80, 24, "| {"},
    {"which-80x24", "xor --mask 3", 80, 24, "5j f 5<6,6<7 Enter j"},
    {"which-none-80x24", "xor --mask 3", 80, 24, "f 5<6,6<5,7<7 Enter"},
    {"help-80x24", "xor --mask 3", 80, 24, "?"},
    {"help-live-80x24", "xor --mask 3", 80, 24, "? ?"},
    {"change-zh-help-live-80x24", "xor --mask 3", 80, 24, "? ?"},
    {"part-zh-argument-80x24", "xor --mask 3 --width 16", 80, 24, "llll 5j ]"},
    {"zh-refused-80x24", "xor --mask 3", 80, 24, ": mask Space (lane Enter"},
    {"change-zh-asked-80x24", "xor --mask 3", 80, 24, ": width Space 12 Enter"},
    {"part-zh-members-80x24", "down --delta 1", 80, 24, "llll 8j m Space"},
    {"zh-which-80x24", "xor --mask 3", 80, 24, "5j f Enter"},
};

/* Sets *first to the first row that is compared. */
static char *draw(const struct screen *screen, int *first) {
    struct scene scene;
    struct grid grid;
    message_language_use(strstr(screen->name, "zh-") ? "zh" : "en");
    scene_open(&scene, screen->command);
    scene_explains(&scene, screen->name);
    script(&scene, screen->keys);
    grid_init(&grid, screen->columns, screen->rows, false);
    if (!live_draw(&scene.live, &scene.replay, &grid))
        view_draw(&grid, &scene.replay);
    assert_false(grid.failed_to_fit);
    *first = strncmp(screen->name, "part-", 5) == 0 ? reviewed_first_row(&grid) : 0;
    char *text = grid_to_text(&grid, true);
    grid_release(&grid);
    scene_close(&scene);
    message_language_use("en");
    return text;
}

static bool is_change(const struct screen *screen) {
    return strncmp(screen->name, "change-", 7) == 0;
}

static void screen_is_as_reviewed(void **state) {
    const struct screen *screen = *state, *before = screen;
    int first;
    char *text = draw(screen, &first);
    while (is_change(before))
        before--;
    if (before < screen)
        reviewed_change(SCREENS_FOLDER, screen->name, screen->keys, draw(before, &first), text);
    else
        reviewed_picture(SCREENS_FOLDER, screen->name, screen->keys, first, text);
}

static void key_bars_are_as_reviewed(void **state) {
    (void)state;
    struct reviewed_bars bars = {0};
    int first;
    for (size_t i = 0; i < sizeof screens / sizeof *screens; i++)
        reviewed_bar(&bars, screens[i].name, draw(&screens[i], &first));
    reviewed_bars_compare(SCREENS_FOLDER, "key-bars", &bars);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_change_the_command),
        cmocka_unit_test(settings_without_a_next_say_so),
        cmocka_unit_test(the_position_stays_and_changes_are_marked),
        cmocka_unit_test(unchanged_rows_are_not_marked),
        cmocka_unit_test(a_kernel_stays_at_its_warp_and_operation),
        cmocka_unit_test(a_refused_setting_changes_nothing),
        cmocka_unit_test(errors_match_the_command_line),
        cmocka_unit_test(settings_are_completed),
        cmocka_unit_test(thousands_of_changes_are_undone),
        cmocka_unit_test(the_command_is_copied),
        cmocka_unit_test(calls_are_found_backwards),
#ifdef COUNTS_MEMORY
        cmocka_unit_test(found_calls_are_released),
#endif
        cmocka_unit_test(survives_random_keys),
        cmocka_unit_test(key_bars_are_as_reviewed),
    };
    enum { COUNT = sizeof screens / sizeof *screens };
    struct CMUnitTest pictures[COUNT];
    for (int i = 0; i < COUNT; i++)
        pictures[i] = (struct CMUnitTest){.name = screens[i].name,
                                          .test_func = screen_is_as_reviewed,
                                          .initial_state = (void *)&screens[i]};
    return cmocka_run_group_tests(tests, NULL, NULL) + cmocka_run_group_tests(pictures, NULL, NULL);
}
