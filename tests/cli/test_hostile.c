/*
 * test_hostile: the real program on a terminal, with names that contain terminal escapes or look
 * like a message. None of those bytes may be printed, and no line may begin with part
 * of the name.
 */
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

#define WORDS 10

static const char *const names[] = {
    "x\033]0;pwn\a",     /* a title for the window, BEL */
    "x\033[2J\033[1;1H", /* clears the screen */
    "x\x9b"
    "31m", /* CSI as one byte */
    "x\xc2\x9b"
    "31m",                 /* and as U+009B */
    "x\nFORGED: all good", /* a message of the attacker's */
    "y\n\r\n\nFORGED: all good",
    "x\rFORGED: all good",
    "x\n",
    "\n",
    "x\u202egpj.exe", /* reverses the text after it */
    "x\u2066y\u200fz",
    "x\ufeff\u200b\u2028y",
    "x\x7f\b\b",
    "x\xff\xfe\xc0\xaf",
};
#define NAMES (sizeof names / sizeof *names)

/* NAME is replaced by the hostile name. The commands' files are made by make_files(). */
static const char *const commands[][WORDS] = {
    {"NAME"},
    {"replay", "NAME"}, /* a file that is not a recording */
    {"replay", "missing/NAME"},
    {"check", "NAME"},
    {"check", "missing/NAME"},
    {"quiz", "NAME"},
    {"quiz", "missing/NAME"},
    {"kernel", "NAME"},
    {"bench", "NAME"},
    {"lesson", "NAME"},
    {"lesson", "lesson-NAME"}, /* has a program: the question names it, and the answer is no */
    {"lesson", "hidden-NAME"}, /* its text contains the name */
    {"lesson", "check", "NAME"},
    {"lesson", "check", "lesson-NAME"},
    {"lesson", "check", "hidden-NAME"},
    {"lesson", "swap", "--beat", "NAME"},
    {"xor", "NAME"},
    {"xor", "--NAME"},
    {"xor", "--mask", "NAME"},
    {"xor", "--mask", "lane +NAME"},
    {"xor", "--mask", "1", "--in", "NAME"},
    {"xor", "--mask", "1", "--type", "NAME"},
    {"xor", "--mask", "1", "--width=NAME"},
    {"xor", "--mask", "1", "--lang", "NAME"},
    {"xor", "--mask", "1", "--color", "NAME"},
    {"xor", "--mask", "1", "--device", "NAME"},
    {"xor", "--mask", "1", "--format", "NAME"},
    {"xor", "--mask", "1", "-o", "NAME"}, /* exists, but is not a recording */
    {"xor", "--mask", "1", "-o", "missing/NAME"},
    {"xor", "--mask", "1", "-o", "NAME/below"},
    {"xor", "--mask", "1", "--format", "text", "--color", "never", "-o", "recorded-NAME"},
    {"replay", "recorded-NAME", "--format", "text", "--color", "never"},
    {"doctor"},                                                     /* TERM */
    {"xor", "--mask", "1", "--format", "text", "--color", "never"}, /* LC_ALL */
};

static const char *program;

/* `word` with the name in place of NAME. */
static char *with_name(const char *word, const char *name) {
    struct text text = TEXT_INIT;
    const char *place = strstr(word, "NAME");
    text_append_bytes(&text, word, place ? (size_t)(place - word) : strlen(word));
    if (place) {
        text_append(&text, name);
        text_append(&text, place + 4);
    }
    return text_detach(&text);
}

static void write_file(const char *folder, const char *file, const char *contents) {
    char path[1024];
    snprintf(path, sizeof path, "%s%s%s", folder, *folder ? "/" : "", file);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(contents, out);
    assert_int_equal(fclose(out), 0);
}

static void make_files(const char *name) {
    struct text text = TEXT_INIT;
    char *folder = with_name("lesson-NAME", name);
    write_file("", name, "no recording");
    mkdir(folder, 0700);
    write_file(folder, "mine.cu", "int main() {}\n");
    write_file(folder, "en.md",
               "---\ntitle: Mine\nkernel: mine.cu\n---\n\n## A beat {#a}\n\nText.\n");
    free(folder);
    folder = with_name("hidden-NAME", name);
    mkdir(folder, 0700);
    text_append_format(&text, "---\ntitle: %s\nkernel: %s\n---\n\n## A beat {#a}\n\n%s\n", name,
                       name, name);
    write_file(folder, "en.md", text.data);
    text_release(&text);
    free(folder);
}

