/* vector_functions.h - make_int2() and its like. Also for C. */
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define SHFLVIZ_VECTOR_MAKERS(base, name)                                                          \
    static inline name##1 make_##name##1(base x) {                                                 \
        name##1 made = {x};                                                                        \
        return made;                                                                               \
    }                                                                                              \
    static inline name##2 make_##name##2(base x, base y) {                                         \
        name##2 made = {x, y};                                                                     \
        return made;                                                                               \
    }                                                                                              \
    static inline name##3 make_##name##3(base x, base y, base z) {                                 \
        name##3 made = {x, y, z};                                                                  \
        return made;                                                                               \
    }                                                                                              \
    static inline name##4 make_##name##4(base x, base y, base z, base w) {                         \
        name##4 made = {x, y, z, w};                                                               \
        return made;                                                                               \
    }
SHFLVIZ_VECTORS(SHFLVIZ_VECTOR_MAKERS)
#undef SHFLVIZ_VECTOR_MAKERS

#endif
