/*
 * Tables of words: the names of parameters suggest their purpose. A table is easier to check and
 * extend than rules in code, and a wrong guess is harmless, because every choice is printed with
 * the option that changes it.
 */
#include "bring/choose.h"

#include "base/memory.h"
#include "bring/constant.h"
#include "bring/cpp_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

static void lower(char to[64], const char *name) {
    size_t i = 0;
    for (; name[i] && i < 63; i++)
        to[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] - 'A' + 'a') : name[i];
    to[i] = '\0';
}

/* True if a name contains one of the words, which are separated by blanks; "=x" must be the whole
 * name. */
static bool name_matches(const char *name, const char *words) {
    char plain[64], word[32];
    lower(plain, name);
    while (*words) {
        const size_t length = strcspn(words, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        if (*word == '=' ? strcmp(plain, word + 1) == 0 : strstr(plain, word) != NULL)
            return true;
        words += length + (words[length] == ' ');
    }
    return false;
}

static bool is_integer_type(const char *type) {
    return name_matches(type, "int size_t long unsigned short uint index_t char") &&
           !name_matches(type, "float double half");
}

static bool is_size(const struct parameter *p) {
    return !p->is_pointer && is_integer_type(p->type) &&
           name_matches(p->name,
                        "=n =m =k =b =c =d =h =w =l =s size len num count total elem row col width "
                        "height dim batch seq head channel stride =ld =lda =ldb =ldc hidden vocab "
                        "numel points =nx =ny =nz");
}

/* ---- the file's own launches ---- */

#define BLANKS " \t\r\n\\"

struct launched {
    char *of_template, *configuration; /* "scalar_t, 256"; "grid, block" */
};

static const char *plain_name(const char *name) {
    const char *colon = strrchr(name, ':');
    return colon ? colon + 1 : name;
}

static char *copy_between(const char *from, const char *to) {
    struct text text = TEXT_INIT;
    text_append_bytes(&text, from, (size_t)(to - from));
    return text_detach(&text);
}

/* "k<float, 256><<<grid, block>>>" */
static struct launched find_launched(const char *text, const char *name) {
    struct launched launched = {NULL, NULL};
    const size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)) && !launched.configuration; at += length) {
        const char *behind = at + length, *open = strstr(behind, "<<<");
        const char *close = open ? strstr(open, ">>>") : NULL;
        if (!close || open - behind > 600 || close - open > 300 ||
            memchr(behind, ';', (size_t)(open - behind)) ||
            memchr(behind, '(', (size_t)(open - behind)))
            continue;
        behind += strspn(behind, BLANKS);
        const char *last = open;
        while (last > behind && strchr(BLANKS, last[-1]))
            last--;
        if (*behind == '<' && last > behind && last[-1] == '>')
            launched.of_template = copy_between(behind + 1, last - 1);
        launched.configuration = copy_between(open + 3, close);
    }
    return launched;
}

/* Item `index` of a comma-separated list, without the blanks around it; "" if there is none. */
static void item(const char *list, size_t index, char to[96]) {
    size_t depth = 0;
    const char *begin = list;
    *to = '\0';
    for (const char *at = list;; at++) {
        if (*at == '\0' || (*at == ',' && depth == 0)) {
            if (index-- == 0) {
                begin += strspn(begin, BLANKS);
                const char *end = at;
                while (end > begin && strchr(BLANKS, end[-1]))
                    end--;
                snprintf(to, 96, "%.*s", (int)(end - begin), begin);
                return;
            }
            begin = at + 1;
        }
        if (*at == '\0')
            return;
        depth += strchr("([{<", *at) != NULL;
        depth -= depth && strchr(")]}>", *at);
    }
}

#define IS_BLOCK "block thread tpb nthreads =bs"

static const char *guess_number(const char *name) {
    return name_matches(name, "warps")                                         ? "2"
           : name_matches(name, "stage")                                       ? "2"
           : name_matches(name, "vec pack unroll ilp item per_thread num_per") ? "4"
           : name_matches(name, IS_BLOCK)                                      ? "64"
           : name_matches(name, "warp width lanes")                            ? "32"
           : name_matches(name, "dim hidden head col size =n")                 ? "64"
                                                                               : "32";
}

static long guessed_value(const char *name) {
    return strtol(guess_number(name), NULL, 10);
}

/* The value of a constant expression over the file's names; -1 if it is not one. */
static long number_of(const char *text, const char *expression) {
    return constant_value(text, expression, strlen(expression), guessed_value);
}

