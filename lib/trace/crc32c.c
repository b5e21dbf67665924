#include "trace/crc32c.h"

#include <string.h>

/* Half a byte at a time, which is short rather than fast: for machines without the instruction. */
uint32_t crc32c_by_table(uint32_t crc, const void *bytes, size_t count) {
    static const uint32_t table[16] = {0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1,
                                       0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
                                       0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
                                       0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75};
    const unsigned char *byte = bytes;
    crc = ~crc;
    for (; count > 0; count--) {
        crc ^= *byte++;
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

#if defined(__x86_64__)
#include <nmmintrin.h>

__attribute__((target("sse4.2"))) static uint32_t by_instruction(uint32_t crc, const void *bytes,
                                                                 size_t count) {
    const unsigned char *byte = bytes;
    uint64_t wide = ~crc;
    for (; count >= 8; count -= 8, byte += 8) {
        uint64_t word;
        memcpy(&word, byte, sizeof(word));
        wide = _mm_crc32_u64(wide, word);
    }
    crc = (uint32_t)wide;
    for (; count > 0; count--)
        crc = _mm_crc32_u8(crc, *byte++);
    return ~crc;
}

static int has_instruction(void) {
    return __builtin_cpu_supports("sse4.2");
}

#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>

static uint32_t by_instruction(uint32_t crc, const void *bytes, size_t count) {
    const unsigned char *byte = bytes;
    crc = ~crc;
    for (; count >= 8; count -= 8, byte += 8) {
        uint64_t word;
        memcpy(&word, byte, sizeof(word));
        crc = __crc32cd(crc, word);
    }
    for (; count > 0; count--)
        crc = __crc32cb(crc, *byte++);
    return ~crc;
}

static int has_instruction(void) {
    return 1;
}

#else

static uint32_t by_instruction(uint32_t crc, const void *bytes, size_t count) {
    return crc32c_by_table(crc, bytes, count);
}

static int has_instruction(void) {
    return 1;
}

#endif

uint32_t crc32c(uint32_t crc, const void *bytes, size_t count) {
    return has_instruction() ? by_instruction(crc, bytes, count)
                             : crc32c_by_table(crc, bytes, count);
}
