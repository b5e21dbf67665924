/*
 * Connects three parts that know nothing about each other: the lesson's player, the room and the
 * server. It only passes on what one reports to the others.
 */
#include "session/classroom.h"

#include "base/memory.h"
#include "base/message.h"
#include "serve/frame.h"
#include "serve/qr.h"
#include "serve/server.h"
#include "teach/room.h"
#include "view/pages/classroom.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum page { PAGE_NONE, PAGE_DOOR, PAGE_ANSWERS };

struct classroom {
    struct room room;
    struct server *server;
    const struct player *player; /* NULL if no lesson is open */
    struct qr qr;
    enum page page;
    bool light;
    bool empties; /* CLASS_EMPTY_KEY was pressed: a second press confirms */
    char *told;   /* the frame that was sent last */
    FILE *collect;
    const char *collect_path;
    struct error trouble; /* the first error in writing it */
};

/* ---- answers ---- */

static bool judge(void *context, const char *typed, char normal[ANSWER_TEXT], bool *right,
                  struct text *said) {
    const struct classroom *room = context;
    const struct player *player = room->player;
    const struct question *ask = &player->lesson->beats[player->beat].ask;
    const struct subject subject = replay_subject(&player->replay);
    const enum answer_verdict verdict = answer_judge(subject, ask, typed, 0, normal);
    *right = verdict == ANSWER_RIGHT;
    if (verdict != ANSWER_UNREADABLE)
        return true;
    text_append_format(said, _("Not understood. Expected: %s"), question_help(subject, ask));
    return false;
}

/* Writes one line for each question: its name, the number of students, and every answer with the
 * student's number. */
static void collect_round(struct classroom *room) {
    const struct player *player = room->player;
    struct text line = TEXT_INIT;
    bool first = true;
    if (!room->collect || room_answered(&room->room) == 0)
        return;
    text_append(&line, "{\"lesson\":");
    frame_string(&line, player->lesson->name);
    text_append(&line, ",\"beat\":");
    frame_string(&line, room->room.beat);
    text_append_format(&line, ",\"round\":%u,\"present\":%zu,\"right\":", room->room.round,
                       room_present(&room->room));
    frame_string(&line, player->right);
    text_append(&line, ",\"answers\":[");
    for (size_t i = 0; i < room->room.student_count; i++) {
        const struct room_student *student = room->room.students[i];
        if (student->round != room->room.round)
            continue;
        text_append_format(&line, "%s{\"student\":%u,\"right\":%s,\"answer\":", first ? "" : ",",
                           student->number, student->right ? "true" : "false");
        frame_string(&line, student->answer);
        text_append_char(&line, '}');
        first = false;
    }
    text_append(&line, "]}\n");
    if ((fputs(line.data, room->collect) == EOF || fflush(room->collect) != 0) &&
        !room->trouble.text[0])
        error_set_errno(&room->trouble, ERROR_USAGE, errno, _("cannot write %s"),
                        room->collect_path);
    text_release(&line);
}

/* ---- following the lesson ---- */

/* Opens and ends the question in the room as the lesson does. */
static void follow_lesson(struct classroom *room) {
    const struct player *player = room->player;
    const bool open = room->room.open;
    if (!player) {
        room_continue(&room->room);
        return;
    }
    const char *beat = player->lesson->beats[player->beat].id;
    if (player->state == PLAYER_ASKING)
        room_ask(&room->room, beat);
    else if (player->state == PLAYER_ANSWERED)
        room_show(&room->room, beat);
    else
        room_continue(&room->room);
    if (!open || room->room.open || room->room.state != ROOM_SHOWN)
        return;
    collect_round(room);
    if (room_answered(&room->room) > 0)
        room->page = PAGE_ANSWERS;
}

void classroom_update(struct classroom *room, const struct player *player) {
    if (!room)
        return;
    room->player = player;
    follow_lesson(room);
    char *frame = frame_of(player, &room->room);
    if (room->told && strcmp(room->told, frame) == 0) {
        free(frame);
        return;
    }
    free(room->told);
    room->told = frame;
    server_publish(room->server, frame);
}

/* ---- the teacher's view ---- */

static struct class_view view_of(const struct classroom *room) {
    const struct server_minute minute = server_minute(room->server);
    return (struct class_view){.room = &room->room,
                               .player = room->player,
                               .url = server_url(room->server),
                               .code = server_code(room->server),
                               .key = action_key(ACTION_MODE_LESSON, ACTION_CLASS),
                               .qr_width = room->qr.width,
                               .qr = room->qr.black,
                               .came = minute.came,
                               .turned_away = minute.turned_away,
                               .guesses = minute.guesses,
                               .empties = room->empties,
                               .local = server_is_local(room->server),
                               .light = room->light};
}

