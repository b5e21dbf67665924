/*
 * header_folder.h - one compiled header as it lies on the disk, for header_cache.c: a folder with
 * the compiled header, a list of the files that it was made of, and a number for its preprocessed
 * text.
 */
#ifndef SHFLVIZ_DEVICE_OWN_HEADER_FOLDER_H
#define SHFLVIZ_DEVICE_OWN_HEADER_FOLDER_H

#include "cudacpu/process/child.h"

#include <stdint.h>

/* What is in such a folder. */
#define HEADER_BELOW    "/shflviz"
#define HEADER_COMPILED "/shflviz/record.cuh.gch" /* as gcc looks for it beside record.cuh */
#define HEADER_FILES    "/files"
#define HEADER_RULE     "/rule" /* what the compiler says to make: the files */
#define HEADER_TEXT     "/text" /* clang only: the number of the preprocessed text */

enum header_state {
    HEADER_ABSENT,
    HEADER_STALE,  /* it is not whole, or a file that it was made of has changed */
    HEADER_HIDDEN, /* not to be used: it is somebody else's, or another file would be read */
    HEADER_GOOD
};

/* A path: both, one behind the other. To be freed. */
char *header_path(const char *folder, const char *name);

/* How the header in the folder is, for a program whose own folders, ended by NULL, are searched
 * before those of the header: there must be no file in them with the name of one of the list. */
enum header_state header_state(const char *folder, char *const *folders);

/* A number for how the compiler is called, which compiler it is, and how the header is: by its path
 * (size, time, inode). */
uint64_t header_key(const struct child_words *compile, const char *header,
                    char *const *environment);

/* Writes the list of a header that has been compiled, from the rule. */
bool header_list_write(const char *folder);

/* Whether a compiled header is there, and of gcc or clang. */
bool header_is_compiled(const char *folder);

/*
 * The header's part of a preprocessed text: from the line marker that enters it to the one behind
 * it, both included. false: there is none.
 */
bool header_part(const char *text, const char *header, size_t *begin, size_t *end);
/* Notes the part of that length as the one that the compiled header stands for; whether it is that
 * one. */
bool header_part_write(const char *folder, const char *part, size_t length);
bool header_part_is(const char *folder, const char *part, size_t length);

/* Removes a folder, with all that it can hold; nothing else. */
void header_remove(const char *folder);

#endif