/* Runs the program on a new terminal of its own; its output goes to `said`. */
static void run_on_terminal(const char *const *words, const char *name, struct text *said) {
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    const char *path = ptsname(terminal);
    assert_non_null(path);
    struct termios modes; /* of a terminal without echo or translation */
    int own = open(path, O_RDWR | O_NOCTTY);
    assert_true(own >= 0 && tcgetattr(own, &modes) == 0);
    modes.c_oflag &= ~(tcflag_t)OPOST;
    modes.c_lflag &= ~(tcflag_t)ECHO;
    assert_int_equal(tcsetattr(own, TCSANOW, &modes), 0);
    pid_t child = fork();
    if (child == 0) {
        char *arguments[WORDS + 2] = {"shflviz"};
        for (size_t i = 0; i < WORDS && words[i]; i++)
            arguments[i + 1] = with_name(words[i], name);
        setsid();
        for (int i = 0; i < 3; i++)
            dup2(own, i);
        close(own);
        close(terminal);
        setenv("TERM", name, 1);
        setenv("LC_ALL", name, 1);

        execv(program, arguments);
        _exit(127);
    }
    assert_true(child > 0);
    close(own);
    assert_int_equal(write(terminal, "n\n", 2), 2); /* to a question */
    char bytes[4096];
    ssize_t count;
    int status = 0;
    while ((count = read(terminal, bytes, sizeof bytes)) > 0 || (count < 0 && errno == EINTR))
        text_append_bytes(said, bytes, count > 0 ? (size_t)count : 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) != 127);
    close(terminal);
}

static void complain(const char *const *words, size_t name, const struct text *said) {
    for (size_t i = 0; i < WORDS && words[i]; i++)
        print_message("%s ", words[i]);
    print_message("(name %zu) says:\n", name);
    for (const char *c = said->data; *c; c++)
        print_message(*c == '\n' || (*c >= ' ' && *c <= '~') ? "%c" : "<%02x>", (unsigned char)*c);
    fail();
}

static void check_said(const struct text *said, const char *const *words, size_t name) {
    static const char progress[] = "\r\033[K"; /* our progress line, which is overwritten */
    for (size_t at = 0; at < said->length;) {
        if (strncmp(said->data + at, progress, sizeof progress - 1) == 0) {
            at += sizeof progress - 1;
            continue;
        }
        struct utf8_character character = utf8_decode(said->data + at, said->length - at);
        bool line_end = character.code == '\n';
        if (!character.valid || (utf8_is_hidden(character.code) && !line_end))
            complain(words, name, said);
        at += character.bytes;
    }
    for (const char *line = said->data; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line + strspn(line, " "), "FORGED", 6) == 0)
            complain(words, name, said);
    }
}

static void test_no_name_reaches_the_terminal_raw(void **state) {
    (void)state;
    for (size_t i = 0; i < NAMES; i++) {
        make_files(names[i]);
        for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
            struct text said = TEXT_INIT;
            run_on_terminal(commands[k], names[i], &said);
            if (said.length == 0)
                complain(commands[k], i, &said);
            check_said(&said, commands[k], i);
            text_release(&said);
        }
    }
}

/* The error output of a lesson's program is shown with the failure; the error output of a sandboxed
 * program is shown immediately. */
static void test_no_output_of_a_program_reaches_the_terminal_raw(void **state) {
    (void)state;
    static const char *const commands_of_it[][WORDS] = {
        {"lesson", "check", "printing", "--trust"},
        {"lesson", "printing", "--trust", "--format", "text"},
        {"run", "--sandbox", "printing/mine.cu", "--color=never", "--format=text"},
    };
    mkdir("printing", 0700);
    write_file("printing", "mine.cu",
               "#include <cstdio>\n#include <cstdlib>\n__global__ void k() {\n}\nint main() {\n"
               "    k<<<1, 32>>>();\n"
               "    printf(\"\\033]0;pwn\\007\\233\\302\\23331m\\342\\200\\256\\377\\n\");\n"
               "    fflush(stdout);\n    abort();\n}\n");
    write_file("printing", "en.md",
               "---\ntitle: Mine\nkernel: mine.cu\n---\n\n## A beat {#a}\n\nText.\n");
    for (size_t k = 0; k < sizeof commands_of_it / sizeof *commands_of_it; k++) {
        struct text said = TEXT_INIT;
        run_on_terminal(commands_of_it[k], "dumb", &said);
        assert_non_null(strstr(said.data, "pwn"));
        check_said(&said, commands_of_it[k], 0);
        text_release(&said);
    }
}

