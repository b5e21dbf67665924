/*
 * Any bytes may arrive through the socket of a presentation. The first byte chooses the lesson, the
 * second how many keys are pressed first, a byte each; the rest arrives through the socket. Bytes
 * that are not a position in the lesson change nothing. After a valid position, the player's own
 * position can be restored and drawn, as a lesson and as notes.
 */
#include "launch/course.h"
#include "require.h"
#include "session/follow.h"
#include "teach/player.h"
#include "view/view.h"

#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const lessons[] = {"xor", "up", "butterfly-max", "divergence"};
#define LESSONS (sizeof lessons / sizeof lessons[0])

static const char *const keys[] = {"Right", "Left", "n", "w", "Enter", "Escape", "1", "7",
                                   "Space", "m",    ":", "p", "2",     "J",      "b", "?"};

/* A lesson's recordings are made once. */
static struct trace *const *traces_of(size_t which) {
    static struct course_recordings recordings[LESSONS];
    struct error err = ERROR_INIT;
    const struct lesson *lesson = lesson_built_in_find(lessons[which]);
    require(lesson != NULL, "no lesson of that name");
    if (!recordings[which].traces)
        require(course_record(lesson, NULL, &recordings[which], &err) == 0, err.text);
    return recordings[which].traces;
}

static void draw(const struct player *player) {
    static const int sizes[][2] = {{80, 24}, {60, 20}, {120, 40}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct grid grid;
        grid_init(&grid, sizes[i][0], sizes[i][1], false);
        view_draw_player(&grid, player);
        grid_clear(&grid);
        view_draw_notes(&grid, player, 1000);
        char *text = grid_to_text(&grid, false);
        require_shown(text, strlen(text));
        free(text);
        grid_release(&grid);
    }
}

static void follow(struct player *player, const char *position) {
    char before[PLAYER_POSITION_SIZE], first[PLAYER_POSITION_SIZE], second[PLAYER_POSITION_SIZE];
    struct error err = ERROR_INIT;
    player_position(player, before);
    if (player_follow(player, position, &err) != 0) {
        require(err.kind == ERROR_USAGE && err.text[0], "a failure that says nothing");
        require(strcmp(player_position(player, first), before) == 0, "a change all the same");
        return;
    }
    player_position(player, first);
    require(player_follow(player, first, &err) == 0, "its own position is refused");
    require(strcmp(player_position(player, second), first) == 0, "its own position leads away");
    draw(player);
}

/* Reads from the socket like notes.c. */
static void receive(struct player *player, const uint8_t *data, size_t size) {
    struct follower follower = {.read = TEXT_INIT};
    int ends[2];
    require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0, "no sockets");
    follower.descriptor = ends[0];
    bool on = true;
    for (size_t sent = 0; sent < size && on;) {
        const ssize_t count = send(ends[1], data + sent, size - sent, MSG_NOSIGNAL);
        require(count > 0, "nothing could be sent");
        sent += (size_t)count;
        on = follower_ready(&follower);
        for (char *line; (line = follower_line(&follower));) {
            require(!strchr(line, '\n'), "a line of two");
            if (follower_position(line))
                follow(player, follower_position(line));
            free(line);
        }
    }
    close(ends[1]);
    follower_leave(&follower);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct player player;
    struct error err = ERROR_INIT;
    if (size < 2)
        return 0;
    const size_t which = data[0] % LESSONS;
    const size_t count = data[1] % 64 < size - 2 ? data[1] % 64 : size - 2;
    require(player_init(&player, lesson_built_in_find(lessons[which]), traces_of(which), "en", NULL,
                        &err) == 0,
            err.text);
    player.presenting = data[0] & 128;
    for (size_t i = 0; i < count; i++)
        player_key(&player,
                   player_press(&player, keys[data[2 + i] % (sizeof keys / sizeof keys[0])]));
    char position[PLAYER_POSITION_SIZE];
    struct error why = ERROR_INIT;
    player_position(&player, position);
    require(player_follow(&player, position, &why) == 0, "the position that keys lead to");
    receive(&player, data + 2 + count, size - 2 - count);
    player_release(&player);
    return 0;
}
