/*
 * run_cases FILE PROGRAM_FOLDER GOLDEN_FOLDER [NAME]
 *
 * Runs the real program through a shell, as a user or a script would, and compares its output.
 * Output that no line mentions is not checked. A case file has blocks like this one:
 *
 *     == the guide leaves width 12 undefined
 *     run: shflviz xor --mask 3 --width 12
 *     exit: 2
 *     err: allowed: 1 2 4 8 16 32        standard error contains this
 *     no-out:                            standard output is empty
 *     out: TEXT, no-err:                 likewise
 *     out-not: TEXT                      standard output does not contain this
 *     golden: FILE                       standard output equals golden/FILE
 *     need: COMMAND                      skipped, with a line that says so, if this fails
 *
 * Each block runs in its own empty folder; several `run:` lines are one script. With a NAME, only
 * the block of that name runs. With SHFLVIZ_REWRITE set, golden files are written instead of
 * compared; read the diff before committing it.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LINE_SIZE   4096
#define SCRIPT_SIZE 16384
#define CHECKS_MAX  32

struct check {
    char kind[16];
    char text[LINE_SIZE];
};

struct test_case {
    char name[LINE_SIZE];
    int line;
    char script[SCRIPT_SIZE];
    char need[LINE_SIZE];
    struct check checks[CHECKS_MAX];
    int check_count;
};

struct runner {
    const char *file;
    const char *golden;
    const char *only; /* the name of a block, or NULL for all */
    char scratch[LINE_SIZE];
    int passed, failed, skipped;
};

/* The results of a command. */
struct result {
    int status;
    char *out, *err;
};

__attribute__((format(printf, 1, 2), noreturn)) static void die(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(2);
}

/* A whole file, NUL-terminated, or NULL. The caller frees. */
static char *read_whole(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t size = 0, capacity = 1 << 16;
    char *data = malloc(capacity);
    while (data) {
        size += fread(data + size, 1, capacity - size - 1, file);
        if (size < capacity - 1)
            break;
        data = realloc(data, capacity *= 2);
    }
    if (!data)
        die("no memory left");
    data[size] = '\0';
    fclose(file);
    return data;
}

/* ---- running ---- */