/* dim3 block(32, 8); or dim3(32, 8) itself. */
static bool read_dimensions(const char *text, const char *word, struct text *block) {
    char declared[112], part[96];
    const char *open = NULL;
    if (strncmp(word, "dim3(", 5) == 0)
        open = word + 5;
    snprintf(declared, sizeof declared, "dim3 %s(", word);
    if (!open && (open = strstr(text, declared)))
        open += strlen(declared);
    const char *close = open ? strchr(open, ')') : NULL;
    if (!close)
        return false;
    char *list = copy_between(open, close);
    long product = 1, sizes[3] = {1, 1, 1};
    for (size_t i = 0; i < 3 && product > 0; i++) {
        item(list, i, part);
        if (*part)
            product *= sizes[i] = number_of(text, part);
    }
    free(list);
    if (product <= 0 || product > 1024 || sizes[0] <= 0 || sizes[1] <= 0 || sizes[2] <= 0)
        return false;
    text_append_format(block, sizes[2] > 1 ? "dim3(%ld, %ld, %ld)" : "dim3(%ld, %ld)", sizes[0],
                       sizes[1], sizes[2]);
    return true;
}

static bool read_block_size(const struct launched *launched, const char *text, struct text *block) {
    char word[96];
    if (!launched->configuration)
        return false;
    item(launched->configuration, 1, word);
    const long number = number_of(text, word);
    if (number > 0 && number <= 1024) {
        text_append_format(block, "%ld", number);
        return true;
    }
    return *word && read_dimensions(text, word, block);
}

/* ---- template arguments ---- */

static const char *guess_template(const struct parameter *p) {
    if (strstr(p->type, "..."))
        return NULL;
    if (name_matches(p->type, "typename class"))
        return name_matches(p->name, "index idx =i =int")                ? "int"
               : name_matches(p->name, "op func reduc lambda =f =fn =g") ? "shflviz_call::sum"
               : name_matches(p->name, "vec4 float4")                    ? "float4"
                                                                         : "float";
    if (name_matches(p->type, "bool"))
        return "true";
    return guess_number(p->name);
}

/* True for a plain type or bool; any other word may be a parameter of the enclosing template. */
static bool is_plain_type(const char *word) {
    static const char *const plain[] = {"float",    "double",  "int",    "half",
                                        "__half",   "bool",    "true",   "false",
                                        "unsigned", "int32_t", "float4", "float2"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strcmp(plain[i], word) == 0)
            return true;
    return false;
}

/* True if the arguments of a call provide everything that the template needs. */
static bool is_deduced(const struct function *function) {
    for (size_t i = 0; i < function->template_count; i++)
        if (!function->of_template[i].has_default &&
            !name_matches(function->of_template[i].type, "typename class"))
            return false;
    return true;
}

static void choose_template(struct bring_launch *launch, const struct launched *launched,
                            const char *text, struct text *block) {
    const struct function *function = launch->function;
    struct text list = TEXT_INIT;
    char word[96] = "", number[24];
    for (size_t i = 0; i < function->template_count; i++) {
        const struct parameter *p = &function->of_template[i];
        const char *argument = p->has_default ? NULL : guess_template(p);
        if (launched->of_template)
            item(launched->of_template, i, word);
        const long said = *word ? number_of(text, word) : -1;
        if (said >= 0 && !name_matches(p->type, "typename class")) {
            snprintf(number, sizeof number, "%ld", said);
            argument = number;
        } else if (is_plain_type(word)) {
            argument = word;
        }
        if (!argument)
            break;
        text_append_format(&list, "%s%s", i ? ", " : "", argument);
        const long threads = strtol(argument, NULL, 0);
        if (!block->length && !name_matches(p->type, "typename class bool") &&
            name_matches(p->name, IS_BLOCK) && !name_matches(p->name, "per warps") &&
            threads >= 32 && threads <= 1024)
            text_append_format(block, "%ld", threads);
    }
    if (function->template_count && !strchr(launch->name.data, '<'))
        text_append_format(&launch->name, "<%s>", list.data);
    text_release(&list);
}

/* ---- the block ---- */

/* The block size from a constant of the file that the kernel uses; -1 if there is none. */
static long block_constant(const struct bring_launch *launch, const char *text) {
    struct cpp_reader reader = {.at = text + launch->function->body, .in_line = true};
    struct cpp_token token;
    char name[64];
    while ((token = cpp_next(&reader)).at < text + launch->function->end && token.kind != CPP_END) {
        snprintf(name, sizeof name, "%.*s", (int)token.length, token.at);
        if (token.kind != CPP_WORD || cpp_is(&token, "blockDim") || cpp_is(&token, "blockIdx") ||
            cpp_is(&token, "threadIdx") || !name_matches(name, IS_BLOCK) ||
            name_matches(name, "per warps"))
            continue;
        const long number = constant_value(text, token.at, token.length, NULL);
        if (number >= 32 && number <= 1024)
            return number;
    }
    return -1;
}

