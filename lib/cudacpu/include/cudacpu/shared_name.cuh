/*
 * shared_name.cuh - tells the recorder what a `__shared__` variable is called and what it holds,
 * and what kernels' parameters point to.
 *
 * Included where accesses to memory are recorded, and nowhere else. A call stands behind
 * each declaration (cudacpu/frontend/tell_shared.h); it is made once for each variable, templates
 * included.
 */
#ifndef SHFLVIZ_CPU_SHARED_NAME_CUH
#define SHFLVIZ_CPU_SHARED_NAME_CUH

#include "cudacpu/shared_told.h"
#include "shflviz/record.cuh"

#include <type_traits>

namespace shflviz {

template <class T, class = void> struct shared_element {
    enum {
        type = std::is_floating_point<T>::value || std::is_class<T>::value ? TYPE_UNSIGNED
               : std::is_signed<T>::value                                  ? TYPE_INT
                                                                           : TYPE_UNSIGNED,
        vector = 0
    };
};
/* A type that warp operations know. */
template <class T> struct shared_element<T, std::void_t<decltype(type_of<T>::number)>> {
    enum { type = (int)type_of<T>::number, vector = 0 };
};
template <class T, class = void> struct has_own_type : std::false_type {};
template <class T>
struct has_own_type<T, std::void_t<decltype(type_of<T>::number)>> : std::true_type {};
/* float4, int2 and their like: two or four members, aligned as a whole. */
template <class T>
struct shared_element<
    T, std::enable_if_t<std::is_class<T>::value && !has_own_type<T>::value &&
                            (sizeof(T) == 2 * sizeof(T::x) || sizeof(T) == 4 * sizeof(T::x)) &&
                            alignof(T) <= 16 && (alignof(T) == sizeof(T) || alignof(T) == 16),
                        std::void_t<decltype(T::x), decltype(T::y)>>> {
    enum {
        type = (int)shared_element<std::remove_cv_t<decltype(T::x)>>::type,
        vector = sizeof(T) < 16 ? (int)sizeof(T) : 16
    };
};

/* Of what a kernel's parameter points to (launch.h). */
template <class T, class> struct pointed;
template <class T>
struct pointed<T, std::enable_if_t<std::is_object<T>::value && !std::is_void<T>::value>> {
    enum { type = (int)shared_element<T>::type, vector = (int)shared_element<T>::vector };
};

template <class T, bool dynamic> static inline int tell_shared(const char *name, const void *at) {
    typedef std::remove_cv_t<std::remove_all_extents_t<std::remove_reference_t<T>>> element;
    if constexpr (dynamic)
        return cpu_shared_told(name, at, 0, shared_element<element>::type,
                               shared_element<element>::vector);
    else
        return cpu_shared_told(name, at, sizeof(T), shared_element<element>::type,
                               shared_element<element>::vector);
}

} // namespace shflviz

#endif
