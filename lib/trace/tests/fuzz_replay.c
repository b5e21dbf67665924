/*
 * fuzz_replay FOLDER MUTATIONS - drives a fuzz target without a fuzzer: every file of the folder,
 * then MUTATIONS changed copies of each, the same on every machine and in every run.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FILE_BYTES_MAX 65536

static uint64_t random_next(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* A position to change, often in the header, which is short and decides everything. */
static size_t random_place(uint64_t *state, size_t size) {
    size_t most = random_next(state) % 2 && size > 136 ? 136 : size;
    return random_next(state) % most;
}

static void change_number(uint64_t *state, uint8_t *data, size_t size) {
    static const uint64_t numbers[] = {0,
                                       1,
                                       31,
                                       32,
                                       4096,
                                       0xffff,
                                       0x7fffffff,
                                       0xffffffff,
                                       UINT64_C(0x7fffffffffffffff),
                                       UINT64_C(0x8000000000000000),
                                       UINT64_C(0xffffffffffffffc0),
                                       UINT64_MAX};
    size_t width = (size_t)1 << random_next(state) % 4;
    size_t at = random_place(state, size) / width * width;
    uint64_t number = numbers[random_next(state) % (sizeof(numbers) / sizeof(numbers[0]))];
    memcpy(data + at, &number, width < size - at ? width : size - at);
}

static void copy_stretch(uint64_t *state, uint8_t *data, size_t size) {
    size_t from = random_place(state, size), to = random_place(state, size);
    size_t most = size - (from > to ? from : to);
    memmove(data + to, data + from, random_next(state) % (most < 600 ? most : 600));
}

/* Changes the copy in a few places. Returns its new size. */
static size_t mutate(uint64_t *state, uint8_t *data, size_t size) {
    for (uint64_t changes = 1 + random_next(state) % 4; changes > 0 && size > 0; changes--) {
        switch (random_next(state) % 8) {
        case 0:
            size = random_next(state) % 4 ? size : random_next(state) % size;
            break;
        case 1:
            copy_stretch(state, data, size);
            break;
        case 2:
        case 3:
        case 4:
            change_number(state, data, size);
            break;
        case 5:
            data[random_place(state, size)]++;
            break;
        default:
            data[random_place(state, size)] ^= (uint8_t)(1u << random_next(state) % 8);
        }
    }
    return size;
}

static int replay_file(const char *path, unsigned long mutations) {
    static uint8_t data[FILE_BYTES_MAX], copy[FILE_BYTES_MAX];
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    size_t size = fread(data, 1, sizeof(data), file);
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    for (unsigned long i = 0; i < mutations; i++) {
        memcpy(copy, data, size);
        LLVMFuzzerTestOneInput(copy, mutate(&state, copy, size));
    }
    return 0;
}

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

int main(int argc, char **argv) {
    struct dirent **entries;
    int failed = 0;
    if (argc != 3) {
        fprintf(stderr, "usage: %s FOLDER MUTATIONS\n", argv[0]);
        return 2;
    }
    int count = scandir(argv[1], &entries, is_visible, alphasort);
    for (int i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof(path), "%s/%s", argv[1], entries[i]->d_name);
        failed |= replay_file(path, strtoul(argv[2], NULL, 10));
        free(entries[i]);
    }
    if (count <= 0) {
        fprintf(stderr, "%s: no file to start from in '%s'\n", argv[0], argv[1]);
        return 1;
    }
    free(entries);
    printf("%d files, %s changed copies of each\n", count, argv[2]);
    return failed;
}
