/* nvtx3.hpp - NVTX for C++: objects that name a range during their lifetime. They do nothing. */
#ifndef NVTX3_CPP_DEFINITIONS_V1_0
#define NVTX3_CPP_DEFINITIONS_V1_0

#include "nvToolsExt.h"

namespace nvtx3 {
inline namespace v1 {
struct domain {
    struct global {};
};
struct color {
    template <class... T> constexpr color(T...) {}
};
struct rgb {
    constexpr rgb(uint8_t, uint8_t, uint8_t) {}
};
struct argb {
    constexpr argb(uint8_t, uint8_t, uint8_t, uint8_t) {}
};
struct category {
    constexpr explicit category(uint32_t) {}
};
struct payload {
    template <class T> constexpr explicit payload(T) {}
};
struct message {
    template <class T> constexpr message(const T &) {}
};
struct event_attributes {
    template <class... T> constexpr explicit event_attributes(const T &...) {}
};

template <class D> class scoped_range_in {
  public:
    template <class... T> explicit scoped_range_in(const T &...) {}
    scoped_range_in(const scoped_range_in &) = delete;
    scoped_range_in &operator=(const scoped_range_in &) = delete;
    ~scoped_range_in() {} /* so that an unused one causes no warning */
};
typedef scoped_range_in<domain::global> scoped_range;
template <class D> using thread_range_in = scoped_range_in<D>;
typedef scoped_range thread_range;
template <class D> class unique_range_in {
  public:
    template <class... T> explicit unique_range_in(const T &...) {}
    unique_range_in(unique_range_in &&) = default;
    unique_range_in &operator=(unique_range_in &&) = default;
    ~unique_range_in() {}
};
typedef unique_range_in<domain::global> unique_range;

struct range_handle {};
template <class... T> inline range_handle start_range(const T &...) {
    return {};
}
inline void end_range(range_handle) {}
template <class... T> inline void mark(const T &...) {}
template <class D, class... T> inline void mark_in(const T &...) {}
} // namespace v1
} // namespace nvtx3

#define NVTX3_FUNC_RANGE()          ((void)0)
#define NVTX3_FUNC_RANGE_IN(domain) ((void)0)

#endif
