/*
 * watch.h - shflviz_watch(value): show a variable of every lane that passes, by its name.
 *
 * Reads the value, waits for no other lane and changes nothing. It shows the value after a kernel's
 * last addition, which no shuffle carries any more. Without a recorder it expands to nothing, so a
 * kernel that uses it compiles everywhere.
 */
#ifndef SHFLVIZ_WATCH_H
#define SHFLVIZ_WATCH_H

#ifndef SHFLVIZ_RECORDING
#define shflviz_watch(value) ((void)0)
#endif

#endif