static int shell(const char *script, const char *folder) {
    pid_t child = fork();
    if (child < 0)
        die("cannot fork: %s", strerror(errno));
    if (child == 0) {
        if (chdir(folder) != 0)
            _exit(126);
        execl("/bin/sh", "sh", "-c", script, (char *)NULL);
        _exit(127);
    }
    int status;
    if (waitpid(child, &status, 0) < 0)
        die("cannot wait: %s", strerror(errno));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static struct result run_script(const struct runner *runner, const char *script, int number) {
    char folder[LINE_SIZE + 64], path[LINE_SIZE + 128], *whole;
    struct result result;
    snprintf(folder, sizeof(folder), "%s/%d", runner->scratch, number);
    if (mkdir(folder, 0700) != 0)
        die("cannot make %s: %s", folder, strerror(errno));
    if (asprintf(&whole, "exec >../%d.out 2>../%d.err </dev/null\n%s", number, number, script) < 0)
        die("no memory left");
    result.status = shell(whole, folder);
    free(whole);
    snprintf(path, sizeof(path), "%s/%d.out", runner->scratch, number);
    result.out = read_whole(path);
    snprintf(path, sizeof(path), "%s/%d.err", runner->scratch, number);
    result.err = read_whole(path);
    if (!result.out || !result.err)
        die("%s: the shell made no output files", runner->file);
    return result;
}

/* ---- comparing ---- */

static void complain_about(const struct test_case *test, const struct check *check,
                           const struct result *result, const char *file) {
    printf("FAILED %s:%d %s\n  expected %s: %s\n  script:\n%s  exit: %d\n  out:\n%.3000s\n"
           "  err:\n%.3000s\n",
           file, test->line, test->name, check->kind, check->text, test->script, result->status,
           result->out, result->err);
}

/* Prints the first line in which two texts differ, in readable form. */
static void show_difference(const char *expected, const char *got) {
    int line = 1;
    while (*expected && *got) {
        size_t a = strcspn(expected, "\n"), b = strcspn(got, "\n");
        if (a != b || memcmp(expected, got, a) != 0)
            break;
        expected += a + (expected[a] == '\n');
        got += b + (got[b] == '\n');
        line++;
    }
    printf("  line %d\n  golden: %.*s\n  now:    %.*s\n", line, (int)strcspn(expected, "\n"),
           expected, (int)strcspn(got, "\n"), got);
}

static bool golden_holds(const struct runner *runner, const char *name, const char *got) {
    char path[2 * LINE_SIZE];
    snprintf(path, sizeof(path), "%s/%s", runner->golden, name);
    if (getenv("SHFLVIZ_REWRITE")) {
        FILE *file = fopen(path, "wb");
        if (!file || fputs(got, file) < 0 || fclose(file) != 0)
            die("cannot write %s: %s", path, strerror(errno));
        return true;
    }
    char *expected = read_whole(path);
    bool same = expected && strcmp(expected, got) == 0;
    if (!same)
        show_difference(expected ? expected : "", got);
    free(expected);
    return same;
}

static bool check_holds(const struct runner *runner, const struct check *check,
                        const struct result *result) {
    if (strcmp(check->kind, "exit") == 0)
        return atoi(check->text) == result->status;
    if (strcmp(check->kind, "out") == 0)
        return strstr(result->out, check->text) != NULL;
    if (strcmp(check->kind, "err") == 0)
        return strstr(result->err, check->text) != NULL;
    if (strcmp(check->kind, "out-not") == 0)
        return strstr(result->out, check->text) == NULL;
    if (strcmp(check->kind, "no-out") == 0)
        return result->out[0] == '\0';
    if (strcmp(check->kind, "no-err") == 0)
        return result->err[0] == '\0';
    if (strcmp(check->kind, "golden") == 0)
        return golden_holds(runner, check->text, result->out);
    die("%s: no such check: %s", runner->file, check->kind);
}

static bool need_holds(const struct runner *runner, const char *need) {
    char script[LINE_SIZE + 64];
    snprintf(script, sizeof(script), "exec >/dev/null 2>&1 </dev/null\n%s", need);
    return shell(script, runner->scratch) == 0;
}

static void run_case(struct runner *runner, const struct test_case *test) {
    if (test->check_count == 0 || !test->script[0])
        die("%s:%d: %s: runs or checks nothing", runner->file, test->line, test->name);
    if (test->need[0] && !need_holds(runner, test->need)) {
        printf("skipped %s: needs %s\n", test->name, test->need);
        runner->skipped++;
        return;
    }
    int number = runner->passed + runner->failed;
    struct result result = run_script(runner, test->script, number);
    bool good = true;
    for (int i = 0; good && i < test->check_count; i++) {
        good = check_holds(runner, &test->checks[i], &result);
        if (!good)
            complain_about(test, &test->checks[i], &result, runner->file);
    }
    if (good)
        runner->passed++;
    else
        runner->failed++;
    free(result.out);
    free(result.err);
}

/* ---- reading case files ---- */

static void add_line(struct runner *runner, struct test_case *test, char *line, int number) {
    char *colon = strchr(line, ':');
    if (!colon || colon - line >= (long)sizeof(test->checks[0].kind) || !test->name[0])
        die("%s:%d: neither a case nor a check: %s", runner->file, number, line);
    *colon = '\0';
    const char *text = colon + 1 + strspn(colon + 1, " ");
    if (strcmp(line, "run") == 0) {
        size_t used = strlen(test->script);
        snprintf(test->script + used, sizeof(test->script) - used, "%s\n", text);
    } else if (strcmp(line, "need") == 0) {
        snprintf(test->need, sizeof(test->need), "%s", text);
    } else if (test->check_count < CHECKS_MAX) {
        struct check *check = &test->checks[test->check_count++];
        memcpy(check->kind, line, (size_t)(colon - line) + 1);
        snprintf(check->text, sizeof(check->text), "%s", text);
    } else {
        die("%s:%d: too many checks", runner->file, number);
    }
}

static void run_wanted(struct runner *runner, const struct test_case *test) {
    if (test->name[0] && (!runner->only || strcmp(runner->only, test->name) == 0))
        run_case(runner, test);
}

static void run_file(struct runner *runner) {
    static struct test_case test;
    char line[LINE_SIZE];
    int number = 0;
    FILE *file = fopen(runner->file, "r");
    if (!file)
        die("cannot open %s: %s", runner->file, strerror(errno));
    while (fgets(line, sizeof(line), file)) {
        number++;
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "== ", 3) == 0) {
            run_wanted(runner, &test);
            memset(&test, 0, sizeof(test));
            snprintf(test.name, sizeof(test.name), "%s", line + 3);
            test.line = number;
        } else if (line[0] && line[0] != '#') {
            add_line(runner, &test, line, number);
        }
    }
    fclose(file);
    if (!test.name[0])
        die("%s: no case at all", runner->file);
    run_wanted(runner, &test);
    if (runner->only && runner->passed + runner->failed + runner->skipped == 0)
        die("%s: no case '%s'", runner->file, runner->only);
}

/* The environment on which cases rely, whatever the user's environment is. */
static void set_environment(const char *program_folder) {
    char *path;
    const char *old = getenv("PATH");
    if (asprintf(&path, "%s:%s", program_folder, old ? old : "/usr/bin:/bin") < 0)
        die("no memory left");
    setenv("PATH", path, 1);
    free(path);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("TERM", "xterm-256color", 1);
    setenv("SOURCE_DATE_EPOCH", "0", 1);
    unsetenv("LANGUAGE");
    unsetenv("NO_COLOR");
    unsetenv("COLORTERM");
}

int main(int argc, char **argv) {
    if (argc != 4 && argc != 5)
        die("usage: run_cases FILE PROGRAM_FOLDER GOLDEN_FOLDER [NAME]");
    struct runner runner = {.file = argv[1], .golden = argv[3], .only = argv[4]};
    const char *temporary = getenv("TMPDIR");
    snprintf(runner.scratch, sizeof(runner.scratch), "%s/shflviz-cases-XXXXXX",
             temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(runner.scratch))
        die("cannot make a folder to run in: %s", strerror(errno));
    set_environment(argv[2]);
    run_file(&runner);
    if (setenv("SCRATCH", runner.scratch, 1) != 0 || shell("rm -rf \"$SCRATCH\"", "/") != 0)
        die("cannot remove %s", runner.scratch);
    printf("%d passed, %d failed, %d skipped\n", runner.passed, runner.failed, runner.skipped);
    return runner.failed ? 1 : 0;
}
