/*
 * exercise.cuh - the library for tests of exercises (docs/WRITING_EXERCISES.md).
 *
 * A test is CUDA C++ that declares what the learner is to write, and a function test() that tries
 * it: each case makes arrays of random values, launches once, states the expected results, and
 * compares.
 *
 *     __device__ int broadcast(int value);
 *
 *     __global__ void call(const int *in, int *out) {
 *         out[threadIdx.x] = broadcast(in[threadIdx.x]);
 *     }
 *
 *     void test(exercise::trial &t) {
 *         t.begin("32 lanes");
 *         auto in = t.integers(32, -99, 99);
 *         auto out = t.output<int>(32);
 *         call<<<1, 32>>>(in.gpu(), out.gpu());
 *         for (int lane = 0; lane < 32; lane++)
 *             out.want(lane, in[5]);
 *         t.compare(out, 32);
 *     }
 *
 * Values after the first wrong one are ignored. The verdict is written as lines into the file that
 * the first argument names, or to standard output; the second argument is the seed of all random
 * values.
 *
 * A judge that does not trust the answer starts the program twice, so that no line of the answer
 * runs in the process that makes the decision: with "run OUTPUTS" after the seed it launches, and
 * writes the outputs into that file; with "judge OUTPUTS" it launches nothing, reads the outputs
 * from the file, and compares.
 */
#ifndef SHFLVIZ_EXERCISE_CUH
#define SHFLVIZ_EXERCISE_CUH

#include <cuda_runtime.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From here on <<< >>> does nothing, on the CPU warp. Elsewhere the test is not judged
 * separately. */
extern "C" __attribute__((weak)) void cudacpu_skip_launches(void);

namespace exercise {

/* Values on the host, on the device, and the expected ones. Copies share the array, which lives
 * until the end of the program. */
template <typename T> class array {
  public:
    int count;
    double tolerance; /* relative; 0 for bitwise equality */

    array(int count_, bool is_input)
        : count(count_), tolerance(0), host((T *)calloc(count_ + 1, sizeof(T))),
          wanted((T *)calloc(count_ + 1, sizeof(T))), is_wanted((bool *)calloc(count_ + 1, 1)),
          device(nullptr), copied(is_input) {}

    T &operator[](int i) { return host[i]; }
    /* The expected final value of element i; elements without one may hold anything. */
    void want(int i, T value) {
        wanted[i] = value;
        is_wanted[i] = true;
    }
    /* The array in the device's memory, which ends where the array does, so that an access beyond
     * it is detected. The host's values are copied there, unless the array is an output, which has
     * no contents yet. */
    T *gpu() {
        if (!device)
            cudaMalloc((void **)&device, count * sizeof(T) + (count == 0));
        if (copied)
            cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice);
        return device;
    }

    /* ---- called by trial::compare() ---- */
    void fetch() { cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost); }
    int first_wrong() const {
        for (int i = 0; i < count; i++)
            if (is_wanted[i] && !is_right(i))
                return i;
        return -1;
    }
    /* Read the results from a file, and write them to it. */
    bool read(FILE *outputs) {
        unsigned long long bytes;
        return fscanf(outputs, "out\t%llu", &bytes) == 1 && fgetc(outputs) == '\n' &&
               bytes == count * sizeof(T) &&
               fread(host, sizeof(T), count, outputs) == (size_t)count;
    }
    void write(FILE *outputs) const {
        fprintf(outputs, "out\t%llu\n", (unsigned long long)(count * sizeof(T)));
        fwrite(host, sizeof(T), count, outputs);
        fflush(outputs);
    }
    T got_at(int i) const { return host[i]; }
    T wanted_at(int i) const { return wanted[i]; }

  private:
    T *host, *wanted;
    bool *is_wanted;
    T *device;
    bool copied;
    bool is_right(int i) const {
        if (tolerance == 0)
            return memcmp(&host[i], &wanted[i], sizeof(T)) == 0;
        const double got = (double)host[i], want = (double)wanted[i];
        return fabs(got - want) <= tolerance * (1 + fabs(want));
    }
};

inline void print(FILE *out, int value) {
    fprintf(out, "%d", value);
}
inline void print(FILE *out, unsigned value) {
    fprintf(out, "%u (0x%08x)", value, value);
}
inline void print(FILE *out, long long value) {
    fprintf(out, "%lld", value);
}
inline void print(FILE *out, unsigned long long value) {
    fprintf(out, "0x%016llx", value);
}
inline void print(FILE *out, float value) {
    fprintf(out, "%.9g", (double)value);
}
inline void print(FILE *out, double value) {
    fprintf(out, "%.17g", value);
}