bool classroom_covers(const struct classroom *room) {
    return room && room->page != PAGE_NONE;
}

bool classroom_takes(const struct classroom *room, struct press press) {
    return room && press.info->action != ACTION_REDRAW &&
           (room->page != PAGE_NONE || press.info->action == ACTION_CLASS);
}

static void make_qr(struct classroom *room) {
    qr_release(&room->qr);
    if (!server_is_local(room->server)) /* a phone could not open it */
        qr_make(&room->qr, server_url(room->server));
}

/* Without random numbers the room stays as it is, and the page shows that. */
static void empty_room(struct classroom *room) {
    if (server_reset(room->server, NULL) == 0)
        make_qr(room);
    classroom_update(room, room->player);
}

bool classroom_key(struct classroom *room, struct press press) {
    if (!classroom_takes(room, press))
        return false;
    const bool empties = room->page == PAGE_DOOR && strcmp(press.key, CLASS_EMPTY_KEY) == 0;
    if (empties && room->empties)
        empty_room(room);
    room->empties = empties && !room->empties;
    if (empties)
        return true;
    if (room->page != PAGE_NONE)
        room->page = PAGE_NONE;
    else
        room->page = room->room.state == ROOM_SHOWN && room->player ? PAGE_ANSWERS : PAGE_DOOR;
    return true;
}

void classroom_draw(const struct classroom *room, struct grid *grid) {
    const struct class_view view = view_of(room);
    if (room->page == PAGE_ANSWERS && room->player)
        view_draw_class_answers(grid, &view);
    else if (room->page != PAGE_NONE)
        view_draw_class_join(grid, &view);
    else
        view_draw_class_line(area_within(grid_area(grid), 0, grid->rows - CLASSROOM_ROWS,
                                         grid->columns, CLASSROOM_ROWS),
                             &view);
}

/* ---- the screen's program ---- */

size_t classroom_descriptors(const struct classroom *room, int *descriptors, size_t most) {
    const int descriptor = room ? server_descriptor(room->server) : -1;
    if (descriptor < 0 || most == 0)
        return 0;
    *descriptors = descriptor;
    return 1;
}

long classroom_wait(const struct classroom *room) {
    return room ? server_wait(room->server) : -1;
}

bool classroom_run(struct classroom *room) {
    return room && server_run(room->server);
}

/* ---- opening and closing ---- */

static int open_collect(struct classroom *room, const struct classroom_options *opts,
                        struct error *err) {
    room->collect_path = opts->collect;
    if (!opts->collect || (room->collect = fopen(opts->collect, "ae")) != NULL)
        return 0;
    return error_set_errno(err, ERROR_USAGE, errno, _("--collect: cannot write %s"), opts->collect);
}

int classroom_open(struct classroom **opened, const struct classroom_options *opts,
                   struct error *err) {
    struct classroom *room = memory_zeroed(1, sizeof *room);
    struct server_options serve = {.room = &room->room,
                                   .judge = judge,
                                   .context = room,
                                   .page = opts->page,
                                   .page_size = opts->page_size};
    *opened = NULL;
    room_init(&room->room);
    room->page = PAGE_DOOR;
    room->light = opts->light;
    if (serve_address_parse(&serve.address, opts->serve, err) != 0 ||
        (opts->proxy && serve_proxy_parse(&serve.proxy, opts->proxy, err) != 0) ||
        open_collect(room, opts, err) != 0 || server_open(&room->server, &serve, err) != 0) {
        classroom_close(room, NULL);
        return -1;
    }
    make_qr(room);
    classroom_update(room, NULL);
    *opened = room;
    return 0;
}

int classroom_close(struct classroom *room, struct error *err) {
    int status = 0;
    if (!room)
        return 0;
    server_close(room->server);
    if (room->collect && fclose(room->collect) != 0 && !room->trouble.text[0])
        error_set_errno(&room->trouble, ERROR_USAGE, errno, _("cannot write %s"),
                        room->collect_path);
    if (room->trouble.text[0]) {
        if (err)
            *err = room->trouble;
        status = -1;
    }
    room_release(&room->room);
    qr_release(&room->qr);
    free(room->told);
    free(room);
    return status;
}
