/*
 * fuzz_files FOLDER: passes every file of a corpus to the fuzz target, so that the corpus is a test
 * without libFuzzer. Each short file is also truncated at every length, which is cheap and finds
 * errors where a text ends within a word.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_LIMIT 65536

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input is in memory of exactly its size, so that a sanitizer detects a read beyond it. */
static void try_input(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        abort();
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static int try_file(const char *folder, const char *name) {
    static uint8_t data[INPUT_LIMIT];
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return -1;
    }
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    for (size_t length = size < 256 ? 0 : size; length <= size; length++)
        try_input(data, length);
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    DIR *folder = opendir(argv[1]);
    if (!folder) {
        perror(argv[1]);
        return 1;
    }
    int files = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        if (try_file(argv[1], entry->d_name) < 0)
            return 1;
        files++;
    }
    closedir(folder);
    printf("%d files\n", files);
    return files > 0 ? 0 : 1; /* an empty corpus tests nothing */
}