/* Chooses the size of shared memory, if possible as in the file's own launch. */
static void choose_shared(struct bring_launch *launch, const struct launched *launched,
                          const char *text) {
    char word[96] = "";
    if (launched->configuration)
        item(launched->configuration, 2, word);
    const long said = *word ? number_of(text, word) : -1;
    if (said > 0)
        text_append_format(&launch->shared, "%ld", said);
    else
        text_append(&launch->shared,
                    launch->function && launch->function->uses_shared ? "16384" : "0");
}

static void choose_block(struct bring_launch *launch, const struct launched *launched,
                         const char *text, struct text *found) {
    const struct function *function = launch->function;
    if (launch->block.length)
        return;
    launch->chosen = true;
    const long constant = function && !found->length ? block_constant(launch, text) : -1;
    text_append(&launch->grid, "1");
    if (found->length)
        text_append(&launch->block, found->data);
    else if (launch->in_lanes)
        text_append(&launch->block, "32");
    else if (function->most_threads >= 32 && function->most_threads <= 1024)
        text_append_format(&launch->block, "%u", function->most_threads);
    else if (constant > 0)
        text_append_format(&launch->block, "%ld", constant);
    else
        text_append(&launch->block, function->uses_y ? "dim3(32, 2)" : "64");
    choose_shared(launch, launched, text);
}

/* ---- values ---- */

static long threads_of(const struct bring_launch *launch) {
    const char *digits = strpbrk(launch->block.data, "(123456789");
    long threads = 1;
    for (const char *at = digits; at && *at; at++)
        if (*at >= '1' && *at <= '9') {
            char *end;
            threads *= strtol(at, &end, 0);
            at = end;
            if (!*at)
                break;
        }
    return digits && strncmp(launch->block.data, "dim3 ", 5) != 0 && threads > 0 && threads <= 1024
               ? threads
               : 64;
}

struct sizes {
    long each, room;
};

static struct sizes sizes_of(const struct bring_launch *launch) {
    const struct function *function = launch->function;
    size_t count = 0;
    struct sizes sizes = {64, 4096};
    for (size_t i = 0; i < function->parameter_count; i++)
        count += is_size(&function->parameters[i]);
    const long threads = function->kind == FUNCTION_HOST ? 64 : threads_of(launch);
    sizes.each = count <= 1 ? threads : count == 2 ? 64 : count == 3 ? 32 : 16;
    long product = 1;
    for (size_t i = 0; i < count && product < 65536; i++)
        product *= sizes.each;
    sizes.room = product > 65536 ? 65536 : product > 4096 ? product : 4096;
    return sizes;
}

/* True if a parameter is probably an output, judging by names, const and its position. */
static bool is_result(const struct function *function, size_t index) {
    const struct parameter *p = &function->parameters[index];
    bool has_input = false, has_named = false;
    size_t last = 0, pointers = 0;
    if (p->is_const)
        return false;
    for (size_t i = 0; i < function->parameter_count; i++) {
        const struct parameter *other = &function->parameters[i];
        if (!other->is_pointer)
            continue;
        has_input |= other->is_const;
        has_named |= name_matches(other->name, "out res dst sum ret result =y =c =o output");
        last = i;
        pointers++;
    }
    if (has_input && !has_named)
        return true;
    if (has_named)
        return name_matches(p->name, "out res dst sum ret result =y =c =o output");
    return pointers > 1 && index == last;
}

/* Distinct values, small enough for the type: products of half-precision matrices stay finite. */
static const char *input_values(const struct parameter *p, const char *text) {
    return name_matches(p->type, "half bf16 bfloat16") && strstr(text, "mma") ? "thread % 7"
                                                                              : "thread % 64";
}

