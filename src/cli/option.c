/* The table of options, and a parser for each value that is more than a number or a word. */
#include "cli/option.h"

#include "base/complaint.h"
#include "base/message.h"
#include "base/unused.h"
#include "launch/number.h"
#include "teach/quiz.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

#define LANGUAGES "en zh" /* those of po/LINGUAS; a test compares them */

static int parse_lang(void *target UNUSED, const char *value, struct error *err) {
    if (message_language_use(value))
        return 0;
    return complain(err, "lang", value, _("is not a language that shflviz speaks"), LANGUAGES,
                    NULL);
}

static int parse_memory_limit(void *target, const char *value, struct error *err) {
    return number_parse_size("memory-limit", value, 1 << 20,
                             &((struct options *)target)->launch.device.settings.limits.memory,
                             err);
}

#define STANDARDS "c++11 c++14 c++17 c++20 c++23"

/* CUDA's headers require C++17; code for an earlier standard compiles with it, too. */
static int parse_std(void *target, const char *value, struct error *err) {
    static const char *const known[][2] = {
        {"c++03", "c++17"},     {"c++11", "c++17"},     {"c++14", "c++17"},
        {"c++17", "c++17"},     {"c++20", "c++20"},     {"c++2a", "c++20"},
        {"c++23", "c++23"},     {"c++2b", "c++23"},     {"gnu++11", "gnu++17"},
        {"gnu++14", "gnu++17"}, {"gnu++17", "gnu++17"}, {"gnu++20", "gnu++20"},
        {"gnu++2a", "gnu++20"}, {"gnu++23", "gnu++23"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(value, known[i][0]) == 0) {
            ((struct options *)target)->standard = known[i][1];
            return 0;
        }
    return complain(err, "std", value, _("is not a C++ standard that CUDA supports"), STANDARDS,
                    NULL);
}

/* Reads a number; *end gets the position after it. False if there is none. */
static bool leading_number(const char *value, uint64_t most, uint64_t *number, const char **end) {
    char *behind;
    errno = 0;
    *number = strtoull(value, &behind, 10);
    *end = behind;
    return *value >= '0' && *value <= '9' && errno == 0 && *number <= most;
}

static int parse_pitch(void *target, const char *value, struct error *err) {
    const char *end;
    uint64_t pitch;
    if (!leading_number(value, 65536, &pitch, &end) || *end || pitch == 0 ||
        pitch % MATRIX_ROW_BYTES != 0)
        return complain(err, "pitch", value, _("is not a multiple of 16 up to 65536 bytes"), NULL,
                        "--pitch 128");
    ((struct options *)target)->pitch = (uint32_t)pitch;
    return 0;
}

static int parse_swizzle(void *target, const char *value, struct error *err) {
    if (swizzle_read(&((struct options *)target)->swizzle, value))
        return 0;
    return complain(err, "swizzle", value,
                    _("is not a swizzle that keeps the 16 bytes of a row together"),
                    "32B 64B 128B B,M,S", "--swizzle 3,4,3");
}

static int parse_step(void *target, const char *value, struct error *err) {
    struct export_options *export = &((struct options *)target)->export;
    const char *end;
    bool good = leading_number(value, UINT64_MAX - 1, &export->first_step, &end);
    export->last_step = export->first_step;
    if (good && *end == '-')
        good = leading_number(end + 1, UINT64_MAX - 1, &export->last_step, &end);
    if (good && !*end && export->first_step <= export->last_step)
        return 0;
    return complain(err, "step", value, _("is not a step or a range of steps"), "A, A-B",
                    "--step 0-4");
}

#define SIZE_COLUMNS_LEAST 40
#define SIZE_COLUMNS_MOST  400
#define SIZE_ROWS_LEAST    10
#define SIZE_ROWS_MOST     200

static int parse_size(void *target, const char *value, struct error *err) {
    struct export_options *export = &((struct options *)target)->export;
    uint64_t columns, rows = 0;
    const char *end;
    bool good = leading_number(value, SIZE_COLUMNS_MOST, &columns, &end) && *end == 'x' &&
                leading_number(end + 1, SIZE_ROWS_MOST, &rows, &end) && !*end;
    if (!good || columns < SIZE_COLUMNS_LEAST || rows < SIZE_ROWS_LEAST)
        return complain(err, "size", value, _("is not a size in columns and rows"),
                        "40x10 ... 400x200", "--size 100x30");
    export->columns = (int)columns;
    export->rows = (int)rows;
    return 0;
}

/* clang-format off */
#define ROW(ID)                              [(ID) - LAUNCH_OPTION_COUNT]
#define SETTING(NAME)                        FIELD(launch.device.settings.NAME)
#define FIELD(NAME)                          .field = offsetof(struct options, NAME)
#define CHOICE(NAME, ARGUMENT, MEMBER, FIRST) .name = NAME, .argument = ARGUMENT, .kind = OPTION_CHOICE, FIELD(MEMBER), .least = FIRST
#define FLAG(NAME)                           .name = NAME, .kind = OPTION_FLAG, .field = OPTION_NO_FIELD
#define WORD(NAME, ARGUMENT)                 .name = NAME, .argument = ARGUMENT, .kind = OPTION_WORD, .field = OPTION_NO_FIELD

static const struct option_info options_known[] = {
    ROW(OPTION_FORMAT) = {CHOICE("format", "FORMAT", format, FORMAT_TUI), .values = "tui text json jsonl csv sarif junit",
        .help = N_("tui on a terminal, text otherwise")},
    ROW(OPTION_ALL) = {FLAG("all"), .help = N_("write every step, however many there are"),
        .manual = N_("Without this option, a run of more than 2000 steps is summarised as text, and --format json, jsonl and csv have only its first 2000 steps; standard error says how many steps were left out. replay and export write every step of a recording.")},
    ROW(OPTION_COLOR) = {CHOICE("color", "WHEN", color, COLOR_AUTO), .values = "auto always never",
        .help = N_("colour in text and screens (default auto)")},
    ROW(OPTION_BACKGROUND) = {CHOICE("background", "SHADE", background, BACKGROUND_UNKNOWN), .values = "auto dark light",
        .help = N_("the background that colours are chosen for (default auto)"),
        .manual = N_("auto asks the terminal and, if there is no answer, uses colours that are readable on both backgrounds; dark has brighter colours, light has deeper colours.")},
    ROW(OPTION_ASCII) = {.name = "ascii", .kind = OPTION_FLAG, FIELD(ascii), .help = N_("draw with ASCII characters only")},
    ROW(OPTION_LANG) = {.name = "lang", .argument = "CODE", .kind = OPTION_PARSED, .parse = parse_lang, .values = LANGUAGES,
        .help = N_("language of texts and screens"),
        .manual = N_("Without this option, the language comes from LANGUAGE, LC_ALL, LC_MESSAGES or LANG. Output for scripts (JSON, CSV, names, exit codes) is the same in all languages.")},
    ROW(OPTION_BEAT) = {WORD("beat", "N"), .help = N_("begin at this part, given by its number, from 1, or by its name")},
    ROW(OPTION_PRESENT) = {FLAG("present"), .help = N_("for a class: show the picture and the line being discussed"),
        .manual = N_("No progress is saved. Speaker's notes on another terminal follow along: shflviz lesson --notes.")},
    ROW(OPTION_SERVE) = {WORD("serve", "[ADDRESS:]PORT"), .help = N_("with --present: serve a page on which students answer"),
        .manual = N_("The page follows the presentation; each student answers each question alone, and when you show the answer, you see the distribution of the students' answers. Without an address, only this machine can open the page (and others through ssh -L); with 0.0.0.0:PORT, all machines that can reach this machine can open it. Port 0 is any free port.")},
    ROW(OPTION_PROXY) = {WORD("proxy", "URL"), .help = N_("with --serve: students open this address, which a proxy forwards here"),
        .manual = N_("The screen shows this address. Students are distinguished by the last address in X-Forwarded-For, which the proxy must set; without --proxy that header is ignored, and requests for a name other than this machine's are refused.")},
    ROW(OPTION_COLLECT) = {.name = "collect", .argument = "FILE", .kind = OPTION_WORD, .field = OPTION_NO_FIELD, .is_path = true,
        .help = N_("with --serve: add the answers to this file, as JSON lines"),
        .manual = N_("One line for each question; students are numbered in the order in which they joined. Without this option, no answers are kept.")},
    ROW(OPTION_NOTES) = {FLAG("notes"), .help = N_("show the speaker's notes for the presentation on another terminal")},
    ROW(OPTION_WORKSHEET) = {FLAG("worksheet"), .help = N_("the lesson's questions as Markdown, to be printed"),
        .manual = N_("Each question comes with its picture and the text before it, but without anything that would reveal the answer.")},
    ROW(OPTION_ANSWERS) = {FLAG("answers"), .help = N_("with --worksheet: the answers and reasons, too")},
    ROW(OPTION_PLAN) = {FLAG("plan"), .help = N_("plans for a 90-minute class and for a term, as Markdown")},
    ROW(OPTION_RESET) = {FLAG("reset"), .help = N_("forget the progress in a lesson; without a name, in all lessons"),
        .manual = N_("Progress is kept in $XDG_STATE_HOME/shflviz/progress, which is ~/.local/state/shflviz/progress if that is not set.")},
    ROW(OPTION_TRUST) = {FLAG("trust"), .help = N_("build and run the program that comes with a lesson, without asking"),
        .manual = N_("Only a lesson from a file can have a program. The program is compiled and run within the limits that doctor lists, unless --no-sandbox is given.")},
    ROW(OPTION_LEVEL) = {.name = "level", .argument = "N", .kind = OPTION_U32, FIELD(level), .least = 1, .most = QUIZ_LEVELS,
        .help = N_("level to start at, 1 to 5 (default 1)")},
    ROW(OPTION_SEED) = {.name = "seed", .argument = "N", .kind = OPTION_U64, FIELD(seed), .most = UINT64_MAX,
        .help = N_("use the same questions, or the same values in an exercise, each time")},
    ROW(OPTION_QUESTIONS) = {.name = "questions", .argument = "N", .kind = OPTION_U32, FIELD(questions), .least = 1, .most = 10000,
        .help = N_("end after this many questions (default: never)")},
    ROW(OPTION_RESULTS) = {.name = "results", .argument = "FILE", .kind = OPTION_WORD, .field = OPTION_NO_FIELD, .is_path = true,
        .help = N_("write the answers as JSON, to be handed in"),
        .manual = N_("The file is written again after every question, so that leaving half-way loses nothing; the file then says that it is not complete. With this option, a lesson begins at part 1.")},
    ROW(OPTION_WHO) = {WORD("who", "NAME"), .help = N_("with --results: the learner's name")},
    ROW(OPTION_LIST) = {FLAG("list"), .help = N_("list the sources that questions can be drawn from")},
    ROW(OPTION_INCLUDE) = {.name = "include", .argument = "DIR", .kind = OPTION_WORDS, FIELD(include), .letter = 'I', .is_path = true,
        .help = N_("look for headers here, too; may be repeated")},
    ROW(OPTION_DEFINE) = {.name = "define", .argument = "NAME[=V]", .kind = OPTION_WORDS, FIELD(define), .letter = 'D',
        .help = N_("define a macro; may be repeated")},
    ROW(OPTION_STD) = {.name = "std", .argument = "STANDARD", .kind = OPTION_PARSED, .parse = parse_std, .values = STANDARDS,
        .help = N_("the C++ standard to compile with (default c++17)"),
        .manual = N_("Programs for c++11 and c++14 are compiled as c++17, which CUDA 13's headers require.")},
    ROW(OPTION_CALL) = {WORD("call", "CALL"), .help = N_("run this kernel or __device__ function, as in 'sum<<<1, 64>>>(out, in, n)'"),
        .manual = N_("If only a name is given, shflviz chooses the launch and the arguments and prints its choice, as it does for a file without main(). Names among the arguments get values from --arg; all other text is C++. A __device__ function is called by every lane; lane is the number of the calling lane: 'warpSum(lane)'.")},
    ROW(OPTION_ARG) = {.name = "arg", .argument = "NAME=VALUE", .kind = OPTION_WORDS, FIELD(values),
        .help = N_("with --call: an argument, n=64 or in=float[COUNT]:lane; may be repeated"),
        .manual = N_("TYPE may be left out. The values are an expression in lane and thread (the element's number), a list, or random:SEED. Arrays that the kernel writes are printed afterwards.")},
    ROW(OPTION_MEND) = {.name = "mend", .kind = OPTION_FLAG, FIELD(mends),
        .help = N_("run pasted text as it was meant, and print the changes"),
        .manual = N_("Mends spaces and punctuation that C++ does not have, Markdown fences, missing underscores, a bracket that is not closed, and a program that was pasted into itself. The file is not changed. Without --mend, shflviz asks on a terminal.")},
    ROW(OPTION_BLOCK) = {.name = "block", .argument = "N", .kind = OPTION_U32, FIELD(block), .least = 1, .most = 10000,
        .help = N_("in a Markdown text: open this code block")},
    ROW(OPTION_TIME) = {.name = "time", .argument = "SECONDS", .kind = OPTION_U32, SETTING(limits.seconds), .least = 1, .most = 86400,
        .help = N_("end the program after this long (default: never; 60 in a sandbox)")},
    ROW(OPTION_STOP_AFTER) = {.name = "stop-after", .argument = "N", .kind = OPTION_U64, SETTING(stop_after), .least = 1, .most = UINT64_MAX,
        .help = N_("end the program once N steps are recorded"),
        .manual = N_("The recording is complete, standard error says that the program was ended, and the exit status is 0, since the program has none. --steps N records N steps and lets the program continue. On the CPU warp only.")},
    ROW(OPTION_MEMORY_ACCESSES) = {.name = "memory-accesses", .kind = OPTION_BITS, SETTING(accesses), .least = RUN_ACCESSES_SHARED,
        .help = N_("record accesses to shared memory, too: writers, readers, bank conflicts"),
        .manual = N_("Each access by a warp to shared memory is a step of its own. On the CPU warp only, which then keeps the lanes of a warp in step at these accesses.")},
    ROW(OPTION_GLOBAL_ACCESSES) = {.name = "global-accesses", .kind = OPTION_BITS, SETTING(accesses), .least = RUN_ACCESSES_GLOBAL,
        .help = N_("record accesses to global memory, too: lanes, sectors, what is coalesced"),
        .manual = N_("Each access by a warp to memory that the host allocated, or to a device variable of the program, is a step of its own. On the CPU warp only, which then keeps the lanes of a warp in step at these accesses.")},
    ROW(OPTION_FOLLOW_UNDEFINED) = {FLAG("follow-undefined"),
        .help = N_("mark values that are computed from undefined ones"),
        .manual = N_("If a lane reads an undefined value, the program is run three more times, silently: twice with undefined values replaced. Values that then differ are marked with ?. The program's side effects, such as writing files, happen again. Undefined values in kernels, single shuffles and lessons are always followed.")},
    ROW(OPTION_SHOW) = {.name = "show", .argument = "WHAT", .kind = OPTION_WORD, FIELD(show),
        .help = N_("local variables, line by line: all, none, or 'sum, a[3]+b, x@15'"),
        .manual = N_("The values of each lane's local variables after each line of the program, in the first block of each launch or in the warps that --watch-block and --watch-warp name. An expression over variables may end in @LINE: then its value is shown only at that line. On a GPU @LINE is required: the expression is recorded with the warp operations on that line.")},
    ROW(OPTION_WHOSE) = {.name = "whose", .argument = "VALUE", .kind = OPTION_WORD, FIELD(whose),
        .help = N_("what a value is made of: 'out[5]', 'sum@14' or 'sum@14:5'"),
        .manual = N_("Lists the elements of the input, as they were when the kernel began, that make up a value, how often each occurs, and the lines and warp operations through which they came. The value is an element of an array after the last launch that wrote it, or a variable after a line, in all lanes or in one lane. Sums, differences, multiples, copies, shuffles and shared memory are counted exactly; other origins are named without a count. The program is built to report origins and runs on the CPU warp, on one thread. With a recording made by --whose, replay answers further questions.")},
    ROW(OPTION_WARPS) = {.name = "warps", .argument = "BLOCK", .kind = OPTION_U64, FIELD(warps), .most = UINT64_MAX,
        .help = N_("a block at a time: its warps, and the shared memory between them"),
        .manual = N_("Shows the elements that each warp takes, the value that its lane 0 passes to every operation, the cells of shared memory that warps write, the lanes that read them, and the second reduction, for the last launch that has the block. With this option, shflviz run also records the lines and origins of that block. A screen shows the block in view 8; the output can also be text or JSON.")},
    ROW(OPTION_MEMORY_LIMIT) = {.name = "memory-limit", .argument = "SIZE", .kind = OPTION_PARSED, .parse = parse_memory_limit,
        .help = N_("memory that the program may take, such as 512M (default: all; 4G in a sandbox)")},
    ROW(OPTION_SANDBOX) = {.name = "sandbox", .kind = OPTION_FLAG, SETTING(confined), .help = N_("confine compiler and program"),
        .manual = N_("The program sees its own folder and what a C program needs, and has no network; it cannot reach other processes, and has 60 seconds and 4 GiB unless other limits are given. doctor says what this system can enforce.")},
    ROW(OPTION_NO_SANDBOX) = {FLAG("no-sandbox"), .help = N_("do not confine the program of a lesson or an exercise"),
        .manual = N_("It can then do anything you can: read your files, change them, use the network. Its time and memory limits still apply.")},
    ROW(OPTION_ALLOW) = {.name = "allow", .argument = "PATH", .kind = OPTION_WORDS, FIELD(readable), .is_path = true,
        .help = N_("a file or folder that a confined program may read; may be repeated")},
    ROW(OPTION_SCHEDULES) = {.name = "schedules", .argument = "N", .kind = OPTION_U32, FIELD(schedules), .least = 1, .most = 10000,
        .help = N_("run the program this many times, each time in a different order of its lanes (default 1)")},
    ROW(OPTION_FAIL_ON) = {.name = "fail-on", .argument = "RULE,...", .kind = OPTION_WORD, FIELD(fail_on),
        .help = N_("exit 1 only for findings of these rules (default: any rule)")},
    ROW(OPTION_LEAKS) = {.name = "leaks", .kind = OPTION_FLAG, SETTING(leaks), .help = N_("also note memory that is never freed, or never used")},
    ROW(OPTION_NAME) = {WORD("name", "NAME"), .help = N_("the exercise that the file answers (default: the file's name)")},
    ROW(OPTION_SOLUTION) = {FLAG("solution"), .help = N_("print the solution of an exercise")},
    ROW(OPTION_JOBS) = {.name = "jobs", .argument = "N", .kind = OPTION_U32, SETTING(jobs), .least = 1, .most = 1024,
        .help = N_("the number of files judged or kernel blocks run in parallel"),
        .manual = N_("The default is one file, and as many blocks as there are processors. Blocks run in parallel where that pays and nothing forbids it (--schedule, a cooperative launch, steps that are being recorded); a program's output and the recording are in block order even then. With 1, each block ends before the next begins, unless it waits for others.")},
    ROW(OPTION_OVERVIEW) = {FLAG("overview"), .help = N_("counts of launches, kernels, lines and findings"),
        .manual = N_("In text output, nothing else is printed; a screen begins with the overview, which is the default for recordings of more than one launch.")},
    ROW(OPTION_PRINTED) = {FLAG("printed"), .help = N_("only what the program printed"),
        .manual = N_("The program's standard output goes to standard output, its standard error to standard error; anything that would harm a terminal is shown as ?.")},
    ROW(OPTION_VIEW) = {CHOICE("view", "VIEW", export.view, 1), .values = "lanes wires history source explain rounds variables block matrices",
        .help = N_("what to draw (default: what the screen begins with)")},
    ROW(OPTION_PHASE) = {CHOICE("phase", "PHASE", export.phase, 1), .values = "before address range move after",
        .help = N_("the phase of the operation (default after)")},
    ROW(OPTION_LANE) = {.name = "lane", .argument = "N", .kind = OPTION_U32, FIELD(export.lane), .most = 31,
        .help = N_("the highlighted lane (default: none)")},
    ROW(OPTION_ELEMENT) = {.name = "type", .argument = "TYPE", .kind = OPTION_WORD, .field = OPTION_NO_FIELD, .values = "f16 bf16 tf32 f64 s8 u8",
        .help = N_("mma: the element type of A and B (default: the shape's first)")},
    ROW(OPTION_X2) = {FLAG("x2"), .help = N_("two matrices (default: one)")},
    ROW(OPTION_X4) = {FLAG("x4"), .help = N_("four matrices")},
    ROW(OPTION_TRANS) = {FLAG("trans"), .help = N_("transposed: a lane holds elements of a column")},
    ROW(OPTION_PITCH) = {.name = "pitch", .argument = "BYTES", .kind = OPTION_PARSED, .parse = parse_pitch,
        .help = N_("show the banks of rows in a tile whose rows are this far apart"),
        .manual = N_("Lane l passes the address of row l % 16; lanes 16 to 31 add 16 bytes, as for A of m16n8k16.")},
    ROW(OPTION_SWIZZLE) = {.name = "swizzle", .argument = "B,M,S", .kind = OPTION_PARSED, .parse = parse_swizzle,
        .help = N_("XOR bits of the addresses: 128B, 64B, 32B, or B,M,S"),
        .manual = N_("XORs the B bits of the byte offset that begin at bit M with the B bits that begin S bits higher, like CuTe's Swizzle<B, M, S>. CuTe counts elements and this option counts bytes, so Swizzle<3, 3, 3> for halves is 3,4,3 or 128B. Without --pitch and --address, rows are 128 bytes apart.")},
    ROW(OPTION_ADDRESS) = {WORD("address", "EXPR"), .help = N_("each lane's byte offset, such as 'lane % 16 * 144'"),
        .manual = N_("An expression with C's operators and the word lane, as for --in.")},
    ROW(OPTION_K) = {.name = "k", .argument = "N", .kind = OPTION_U32, FIELD(export.k), .most = 256,
        .help = N_("mma: the sums of the first N products (default: all)")},
    ROW(OPTION_STEP) = {.name = "step", .argument = "A[-B]", .kind = OPTION_PARSED, .parse = parse_step,
        .help = N_("these steps of the recording, by their numbers from 0"),
        .manual = N_("Without --step, a figure shows the first step, and a history shows the whole first warp; a film and Markdown contain the first warp's steps, at most 64.")},
    ROW(OPTION_SIZE) = {.name = "size", .argument = "CxR", .kind = OPTION_PARSED, .parse = parse_size,
        .help = N_("columns and rows of the picture (default: as needed)")},
    ROW(OPTION_LIGHT) = {.name = "light", .kind = OPTION_FLAG, FIELD(export.light),
        .help = N_("colours for a light background (the default)")},
    ROW(OPTION_MONO) = {.name = "mono", .kind = OPTION_FLAG, FIELD(export.mono),
        .help = N_("black, white and greys")},
    ROW(OPTION_ANIMATE) = {.name = "animate", .kind = OPTION_FLAG, FIELD(export.animate),
        .help = N_("an SVG that goes through the phases; without animation it shows the last phase")},
    ROW(OPTION_HELP) = {FLAG("help"), .letter = 'h', .help = N_("print help for the command")},
    ROW(OPTION_MAN) = {FLAG("man"), .is_hidden = true, .help = N_("print the manual page as roff")},
    ROW(OPTION_COMPLETION) = {CHOICE("completion", "SHELL", completion, SHELL_BASH), .values = "bash zsh fish", .is_hidden = true,
        .help = N_("print the completions for a shell")},
};
/* clang-format on */

const struct option_info *option_at(int id) {
    return id < LAUNCH_OPTION_COUNT ? launch_option(id) : &options_known[id - LAUNCH_OPTION_COUNT];
}

void options_release(struct options *options) {
    words_release(&options->include);
    words_release(&options->define);
    words_release(&options->readable);
    words_release(&options->values);
    free(options->operands);
    options->operands = NULL;
}
