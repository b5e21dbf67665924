/* channel_descriptor.h - the format of an array's elements, derived from their C++ type. */
#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__

#include "driver_types.h"

#ifdef __cplusplus

template <class T> inline cudaChannelFormatDesc cudaCreateChannelDesc();

#define SHFLVIZ_CHANNEL(T, x, y, z, w, kind)                                                       \
    template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<T>() {                          \
        return {x, y, z, w, kind};                                                                 \
    }
#define SHFLVIZ_CHANNELS(base, name, bits, kind)                                                   \
    SHFLVIZ_CHANNEL(base, bits, 0, 0, 0, kind)                                                     \
    SHFLVIZ_CHANNEL(name##1, bits, 0, 0, 0, kind)                                                  \
    SHFLVIZ_CHANNEL(name##2, bits, bits, 0, 0, kind)                                               \
    SHFLVIZ_CHANNEL(name##4, bits, bits, bits, bits, kind)
SHFLVIZ_CHANNELS(signed char, char, 8, cudaChannelFormatKindSigned)
SHFLVIZ_CHANNELS(unsigned char, uchar, 8, cudaChannelFormatKindUnsigned)
SHFLVIZ_CHANNELS(short, short, 16, cudaChannelFormatKindSigned)
SHFLVIZ_CHANNELS(unsigned short, ushort, 16, cudaChannelFormatKindUnsigned)
SHFLVIZ_CHANNELS(int, int, 32, cudaChannelFormatKindSigned)
SHFLVIZ_CHANNELS(unsigned int, uint, 32, cudaChannelFormatKindUnsigned)
SHFLVIZ_CHANNELS(float, float, 32, cudaChannelFormatKindFloat)
/* char is signed if it is for the host's compiler. */
SHFLVIZ_CHANNEL(char, 8, 0, 0, 0,
                (char)-1 < 0 ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned)
#undef SHFLVIZ_CHANNEL
#undef SHFLVIZ_CHANNELS

/* Half floats have names of their own, because __half may not be declared. */
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
    return {16, 0, 0, 0, cudaChannelFormatKindFloat};
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
    return cudaCreateChannelDescHalf();
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
    return {16, 16, 0, 0, cudaChannelFormatKindFloat};
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
    return {16, 16, 16, 16, cudaChannelFormatKindFloat};
}

#endif

#endif
