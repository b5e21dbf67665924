/*
 * watch.h - shflviz_watch(value): shows a variable, under its name, in every lane that reaches it.
 *
 * Reads the value, waits for no other lane and changes nothing. It can show the value after a
 * kernel's last addition, which no shuffle passes on. Without a recorder it expands to nothing, so
 * a kernel that uses it compiles everywhere.
 */
#ifndef SHFLVIZ_WATCH_H
#define SHFLVIZ_WATCH_H

#ifndef SHFLVIZ_RECORDING
#define shflviz_watch(value) ((void)0)
#endif

#endif