enum role { ROLE_ALL, ROLE_RUN, ROLE_JUDGE };

class trial {
  public:
    trial(FILE *out_, unsigned long long seed, role role_ = ROLE_ALL, FILE *outputs_ = nullptr)
        : failed(false), out(out_), outputs(outputs_), as(role_),
          state(seed * 0x9e3779b97f4a7c15ull + 0x2545f4914f6cdd1dull) {}

    /* A case, described for the learner by what is special about it. It has one launch. */
    void begin(const char *format, ...) {
        char text[200];
        va_list arguments;
        if (failed)
            return;
        va_start(arguments, format);
        vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        fprintf(out, "case\t%s\n", text);
        fflush(out);
    }

    /* A random number, both ends included. */
    int number(int least, int most) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return least + (int)((state >> 20) % (unsigned long long)(most - least + 1));
    }
    array<int> integers(int count, int least, int most) {
        array<int> made(count, true);
        for (int i = 0; i < count; i++)
            made[i] = number(least, most);
        return made;
    }
    /* Between -1 and 1, with 20 bits. */
    array<float> floats(int count) {
        array<float> made(count, true);
        for (int i = 0; i < count; i++)
            made[i] = (float)number(-(1 << 20), 1 << 20) / (1 << 20);
        return made;
    }
    template <typename T> array<T> filled(int count, T value) {
        array<T> made(count, true);
        for (int i = 0; i < count; i++)
            made[i] = value;
        return made;
    }
    template <typename T> array<T> output(int count) { return array<T>(count, false); }

    /*
     * Waits for the launch, and compares its results with the expected ones. Element i belongs to
     * thread i * stride of the grid, in blocks of `threads`. `stride` is 1 if there is one element
     * per thread, 32 if one per warp, `threads` if one per block.
     */
    template <typename T> void compare(array<T> &values, int threads, int stride = 1) {
        if (failed || !take(values))
            return;
        const int i = values.first_wrong();
        if (i < 0)
            return;
        const long long thread = (long long)i * stride;
        fprintf(out, "wrong\t%lld\t%lld\t%lld\t%d\t", thread / threads, thread % threads / 32,
                thread % threads % 32, i);
        print(out, values.got_at(i));
        fputc('\t', out);
        print(out, values.wanted_at(i));
        fputc('\n', out);
        failed = true;
    }

    bool failed; /* a case has failed; later ones are ignored */

  private:
    FILE *out, *outputs;
    role as;
    unsigned long long state;

    /* Fetches the results of the launch. Returns false if this process does not compare, or there
     * are none. */
    template <typename T> bool take(array<T> &values) {
        if (as == ROLE_JUDGE) {
            failed = !values.read(outputs);
            if (failed)
                fputs("error\tthe run left no results of this case\n", out);
            return !failed;
        }
        const cudaError_t status = cudaDeviceSynchronize();
        if (status != cudaSuccess) {
            fprintf(out, "error\t%s\n", cudaGetErrorString(status));
            failed = true;
            return false;
        }
        values.fetch();
        if (as == ROLE_RUN)
            values.write(outputs);
        return as == ROLE_ALL;
    }
};

/* Does not wait for a pipe, and does not follow a link. */
inline FILE *open_outputs(const char *path, role as) {
    if (as == ROLE_RUN)
        return fopen(path, "w");
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    return descriptor < 0 ? nullptr : fdopen(descriptor, "r");
}

} // namespace exercise

void test(exercise::trial &t);

#ifndef SHFLVIZ_EXERCISE_HOST_SIDE /* else src/practice calls test() */
int main(int argc, char **argv) {
    FILE *out = argc > 1 ? fopen(argv[1], "w") : stdout;
    if (!out)
        return 2;
    const exercise::role as = argc <= 4                       ? exercise::ROLE_ALL
                              : strcmp(argv[3], "judge") == 0 ? exercise::ROLE_JUDGE
                                                              : exercise::ROLE_RUN;
    FILE *outputs = as == exercise::ROLE_ALL ? NULL : exercise::open_outputs(argv[4], as);
    if (as != exercise::ROLE_ALL && !outputs)
        return 2;
    if (as == exercise::ROLE_JUDGE) {
        if (!cudacpu_skip_launches)
            return 2;
        cudacpu_skip_launches();
    }
    exercise::trial t(out, argc > 2 ? strtoull(argv[2], NULL, 10) : 1, as, outputs);
    test(t);
    fputs("end\n", out);
    return fclose(out) == 0 && !t.failed ? 0 : 1;
}
#endif

#endif
