/* unused.h - marks a parameter that a function type requires but the body does not use. */
#ifndef SHFLVIZ_BASE_UNUSED_H
#define SHFLVIZ_BASE_UNUSED_H

#define UNUSED __attribute__((unused))

#endif
