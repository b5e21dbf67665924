/*
 * The program's surroundings: the environment's language, the user's own keys, the kind of standard
 * output, and drawing on it. Standard output is a file here, so no screen can be shown.
 */
#include "base/message.h"
#include "cli/command.h"
#include "cli/key_file.h"
#include "cli/language.h"
#include "cli/show.h"
#include "device/device.h"
#include "launch/request.h"
#include "replay/keys/action.h"

#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- messages ---- */

static int kept_output, kept_errors;
static char heard[16384];

static void listen_to(void) {
    fflush(stdout);
    kept_output = dup(1);
    kept_errors = dup(2);
    const int file = open("heard", O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(file, 1);
    dup2(file, 2);
    close(file);
}

static const char *hear(void) {
    fflush(stdout);
    dup2(kept_output, 1);
    dup2(kept_errors, 2);
    close(kept_output);
    close(kept_errors);
    FILE *file = fopen("heard", "r");
    assert_non_null(file);
    heard[fread(heard, 1, sizeof heard - 1, file)] = '\0';
    fclose(file);
    return heard;
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void set(const char *name, const char *value) {
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

/* ---- language ---- */

static void the_environment_chooses_the_language(void **state) {
    (void)state;
    static const struct {
        const char *all, *ctype, *lang, *language; /* LC_ALL, LC_CTYPE, LANG, LANGUAGE */
        const char *wanted;                        /* --lang */
        const char *begins, *becomes;              /* the language */
        const char *refused, *said;
    } cases[] = {
        {NULL, NULL, NULL, NULL, NULL, "en", "en", NULL, ""},
        {"C.UTF-8", NULL, NULL, NULL, NULL, "en", "en", NULL, ""},
        {NULL, NULL, "zh_CN.UTF-8", NULL, NULL, "zh", "zh", NULL, ""},
        {NULL, NULL, "zh_CN.utf8", NULL, NULL, "zh", "zh", NULL, ""},
        {"zh_CN.UTF-8", NULL, "C", NULL, NULL, "zh", "zh", NULL, ""},
        {"C", NULL, "zh_CN.UTF-8", NULL, NULL, "en", "en", NULL, ""},
        {"POSIX", NULL, "zh_CN.UTF-8", NULL, NULL, "en", "en", NULL, ""},
        {"", "", "zh_CN.UTF-8", NULL, NULL, "zh", "zh", NULL, ""},
        {NULL, NULL, "en_US.UTF-8", "zh:en", NULL, "zh", "zh", NULL, ""},
        {"zh_CN.GB18030", NULL, NULL, NULL, NULL, "en", "en", NULL,
         "shflviz: LC_ALL=zh_CN.GB18030 is not a UTF-8 locale, so this is English in ASCII; try: "
         "LC_ALL=zh_CN.UTF-8\n"},
        {NULL, "zh_CN.GB18030", "zh_CN.UTF-8", NULL, NULL, "en", "en", NULL,
         "shflviz: LC_CTYPE=zh_CN.GB18030 is not a UTF-8 locale, so this is English in ASCII; try: "
         "LC_CTYPE=zh_CN.UTF-8\n"},
        {NULL, NULL, "en_US.ISO-8859-99", NULL, NULL, "en", "en", NULL, ""},
        {NULL, NULL, NULL, NULL, "zh", "en", "zh", NULL, ""},
        {"C", NULL, NULL, NULL, "zh", "en", "zh", NULL, ""},
        {"C.UTF-8", NULL, NULL, NULL, "zh", "en", "zh", NULL, ""},
        {NULL, NULL, "zh_CN.UTF-8", NULL, "en", "zh", "en", NULL, ""},
        {"zh_CN.GB18030", NULL, NULL, NULL, "en", "en", "en", NULL, ""},
        {"zh_CN.GB18030", NULL, NULL, NULL, "zh", "en", "en",
         "needs UTF-8, and LC_ALL=zh_CN.GB18030 asks for another character set", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error err = ERROR_INIT;
        setlocale(LC_CTYPE, "C");
        message_language_use("en");
        set("LC_ALL", cases[i].all);
        set("LC_CTYPE", cases[i].ctype);
        set("LANG", cases[i].lang);
        set("LANGUAGE", cases[i].language);
        language_begin();
        if (strcmp(message_language(), cases[i].begins) != 0)
            fail_msg("case %zu begins in %s", i, message_language());
        if (cases[i].wanted)
            message_language_use(cases[i].wanted);
        listen_to();
        const int status = language_settle(cases[i].wanted, &err);
        hear();
        if (strcmp(message_language(), cases[i].becomes) != 0)
            fail_msg("case %zu becomes %s", i, message_language());
        assert_string_equal(heard, cases[i].said);
        assert_int_equal(status, cases[i].refused ? -1 : 0);
        if (cases[i].refused) {
            assert_int_equal(err.kind, ERROR_USAGE);
            assert_non_null(strstr(err.text, cases[i].refused));
        }
        /* Another language is only used if it can be shown. */
        if (strcmp(message_language(), "en") != 0)
            assert_string_equal(nl_langinfo(CODESET), "UTF-8");
    }
    set("LC_ALL", "C");
    set("LANG", NULL);
    set("LC_CTYPE", NULL);
    set("LANGUAGE", NULL);
    message_language_use("en");
    setlocale(LC_CTYPE, "C");
}

static void lang_is_read_before_the_options(void **state) {
    (void)state;
    static const struct {
        const char *words[4];
        int count;
        const char *becomes;
    } cases[] = {
        {{"--lang", "zh"}, 2, "zh"},
        {{"--lang=zh"}, 1, "zh"},
        {{"x", "--lang=zh"}, 2, "zh"},
        {{"--lang=zh", "--lang", "en"}, 3, "en"},
        {{"--", "--lang=zh"}, 2, "en"},
        {{"--lang"}, 1, "en"},
        {{"--lang=xx"}, 1, "en"},
        {{"--language=zh"}, 1, "en"},
        {{"--lang=zh", "--", "--lang=en"}, 3, "zh"},
        {{"--lang=zh"}, 0, "en"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        message_language_use("en");
        language_look_ahead(cases[i].count, (char **)(void *)cases[i].words);
        if (strcmp(message_language(), cases[i].becomes) != 0)
            fail_msg("case %zu becomes %s", i, message_language());
    }
    message_language_use("en");
}

/* ---- keys ---- */

static enum action bound_to(const char *key) {
    const struct action_info *info = action_for_key(ACTION_MODE_REPLAY, key);
    return info ? info->action : ACTION_NONE;
}

static void keys_are_read_from_a_file(void **state) {
    (void)state;
    char here[1024], path[1100];
    assert_non_null(getcwd(here, sizeof here));
    mkdir("config", 0700);
    mkdir("config/shflviz", 0700);
    mkdir("home", 0700);
    mkdir("home/.config", 0700);
    mkdir("home/.config/shflviz", 0700);
    snprintf(path, sizeof path, "%s/home", here);
    setenv("HOME", path, 1);
    snprintf(path, sizeof path, "%s/config", here);
    setenv("XDG_CONFIG_HOME", path, 1);
    listen_to();
    key_file_read(); /* there is no key file */
    assert_string_equal(hear(), "");
    write_file("config/shflviz/keys", "bind replay Insert phase-next\n");
    write_file("home/.config/shflviz/keys", "bind replay Delete phase-previous\n");
    assert_int_equal(bound_to("Insert"), ACTION_NONE);
    listen_to();
    key_file_read();
    assert_string_equal(hear(), "");
    assert_int_equal(bound_to("Insert"), ACTION_PHASE_NEXT);
    assert_int_equal(bound_to("Delete"), ACTION_NONE);
    setenv("XDG_CONFIG_HOME", "config", 1); /* not an absolute path */
    key_file_read();
    assert_int_equal(bound_to("Delete"), ACTION_PHASE_PREVIOUS);
    unsetenv("XDG_CONFIG_HOME");
    write_file("home/.config/shflviz/keys",
               "bind replay Ctrl-A no-such-thing\nbind replay Ctrl-B phase-next\n");
    listen_to();
    key_file_read();
    hear();
    assert_int_equal(strncmp(heard, "shflviz: ", 9), 0);
    assert_non_null(strstr(heard, "home/.config/shflviz/keys:1: "));
    assert_int_equal(bound_to("Ctrl-B"), ACTION_PHASE_NEXT); /* the others are valid */
    unlink("home/.config/shflviz/keys");
    mkdir("home/.config/shflviz/keys", 0700);
    listen_to();
    key_file_read();
    hear();
    assert_non_null(strstr(heard, "cannot read "));
    unsetenv("HOME");
    listen_to();
    key_file_read();
    assert_string_equal(hear(), "");
}

/* ---- how it is shown ---- */

static void colours_are_chosen(void **state) {
    (void)state;
    static const struct {
        enum color_choice choice;
        const char *term, *no_color, *colorterm;
        enum color_depth text, screen;
    } cases[] = {
        {COLOR_NEVER, "xterm-256color", NULL, NULL, COLOR_PLAIN, COLOR_NONE},
        {COLOR_AUTO, "xterm-256color", NULL, NULL, COLOR_PLAIN, COLOR_256},
        {COLOR_AUTO, "xterm-256color", "1", NULL, COLOR_PLAIN, COLOR_NONE},
        {COLOR_AUTO, "xterm", NULL, "truecolor", COLOR_PLAIN, COLOR_TRUE},
        {COLOR_ALWAYS, "xterm", NULL, "truecolor", COLOR_TRUE, COLOR_TRUE},
        {COLOR_ALWAYS, "xterm", NULL, NULL, COLOR_8, COLOR_8},
        {COLOR_ALWAYS, "xterm", "1", NULL, COLOR_256, COLOR_256},
        {COLOR_ALWAYS, "dumb", NULL, NULL, COLOR_256, COLOR_256},
        {COLOR_ALWAYS, "vt100", NULL, NULL, COLOR_256, COLOR_256},
    };
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("HOME");
    unsetenv("COLORFGBG");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct options options = {.color = cases[i].choice};
        set("TERM", cases[i].term);
        set("NO_COLOR", cases[i].no_color);
        set("COLORTERM", cases[i].colorterm);
        listen_to();
        const struct text_style style = show_text_style(&options);
        const struct screen_options screen = show_screen_options(&options);
        const bool can = show_has_screen();
        hear();
        if (style.palette.depth != cases[i].text || screen.depth != cases[i].screen)
            fail_msg("case %zu: %d and %d", i, (int)style.palette.depth, (int)screen.depth);
        assert_false(can);
        assert_int_equal(style.columns, 80);
        assert_true(style.ascii && screen.ascii); /* the locale is C */
        assert_int_equal(style.palette.background, BACKGROUND_UNKNOWN);
    }
    set("NO_COLOR", NULL);
    set("COLORTERM", NULL);
}

static void backgrounds_and_characters(void **state) {
    (void)state;
    struct options options = {.background = BACKGROUND_UNKNOWN};
    setenv("COLORFGBG", "15;0", 1);
    assert_int_equal(show_text_style(&options).palette.background, BACKGROUND_DARK);
    assert_int_equal(show_screen_options(&options).background, BACKGROUND_UNKNOWN);
    options.background = BACKGROUND_LIGHT; /* an explicit request overrides it */
    assert_int_equal(show_text_style(&options).palette.background, BACKGROUND_LIGHT);
    assert_int_equal(show_screen_options(&options).background, BACKGROUND_LIGHT);
    unsetenv("COLORFGBG");
    if (!setlocale(LC_CTYPE, "C.UTF-8"))
        return;
    assert_false(show_text_style(&options).ascii);
    assert_false(show_screen_options(&options).ascii);
    options.ascii = true;
    assert_true(show_text_style(&options).ascii);
    assert_true(show_screen_options(&options).ascii);
    setlocale(LC_CTYPE, "C");
}

static void formats_are_resolved(void **state) {
    (void)state;
    static const struct {
        bool standard; /* -o - */
        enum format format, becomes;
        const char *says;
    } cases[] = {
        {false, FORMAT_AUTO, FORMAT_TEXT, NULL},
        {false, FORMAT_TEXT, FORMAT_TEXT, NULL},
        {false, FORMAT_CSV, FORMAT_CSV, NULL},
        {false, FORMAT_TUI, FORMAT_TUI, "needs a terminal as standard output"},
        {false, FORMAT_SARIF, FORMAT_SARIF, "is a format for findings"},
        {true, FORMAT_AUTO, FORMAT_RECORDING, NULL},
        {true, FORMAT_JSON, FORMAT_JSON, "'json' would go to standard output"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct options options = {.format = cases[i].format};
        struct error err = ERROR_INIT;
        options.launch.output_is_standard = cases[i].standard;
        options.text[OPTION_FORMAT] = "json";
        listen_to();
        const int status = show_resolve_format(&options, &err);
        hear();
        assert_int_equal(status, cases[i].says ? -1 : 0);
        assert_int_equal(options.format, cases[i].becomes);
        if (cases[i].says && !strstr(err.text, cases[i].says))
            fail_msg("case %zu: %s", i, err.text);
        assert_int_equal(err.kind, cases[i].says ? ERROR_USAGE : ERROR_NONE);
    }
}

static void a_recording_is_printed(void **state) {
    (void)state;
    static const struct {
        enum format format;
        bool overview;
        const char *begins;
    } cases[] = {
        {FORMAT_TEXT, false, "xor  laneMask 3  width 32  int  emulated on the CPU warp\n"},
        {FORMAT_JSON, false, "{\"schema\":\"shflviz/2\","},
        {FORMAT_JSONL, false, "{\"schema\":\"shflviz/2\","},
        {FORMAT_CSV, false, "step,"},
        {FORMAT_TEXT, true, "  launch  kernel "},
        {FORMAT_CSV, true, NULL},
    };
    struct request request;
    struct error err = ERROR_INIT;
    struct trace *trace;
    setenv("SHFLVIZ_PROGRESS", "never", 1);
    assert_int_equal(request_read(&request, "xor --mask 3", DEVICE_CPU, &err), 0);
    launch_record(&request.launch, &trace, &err);
    assert_non_null(trace);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct options options = {.format = cases[i].format};
        options.text[OPTION_FORMAT] = "csv";
        options.given = cases[i].overview ? OPTION_BIT(OPTION_OVERVIEW) : 0;
        listen_to();
        const int status = show_trace(trace, &options, &err);
        hear();
        assert_int_equal(status, cases[i].begins ? 0 : -1);
        if (cases[i].begins && strncmp(heard, cases[i].begins, strlen(cases[i].begins)) != 0)
            fail_msg("case %zu: %.200s", i, heard);
        if (!cases[i].begins)
            assert_non_null(strstr(err.text, "has no overview"));
    }
    trace_close(trace);
    request_release(&request);
}

/* Missing steps are reported after the table, and not in it. */
static void missing_steps_are_reported(void **state) {
    (void)state;
    struct request request;
    struct error err = ERROR_INIT;
    struct trace *trace;
    struct options options = {.format = FORMAT_JSON};
    assert_int_equal(request_read(&request, "kernel reduce-xor-sum --steps 2", DEVICE_CPU, &err),
                     0);
    launch_record(&request.launch, &trace, &err);
    assert_non_null(trace);
    listen_to();
    const int status = show_trace(trace, &options, &err);
    hear();
    assert_int_equal(status, 0);
    assert_non_null(strstr(heard, "\"steps\":["));
    assert_non_null(
        strstr(heard, "\nshflviz: 4 steps were not recorded; the recording keeps the first 2\n"));
    trace_close(trace);
    request_release(&request);
}

static void a_program_is_run_and_shown(void **state) {
    (void)state;
    static const struct {
        const char *format;
        int status;
        const char *says;
    } cases[] = {{"csv", 0, NULL},
                 {"sarif", -1, "xor: --format: 'sarif' is a format for findings"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct options options;
        struct error err = ERROR_INIT;
        char *words[] = {(char *)"--mask", (char *)"3", (char *)"--format",
                         (char *)(uintptr_t)cases[i].format, NULL};
        assert_int_equal(options_parse(&options, command_find("xor"), 4, words, &err), 0);
        listen_to();
        const int status = show_launch(device_program_find("xor"), "xor", &options, &err);
        hear();
        assert_int_equal(status, cases[i].status);
        if (cases[i].says)
            assert_ptr_equal(strstr(err.text, cases[i].says), err.text);
        else
            assert_int_equal(strncmp(heard, "step,", 5), 0);
        options_release(&options);
    }
}

/* A full disk is a failure; a closed pipe counts as a signal. */
static void unwritable_output_is_an_error(void **state) {
    (void)state;
    struct error err = ERROR_INIT;
    int ends[2];
    assert_int_equal(show_finish(&err), 0);
    const int full = open("/dev/full", O_WRONLY);
    if (full >= 0) {
        listen_to();
        dup2(full, 1);
        printf("words");
        const int status = show_finish(&err);
        clearerr(stdout);
        hear();
        close(full);
        assert_int_equal(status, -1);
        assert_int_equal(err.kind, ERROR_USAGE);
        assert_non_null(strstr(err.text, "not all output could be written to standard output"));
    }
    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    listen_to();
    dup2(ends[1], 1);
    printf("words");
    err = (struct error)ERROR_INIT;
    const int status = show_finish(&err);
    clearerr(stdout);
    hear();
    close(ends[1]);
    signal(SIGPIPE, SIG_DFL);
    assert_int_equal(status, -1);
    assert_int_equal(err.kind, ERROR_SIGNAL);
}

/* How the run ended determines the status, unless a signal ended the screen. */
static void which_of_two_failures_counts(void **state) {
    (void)state;
    struct error run = ERROR_INIT, showing = ERROR_INIT, signalled = ERROR_INIT;
    error_set(&run, ERROR_RUN, "it hung");
    error_set(&showing, ERROR_USAGE, "the disk is full");
    error_set_signal(&signalled, SIGTERM);
    struct error err = run;
    assert_int_equal(show_outcome(-1, &showing, &err), -1);
    assert_int_equal(err.kind, ERROR_RUN);
    err = run;
    assert_int_equal(show_outcome(-1, &signalled, &err), -1);
    assert_int_equal(err.kind, ERROR_SIGNAL);
    err = (struct error)ERROR_INIT;
    assert_int_equal(show_outcome(0, &showing, &err), -1);
    assert_string_equal(err.text, "the disk is full");
}

static void results_belong_to_a_file(void **state) {
    (void)state;
    struct options options = {.seed = 9, .questions = 4};
    struct error err = ERROR_INIT;
    assert_int_equal(show_check_results(&options, &err), 0);
    assert_false(show_results_options(&options).has_seed);
    options.text[OPTION_WHO] = "ann";
    assert_int_equal(show_check_results(&options, &err), -1);
    assert_string_equal(err.text, "--who needs --results\ntry: --results FILE --who ann");
    options.text[OPTION_RESULTS] = "r.json";
    options.given = OPTION_BIT(OPTION_SEED);
    assert_int_equal(show_check_results(&options, &err), 0);
    const struct results_options opts = show_results_options(&options);
    assert_string_equal(opts.path, "r.json");
    assert_string_equal(opts.who, "ann");
    assert_true(opts.has_seed);
    assert_true(opts.seed == 9 && opts.questions == 4);
}

int main(void) {
    char folder[] = "/tmp/shflviz-around-XXXXXX";
    setenv("LC_ALL", "C", 1);
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_environment_chooses_the_language),
        cmocka_unit_test(lang_is_read_before_the_options),
        cmocka_unit_test(keys_are_read_from_a_file),
        cmocka_unit_test(colours_are_chosen),
        cmocka_unit_test(backgrounds_and_characters),
        cmocka_unit_test(formats_are_resolved),
        cmocka_unit_test(a_recording_is_printed),
        cmocka_unit_test(missing_steps_are_reported),
        cmocka_unit_test(a_program_is_run_and_shown),
        cmocka_unit_test(unwritable_output_is_an_error),
        cmocka_unit_test(which_of_two_failures_counts),
        cmocka_unit_test(results_belong_to_a_file),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char command[sizeof folder + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return chdir("/") != 0 || system(command) != 0 ? 1 : failed;
}
