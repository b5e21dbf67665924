/*
 * crew.h - the same work on many pieces, on all processors.
 *
 * The threads are made when there is first work and wait between; they take no signals but those of
 * faults of their own. Where none can be made, the caller does all of it. Not for use in a process
 * that was forked since.
 */
#ifndef SHFLVIZ_BASE_CREW_H
#define SHFLVIZ_BASE_CREW_H

#include <stdint.h>

struct crew;

#define CREW_MOST 64 /* members */

/* That this process may use; 1 where there are no threads. */
unsigned crew_processors(void);

/* A crew of so many members, the caller among them; 0: as many as crew_processors(). Never NULL;
 * the caller releases it. */
struct crew *crew_new(unsigned members);
void crew_release(struct crew *crew); /* NULL is fine */

unsigned crew_members(const struct crew *crew);

/* Calls work(context, piece, member) once for each piece below `pieces`, in any order and at the
 * same time in different members; a member has one piece at a time. Returns when all are done. */
void crew_run(struct crew *crew, uint64_t pieces,
              void (*work)(void *context, uint64_t piece, unsigned member), void *context);

#endif