static void choose_value(const struct bring_launch *launch, const char *text, size_t index,
                         struct sizes sizes, struct bring_value *value, char buffer[64]) {
    const struct parameter *p = &launch->function->parameters[index];
    const char *values;
    value->count = 0;
    if (p->is_pointer || strstr(p->type, "Accessor")) {
        value->count = (size_t)sizes.room;
        values = is_result(launch->function, index) ? "0" : input_values(p, text);
    } else if (is_size(p)) {
        snprintf(buffer, 64, "%ld", sizes.each);
        values = buffer;
    } else if (name_matches(p->type, "float double half") || !is_integer_type(p->type)) {
        values = name_matches(p->name, "eps") ? "0.00001" : "1";
    } else {
        values = name_matches(p->name, "mask") ? "0xffffffff" : "1";
    }
    if (values != buffer)
        snprintf(buffer, 64, "%s", values);
    value->values = buffer;
}

/* For a function that every lane calls: a pointer gets 64 zeros, a mask all lanes, a width or a
 * size 32, and anything else the lane's number. */
static void choose_lane_value(const struct parameter *p, struct bring_value *value,
                              struct text *type) {
    if (p->is_pointer) {
        text_append_bytes(type, p->type, strcspn(p->type, "*&"));
        value->count = 64;
        value->values = (char *)"0";
    } else {
        value->values = (char *)(name_matches(p->name, "mask")    ? "0xffffffff"
                                 : name_matches(p->name, "width") ? "32"
                                 : is_size(p)                     ? "32"
                                                                  : "lane");
    }
}

static bool has_value(const struct bring_launch *launch, const char *name) {
    for (size_t i = 0; i < launch->value_count; i++)
        if (strcmp(launch->values[i].name, name) == 0)
            return true;
    return false;
}

/* True for a name that needs a value: not true, false, nullptr or NULL, nor a lane's variable. */
static bool needs_value(const struct bring_launch *launch, const char *argument) {
    const size_t length =
        strspn(argument, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    return length > 0 && !argument[length] && !(*argument >= '0' && *argument <= '9') &&
           !has_value(launch, argument) && strcmp(argument, "true") != 0 &&
           strcmp(argument, "false") != 0 && strcmp(argument, "nullptr") != 0 &&
           strcmp(argument, "NULL") != 0 &&
           !(launch->in_lanes &&
             (strcmp(argument, "lane") == 0 || strcmp(argument, "thread") == 0));
}

static void choose_arguments(struct bring_launch *launch) {
    const struct function *function = launch->function;
    char name[24];
    for (size_t i = 0; i < function->parameter_count; i++) {
        const char *known = function->parameters[i].name;
        snprintf(name, sizeof name, "arg%zu", i);
        if (function->parameters[i].has_default)
            break;
        launch->arguments =
            memory_grow(launch->arguments, launch->argument_count + 1, sizeof *launch->arguments);
        launch->arguments[launch->argument_count++] = memory_string(*known ? known : name);
    }
}

static void choose_values(struct bring_launch *launch, const char *text) {
    const struct sizes sizes = sizes_of(launch);
    for (size_t i = 0; i < launch->argument_count; i++) {
        struct bring_value value = {.name = launch->arguments[i]};
        struct text type = TEXT_INIT;
        char buffer[64];
        const size_t length = strlen(launch->arguments[i]);
        if (needs_value(launch, launch->arguments[i]) &&
            (constant_value(text, launch->arguments[i], length, NULL) < 0 ||
             strcmp(launch->arguments[i], launch->function->parameters[i].name) == 0)) {
            if (launch->in_lanes)
                choose_lane_value(&launch->function->parameters[i], &value, &type);
            else
                choose_value(launch, text, i, sizes, &value, buffer);
            value.type = type.data;
            launch->chosen = true;
            bring_launch_set_value(launch, &value);
        }
        text_release(&type);
    }
}

void choose_launch(struct bring_launch *launch, const char *text) {
    struct text block = TEXT_INIT;
    struct launched launched = {NULL, NULL};
    const struct function *function = launch->function;
    if (function) {
        const bool all = !launch->arguments && !launch->block.length;
        launched = find_launched(text, plain_name(function->name));
        if (!read_block_size(&launched, text, &block) && function->uses_y)
            text_clear(&block);
        /* The file's name for the kernel, with its namespaces. */
        const size_t angles = strcspn(launch->name.data, "<");
        struct text name = TEXT_INIT;
        text_append_format(&name, "%s%s", function->name, launch->name.data + angles);
        text_release(&launch->name);
        launch->name = name;
        if (function->kind == FUNCTION_KERNEL || !is_deduced(function))
            choose_template(launch, &launched, text, &block);
        if (all || (!launch->arguments && function->parameter_count))
            choose_arguments(launch);
    }
    choose_block(launch, &launched, text, &block);
    if (function)
        choose_values(launch, text);
    free(launched.of_template);
    free(launched.configuration);
    text_release(&block);
}
