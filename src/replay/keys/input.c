#include "replay/keys/input.h"

#include "base/text/utf8.h"

#include <string.h>

#define COUNT_LIMIT 1000000000L

/* Keys that type themselves have one-character names; other names are ASCII words. */
bool key_types(const char *key) {
    return strcmp(key, "Space") == 0 ||
           (key[0] && (key[1] == '\0' || (unsigned char)key[0] >= 0xc2));
}

bool line_type(char *line, size_t size, const char *key) {
    size_t length = strlen(line);
    if (!key_types(key))
        return false;
    const char *typed = strcmp(key, "Space") == 0 ? " " : key;
    if (length + strlen(typed) >= size)
        return false;
    memcpy(line + length, typed, strlen(typed) + 1);
    return true;
}

/* Deletes a word as terminals do: with the blanks after it. */
static size_t last_word(const char *line) {
    size_t end = strlen(line);
    while (end && line[end - 1] == ' ')
        end--;
    while (end && line[end - 1] != ' ')
        end--;
    return end;
}

bool line_erase(char *line, long erased) {
    if (!*line)
        return false;
    line[erased == ERASE_LINE   ? 0
         : erased == ERASE_WORD ? last_word(line)
                                : utf8_last(line, strlen(line))] = '\0';
    return true;
}

bool line_set(char *line, size_t size, const char *text) {
    size_t length = utf8_cut_bytes(text, size - 1);
    if (strncmp(line, text, length) == 0 && line[length] == '\0')
        return false;
    memcpy(line, text, length);
    line[length] = '\0';
    return true;
}

/* ---- a count ---- */

void count_type(struct count *count, int digit, int shows, int *view) {
    if (!count->typed) {
        count->typed = count->doubtful = true;
        count->view = *view;
    }
    count->elapsed = 0;
    if (count->number < COUNT_LIMIT)
        count->number = count->number * 10 + digit;
    if (!count->doubtful)
        return;
    count->doubtful = shows >= 0;
    *view = count->doubtful ? shows : count->view;
}

bool count_drop(struct count *count) {
    bool typed = count->typed;
    *count = (struct count){0};
    return typed;
}

long count_take(struct count *count, int *view) {
    long number = count->typed ? count->number : 0;
    if (count->doubtful && number != 1)
        *view = count->view;
    count_drop(count);
    return number;
}

bool count_lapse(struct count *count, long milliseconds) {
    if (!count->doubtful)
        return false;
    count->elapsed += milliseconds;
    return count->elapsed >= COUNT_MILLISECONDS && count_drop(count);
}

/* ---- a replay's prompt ---- */

void input_open(struct input *input, enum prompt prompt) {
    input->prompt = prompt;
    input->text[0] = '\0';
    input->kept = false;
}

bool input_close(struct input *input) {
    bool open = input->prompt != PROMPT_NONE || input->text[0];
    input_open(input, PROMPT_NONE);
    return open;
}

bool input_type(struct input *input, const char *key) {
    if (input->kept && key_types(key))
        input->text[0] = '\0';
    input->kept = false;
    return line_type(input->text, sizeof input->text, key);
}

bool input_erase(struct input *input, long erased) {
    input->kept = false;
    return line_erase(input->text, erased);
}

bool input_set(struct input *input, const char *text) {
    input->kept = false;
    return line_set(input->text, sizeof input->text, text);
}
