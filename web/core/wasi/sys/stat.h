/*
 * sys/stat.h - files of a page have no permissions.
 */
#ifndef SHFLVIZ_WEB_SYS_STAT_H
#define SHFLVIZ_WEB_SYS_STAT_H

#include_next <sys/stat.h>

#define fchmod(descriptor, mode) (-1)

#endif
