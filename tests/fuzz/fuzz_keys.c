/*
 * Any text may be in a user's file of keys. It is read, or there is a message that names the file
 * and a line; afterwards every screen still has its help, and a bound key has the action it is
 * bound to.
 */
#include "base/text.h"
#include "replay/keys/action.h"
#include "replay/keys/bind.h"
#include "require.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at(enum action_mode mode) {
    const struct action_info *rows[ACTION_ROWS_MAX];
    const char *keys[ACTION_KEYS];
    const size_t count = action_list(mode, rows);
    require(count > 0 && count <= ACTION_ROWS_MAX, "a mode without rows");
    for (size_t i = 0; i < count; i++) {
        const size_t of_row = action_keys(mode, rows[i], keys);
        require(of_row < ACTION_KEYS, "too many keys");
        for (size_t k = 0; k < of_row; k++) {
            require_shown(keys[k], strlen(keys[k]));
            require(action_for_key(mode, keys[k]) == rows[i], "a key that does something else");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct error err = ERROR_INIT;
    char *text = string_of(data, size);
    if (bind_read(text, "keys", &err) != 0) {
        struct text shown = TEXT_INIT;
        require(err.kind == ERROR_USAGE && strncmp(err.text, "keys:", 5) == 0, "a message");
        text_append_visible(&shown, err.text, UTF8_LINES);
        require_shown(shown.data, shown.length);
        text_release(&shown);
    }
    for (int mode = 0; mode < ACTION_MODE_COUNT; mode++)
        look_at((enum action_mode)mode);
    action_unbind_all();
    require(bind_read("bind replay x phase-next\n", "keys", &err) == 0 &&
                action_press(ACTION_MODE_REPLAY, "x").info->action == ACTION_PHASE_NEXT,
            "a good line after others");
    action_unbind_all();
    free(text);
    return 0;
}
