/* sentence.h - builds sentences in a buffer, cut at its size; private to this folder. */
#ifndef SHFLVIZ_EXPLAIN_SENTENCE_H
#define SHFLVIZ_EXPLAIN_SENTENCE_H

#include <stdarg.h>
#include <stdio.h>

struct sentence {
    char *buffer; /* must hold a string before the first add() */
    size_t size, length;
};

__attribute__((format(printf, 2, 3))) static inline void add(struct sentence *sentence,
                                                             const char *format, ...) {
    if (sentence->length + 1 >= sentence->size)
        return;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(sentence->buffer + sentence->length, sentence->size - sentence->length,
                           format, arguments);
    va_end(arguments);
    sentence->length += length > 0 ? (size_t)length : 0;
}

#endif
