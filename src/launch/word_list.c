#include "launch/word_list.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r\n";

/* Takes one word from *at on; false if a quote is not closed. */
static bool read_word(const char **at, struct text *word) {
    char quote = '\0';
    const char *c = *at;
    for (; *c && (quote || !strchr(blanks, *c)); c++) {
        if (*c == quote)
            quote = '\0';
        else if (!quote && (*c == '\'' || *c == '"'))
            quote = *c;
        else if (*c == '\\' && quote != '\'' && c[1])
            text_append_char(word, *++c);
        else
            text_append_char(word, *c);
    }
    *at = c;
    return !quote;
}

void words_add(struct word_list *words, const char *word) {
    words->word = memory_grow(words->word, (size_t)words->count + 2, sizeof(words->word[0]));
    words->word[words->count++] = memory_string(word);
    words->word[words->count] = NULL;
}

int words_split(struct word_list *words, const char *line, struct error *err) {
    const char *at = line;
    bool closed = true;
    *words = (struct word_list){0, NULL};
    for (at += strspn(at, blanks); closed && *at; at += strspn(at, blanks)) {
        struct text word = TEXT_INIT;
        closed = read_word(&at, &word);
        words_add(words, word.data);
        text_release(&word);
    }
    if (closed)
        return 0;
    return error_set(err, ERROR_USAGE, _("'%s': a quote is not closed"), line);
}

void words_release(struct word_list *words) {
    for (int i = 0; i < words->count; i++)
        free(words->word[i]);
    free(words->word);
    *words = (struct word_list){0, NULL};
}
