/*
 * call.cuh - the base of a main() that shflviz writes: makes arrays and numbers for a kernel's
 * parameters, according to their types, and prints the kernel's changes to the arrays afterwards.
 *
 * If a lane got an undefined value, everything runs again with other bits in its place:
 * elements that then differ are printed as "?".
 */

#if !__has_include(<cudacpu/program.cuh>) /* a GPU does not report undefined values */
inline bool shflviz_gave_undefined(void) {
    return false;
}
inline bool shflviz_run_varied(void (*)(void *), void *) {
    return false;
}
#else /* cudacpu/guest/varied.h */
extern "C" bool shflviz_gave_undefined(void);
extern "C" bool shflviz_run_varied(void (*body)(void *), void *context);
#endif

namespace shflviz_call {

struct array {
    const char *name;
    void *device;
    void *before;
    size_t count, size;
    const char *after;  /* the content after the kernel has ended */
    const char *varied; /* the same for the second run; null if there was none */
    void (*print)(const void *value);
    bool is_const;
};

static array arrays[64];
static int array_count;
static int errors;

inline void check(cudaError_t error, const char *what) {
    if (error != cudaSuccess && !errors++)
        fprintf(stderr, "shflviz: %s: %s\n", what, cudaGetErrorString(error));
}

/* ---- values ---- */

template <class T, class = void> struct has_x : std::false_type {};
template <class T>
struct has_x<T, std::void_t<decltype(std::declval<T &>().x)>> : std::true_type {};
template <class T, class = void> struct has_y : std::false_type {};
template <class T>
struct has_y<T, std::void_t<decltype(std::declval<T &>().y)>> : std::true_type {};
template <class T, class = void> struct has_z : std::false_type {};
template <class T>
struct has_z<T, std::void_t<decltype(std::declval<T &>().z)>> : std::true_type {};
template <class T, class = void> struct has_w : std::false_type {};
template <class T>
struct has_w<T, std::void_t<decltype(std::declval<T &>().w)>> : std::true_type {};

template <class T> constexpr bool is_half = std::is_same_v<T, __half>;
template <class T> constexpr bool is_bfloat = std::is_same_v<T, __nv_bfloat16>;
template <class T> constexpr bool is_vector = has_x<T>::value && !is_half<T> && !is_bfloat<T>;

template <class T, class V> void set(T &to, V value) {
    if constexpr (std::is_arithmetic_v<T>)
        to = static_cast<T>(value);
    else if constexpr (std::is_enum_v<T>)
        to = static_cast<T>(static_cast<long long>(value));
    else if constexpr (is_half<T>)
        to = __float2half(static_cast<float>(value));
    else if constexpr (is_bfloat<T>)
        to = __float2bfloat16(static_cast<float>(value));
    else if constexpr (is_vector<T>) {
        set(to.x, value);
        if constexpr (has_y<T>::value)
            set(to.y, value);
        if constexpr (has_z<T>::value)
            set(to.z, value);
        if constexpr (has_w<T>::value)
            set(to.w, value);
    }
}

template <class T> void print(const T &value) {
    if constexpr (std::is_same_v<T, bool>)
        printf("%s", value ? "true" : "false");
    else if constexpr (std::is_same_v<T, double>)
        printf(value > -1e15 && value < 1e15 && value == static_cast<long long>(value) ? "%.0f"
                                                                                       : "%.9g",
               value);
    else if constexpr (std::is_floating_point_v<T>)
        printf("%.9g", static_cast<double>(value));
    else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
        printf("%lld", static_cast<long long>(value));
    else if constexpr (std::is_integral_v<T>)
        printf("%llu", static_cast<unsigned long long>(value));
    else if constexpr (is_half<T>)
        printf("%.6g", static_cast<double>(__half2float(value)));
    else if constexpr (is_bfloat<T>)
        printf("%.6g", static_cast<double>(__bfloat162float(value)));
    else if constexpr (is_vector<T>) {
        printf("(");
        print(value.x);
        if constexpr (has_y<T>::value) {
            printf(", ");
            print(value.y);
        }
        if constexpr (has_z<T>::value) {
            printf(", ");
            print(value.z);
        }
        if constexpr (has_w<T>::value) {
            printf(", ");
            print(value.w);
        }
        printf(")");
    } else {
        for (size_t i = 0; i < sizeof(T); i++)
            printf("%02x", reinterpret_cast<const unsigned char *>(&value)[i]);
    }
}

template <class T> void print_value(const void *value) {
    print(*static_cast<const T *>(value));
}

inline long long random(unsigned long long seed, long long i) {
    unsigned long long z = seed + (static_cast<unsigned long long>(i) + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    z ^= z >> 31;
    return static_cast<long long>((z >> 32) * 100 >> 32);
}

/* ---- parameters ---- */

template <class... P> std::tuple<std::decay_t<P>...> parameters(void (*)(P...));
template <class... P> std::tuple<std::decay_t<P>...> parameters(int (*)(P...));

/* The address of an array in the device's memory, filled with fill(i). */
template <class P, class F> P make_array(const char *name, size_t count, F fill) {
    using element = std::remove_cv_t<std::remove_pointer_t<P>>;
    if constexpr (std::is_void_v<element>) {
        return make_array<float *>(name, count, fill);
    } else if constexpr (std::is_function_v<element>) {
        return nullptr;
    } else if constexpr (std::is_pointer_v<element>) {
        const element inner = make_array<element>(name, count, fill);
        element *outer = nullptr;
        const element all[64] = {inner, inner, inner, inner, inner, inner, inner, inner};
        check(cudaMalloc(reinterpret_cast<void **>(&outer), sizeof all), name);
        check(cudaMemcpy(outer, all, sizeof all, cudaMemcpyHostToDevice), name);
        return outer;
    } else {
        void *device = nullptr;
        element *host = static_cast<element *>(calloc(count ? count : 1, sizeof(element)));
        for (size_t i = 0; i < count; i++)
            set(host[i], fill(static_cast<long long>(i)));
        check(cudaMalloc(&device, (count ? count : 1) * sizeof(element)), name);
        check(cudaMemcpy(device, host, count * sizeof(element), cudaMemcpyHostToDevice), name);
        if (array_count < 64)
            arrays[array_count++] = {name,
                                     device,
                                     host,
                                     count,
                                     sizeof(element),
                                     nullptr,
                                     nullptr,
                                     print_value<element>,
                                     std::is_const_v<std::remove_pointer_t<P>>};
        return static_cast<P>(device);
    }
}

template <class P, class = void> struct is_tensor : std::false_type {};
template <class P>
struct is_tensor<P, std::void_t<typename P::shflviz_element>> : std::true_type {};

/* A parameter of type P: an array, a number, a torch tensor, or its default. */
template <class P, class F> P make(const char *name, size_t count, F fill) {
    if constexpr (std::is_pointer_v<P>) {
        return make_array<P>(name, count, fill);
    } else if constexpr (is_tensor<P>::value) {
        return P(make_array<typename P::shflviz_element *>(name, count, fill), count);
    } else {
        P value{};
        set(value, fill(0));
        return value;
    }
}

/* ---- results ---- */

#define SHFLVIZ_CALL_LINES  4
#define SHFLVIZ_CALL_VALUES 16
#define SHFLVIZ_CALL_GAP    4

inline bool is_undefined(const array &a, size_t i) {
    return a.varied && memcmp(a.after + i * a.size, a.varied + i * a.size, a.size) != 0;
}

inline void print_run(const array &a, size_t from, size_t to) {
    if (to - from == 1)
        printf("%s[%zu] =", a.name, from);
    else
        printf("%s[%zu..%zu] =", a.name, from, to - 1);
    for (size_t i = from; i < to && i < from + SHFLVIZ_CALL_VALUES; i++) {
        printf(" ");
        if (is_undefined(a, i))
            printf("?");
        else
            a.print(a.after + i * a.size);
    }
    printf(to - from > SHFLVIZ_CALL_VALUES ? " ...\n" : "\n");
}

inline void print_array(const array &a, bool tells) {
    const char *before = static_cast<const char *>(a.before);
    size_t lines = 0, changed = 0;
    const auto differs = [&](size_t i) {
        return memcmp(before + i * a.size, a.after + i * a.size, a.size) != 0 || is_undefined(a, i);
    };
    for (size_t i = 0; i < a.count; i++) {
        if (!differs(i))
            continue;
        size_t end = i + 1; /* a written value may equal the old one */
        for (size_t at = end; at < a.count && at < end + SHFLVIZ_CALL_GAP; at++)
            if (differs(at))
                end = at + 1;
        changed += end - i;
        if (lines++ < SHFLVIZ_CALL_LINES)
            print_run(a, i, end);
        i = end;
    }
    if (lines > SHFLVIZ_CALL_LINES)
        printf("%s: %zu values changed\n", a.name, changed);
    if (lines == 0 && tells)
        printf("%s: unchanged\n", a.name);
}

inline void copy_back(char *to) {
    check(cudaGetLastError(), "launch");
    check(cudaDeviceSynchronize(), "kernel");
    for (int i = 0; i < array_count && !errors; i++) {
        check(cudaMemcpy(to, arrays[i].device, arrays[i].count * arrays[i].size,
                         cudaMemcpyDeviceToHost),
              arrays[i].name);
        arrays[i].after = to;
        to += arrays[i].count * arrays[i].size;
    }
}

struct second_run {
    void (*body)();
    char *results;
};

inline void run_second(void *context) {
    const second_run *run = static_cast<const second_run *>(context);
    const int count = array_count;
    array_count = 0;
    run->body();
    copy_back(run->results);
    if (errors || array_count != count)
        _exit(1);
}

inline size_t bytes_of_arrays() {
    size_t bytes = 0;
    for (int i = 0; i < array_count; i++)
        bytes += arrays[i].count * arrays[i].size;
    return bytes;
}

inline void find_undefined(void (*body)()) {
    if (!shflviz_gave_undefined())
        return;
    const size_t bytes = bytes_of_arrays();
    void *shared =
        mmap(nullptr, bytes + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return;
    second_run run = {body, static_cast<char *>(shared)};
    if (!shflviz_run_varied(run_second, &run))
        return;
    for (int i = 0; i < array_count; i++) {
        arrays[i].varied = run.results;
        run.results += arrays[i].count * arrays[i].size;
    }
}

/* Makes the arrays, calls the kernel, and prints the changes. An unchanged array is mentioned
 * only if `tells` is set. */
inline int run(void (*body)(), bool tells) {
    body();
    copy_back(static_cast<char *>(malloc(bytes_of_arrays() + 1)));
    if (!errors)
        find_undefined(body);
    for (int i = 0; i < array_count && !errors; i++)
        if (!arrays[i].is_const)
            print_array(arrays[i], tells);
    return errors != 0;
}

/* ---- a __device__ function, called by every lane ---- */

template <class F> __device__ void call_in_lane(F call, double *result, unsigned thread) {
    using type = decltype(call());
    if constexpr (std::is_void_v<type>) {
        call();
    } else {
        const type value = call();
        if constexpr (std::is_convertible_v<type, double>)
            result[thread] = static_cast<double>(value);
        else
            result[thread] = 0;
    }
}

/* Replaces a template's operator: the sum of two values. */
struct sum {
    template <class A, class B> __host__ __device__ auto operator()(A a, B b) const {
        return a + b;
    }
};

} // namespace shflviz_call