static void check_command(const char *const *words, const char *name) {
    struct text said = TEXT_INIT;
    run_on_terminal(words, name, &said);
    assert_true(said.length > 0);
    check_said(&said, words, 0);
    text_release(&said);
}

/* An exercise's folder is untrusted, and its code is shown. */
static void test_no_code_of_an_exercise_reaches_the_terminal_raw(void **state) {
    (void)state;
    static const char *const solution[WORDS] = {"exercise", "evil", "--solution"};
    static const char code[] = "// \033]0;pwn\a\x9b"
                               "31m\u202e\x7f\n__device__ int f() { return 0; }\n";
    mkdir("evil", 0700);
    write_file("evil", "en.md", "---\ntitle: T\nteaches: T\nuses: idx\n---\nTask.\n");
    write_file("evil", "solution.cu", code);
    write_file("evil", "skeleton.cu", code);
    write_file(
        "evil", "harness.cu",
        "#include <shflviz/exercise.cuh>\nvoid test(exercise::trial &t) { t.begin(\"x\"); }\n");
    check_command(solution, "dumb");
}

/* Debugging information names the location of a crash; the key file is in a folder with an
 * untrusted name. */
static void test_no_name_of_a_place_reaches_the_terminal_raw(void **state) {
    (void)state;
    static const char *const crash[WORDS] = {"run", "crash-NAME.cu"};
    static const char *const keys[WORDS] = {"xor", "--mask", "1", "--format", "tui"};
    static const char *const raw[] = {"\033]0;pwn\a", "\u202egpj", "\302\23331m"};
    for (size_t i = 0; i < sizeof raw / sizeof *raw; i++) {
        char *file = with_name("crash-NAME.cu", raw[i]);
        write_file("", file, "int main() { *(volatile int *)8 = 1; }\n");
#ifdef __SANITIZE_ADDRESS__ /* ASan reports a crash itself, with the unfiltered name */
        (void)crash;
#else
        check_command(crash, raw[i]);
#endif
        free(file);
        struct text folder = TEXT_INIT;
        char here[512];
        assert_non_null(getcwd(here, sizeof here));
        text_append_format(&folder, "%s/%s", here, raw[i]);
        setenv("XDG_CONFIG_HOME", folder.data, 1);
        mkdir(folder.data, 0700);
        text_append(&folder, "/shflviz");
        mkdir(folder.data, 0700);
        write_file(folder.data, "keys", "what is this\n");
        check_command(keys, "dumb");
        unsetenv("XDG_CONFIG_HOME");
        text_release(&folder);
    }
}

static int enter_folder(void **state) {
    static char folder[] = "/tmp/shflviz-hostile-XXXXXX";
    *state = folder;
    return !mkdtemp(folder) || chdir(folder) != 0 || setenv("HOME", folder, 1) != 0 ||
           setenv("XDG_STATE_HOME", folder, 1) != 0;
}

static int leave_folder(void **state) {
    pid_t child = fork();
    if (child == 0) {
        execlp("rm", "rm", "-rf", *state, (char *)NULL);
        _exit(127);
    }
    return waitpid(child, NULL, 0) != child || chdir("/") != 0;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_name_reaches_the_terminal_raw),
        cmocka_unit_test(test_no_output_of_a_program_reaches_the_terminal_raw),
        cmocka_unit_test(test_no_code_of_an_exercise_reaches_the_terminal_raw),
        cmocka_unit_test(test_no_name_of_a_place_reaches_the_terminal_raw),
    };
    if (argc != 2)
        return 2;
    program = argv[1];
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
