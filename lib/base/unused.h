/*
 * unused.h - marks a parameter that the type of a function demands and its body does not need.
 */
#ifndef SHFLVIZ_BASE_UNUSED_H
#define SHFLVIZ_BASE_UNUSED_H

#define UNUSED __attribute__((unused))

#endif
