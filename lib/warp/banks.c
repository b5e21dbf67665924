#include "warp/banks.h"

#include <string.h>

#define WORDS_MOST 4 /* of one lane's access; one that is not aligned touches one more */

/* The words that one part of the warp uses in each bank. */
struct part {
    uint32_t word[WARP_BANKS][WARP_LANES]; /* all different */
    uint8_t words[WARP_BANKS], ways[WARP_BANKS];
    uint32_t lanes[WARP_BANKS];
};

static void touch(struct part *part, uint32_t word, int lane, bool atomic) {
    const uint32_t bank = word % WARP_BANKS;
    uint8_t *words = &part->words[bank];
    part->lanes[bank] |= UINT32_C(1) << lane;
    for (int i = 0; i < *words; i++)
        if (part->word[bank][i] == word) {
            part->ways[bank] = (uint8_t)(part->ways[bank] + atomic);
            return;
        }
    part->word[bank][(*words)++] = word;
    part->ways[bank]++;
}

static void touch_lane(struct part *part, const struct warp_operation *operation, int lane) {
    const uint32_t offset = (uint32_t)operation->arg[lane];
    const int32_t width = operation->width[lane];
    const uint32_t bytes = width < 1 ? 1 : width > 16 ? 16 : (uint32_t)width;
    const uint32_t first = offset / WARP_BANK_BYTES;
    const uint32_t last = (offset + bytes - 1) / WARP_BANK_BYTES;
    const bool atomic = operation->op == WARP_OP_SHARED_ATOMIC;
    for (uint32_t word = first; word <= last && word - first <= WORDS_MOST; word++)
        touch(part, word, lane, atomic);
}

static void add_part(struct bank_use *use, const struct part *part) {
    int worst = 0;
    for (int bank = 0; bank < WARP_BANKS; bank++) {
        const int ways = part->ways[bank];
        use->count[bank] = (uint8_t)(ways > use->count[bank] ? ways : use->count[bank]);
        worst = ways > worst ? ways : worst;
        if (ways > use->ways) {
            use->ways = ways;
            use->bank = bank;
            use->lanes = part->lanes[bank];
        }
    }
    use->passes += worst;
    use->least += worst > 0;
}

void warp_bank_use(const struct warp_operation *operation, struct bank_use *use) {
    int32_t bytes = 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (operation->present >> lane & 1 && operation->width[lane] > bytes)
            bytes = operation->width[lane];
    *use = (struct bank_use){.parts = bytes > 8 ? 4 : bytes > 4 ? 2 : 1};
    const int lanes = WARP_LANES / use->parts;
    for (int first = 0; first < WARP_LANES; first += lanes) {
        struct part part;
        memset(&part, 0, sizeof part);
        for (int lane = first; lane < first + lanes; lane++)
            if (operation->present >> lane & 1)
                touch_lane(&part, operation, lane);
        add_part(use, &part);
    }
}
