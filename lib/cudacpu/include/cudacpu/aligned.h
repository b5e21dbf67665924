/*
 * aligned.h - pointers whose accesses are held to the alignment that a GPU asks for: one that does
 * not suit ends the kernel with error 716 (Programming Guide, "Size and Alignment Requirement").
 * cudacpu/frontend/lockstep/aligned.c writes them into the program's text, where a pointer has been
 * cast.
 */
#ifndef SHFLVIZ_CUDA_ALIGNED_H
#define SHFLVIZ_CUDA_ALIGNED_H

#include <stddef.h>
#include <stdint.h>
#include <type_traits>

namespace shflviz {
/* clang takes a vector apart, so that its own check of alignment, which `check` uses, does not see
 * accesses to it. */
#ifdef __clang__
template <class T> static constexpr bool is_unseen = std::is_class_v<T>;
#else
template <class T> static constexpr bool is_unseen = false;
#endif

template <class T> constexpr __attribute__((always_inline)) inline T *checked(T *to) {
    if constexpr (!std::is_void_v<T> && !std::is_function_v<T>)
        if (__builtin_expect(((uintptr_t)to & (alignof(T) - 1)) != 0, 0))
            cpu_misaligned((const void *)to, alignof(T), is_unseen<T>);
    return to;
}

template <class T> struct aligned_pointer {
    T *to;
    template <class From>
    constexpr __attribute__((always_inline)) explicit aligned_pointer(From &&from)
        : to((T *)from) {}
    constexpr __attribute__((always_inline)) T &operator*() const { return *checked(to); }
    template <class Index>
    constexpr __attribute__((always_inline)) T &operator[](Index index) const {
        return checked(to)[index];
    }
};

/* Of anything but a pointer the thing itself. */
template <class T>
constexpr __attribute__((always_inline)) inline aligned_pointer<T> aligned(T *to) {
    return aligned_pointer<T>(to);
}
template <class T> constexpr __attribute__((always_inline)) inline T &aligned(T &thing) {
    return thing;
}
} // namespace shflviz

#endif
