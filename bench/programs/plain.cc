/* plain.cc - the computations of programs.cu as plain loops on one core. */
#include "sizes.h"
#include <cmath>
#include <ctime>
#include <functional>
#include <vector>

static void product(const float *a, const float *b, float *c, int n) {
    for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[row * n + k] * b[k * n + column];
            c[row * n + column] = sum;
        }
}

static void tiled_product(const float *a, const float *b, float *c, int n) {
    memset(c, 0, sizeof(float) * n * n);
    for (int y = 0; y < n; y += TILE)
        for (int k = 0; k < n; k += TILE)
            for (int row = y; row < y + TILE; row++)
                for (int i = k; i < k + TILE; i++)
                    for (int column = 0; column < n; column++)
                        c[row * n + column] += a[row * n + i] * b[i * n + column];
}

static void nbody(const float *body, float *force) {
    for (int i = 0; i < BODIES; i++) {
        float x = 0, y = 0, z = 0;
        for (int j = 0; j < BODIES; j++) {
            float dx = body[4 * j] - body[4 * i], dy = body[4 * j + 1] - body[4 * i + 1],
                  dz = body[4 * j + 2] - body[4 * i + 2];
            float r = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float s = body[4 * j + 3] * r * r * r;
            x += dx * s;
            y += dy * s;
            z += dz * s;
        }
        force[4 * i] = x;
        force[4 * i + 1] = y;
        force[4 * i + 2] = z;
        force[4 * i + 3] = 0;
    }
}

static void softmax(const float *in, float *out) {
    for (int r = 0; r < ROWS; r++, in += ROW, out += ROW) {
        float most = -1e30f, sum = 0;
        for (int i = 0; i < ROW; i++)
            most = fmaxf(most, in[i]);
        for (int i = 0; i < ROW; i++)
            sum += out[i] = expf(in[i] - most);
        for (int i = 0; i < ROW; i++)
            out[i] /= sum;
    }
}

template <class T> static double added(const T *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

/* Processor seconds used by the process. */
static double processor() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void measure(const char *name, const std::function<void()> &work,
                    const std::function<double()> &sum) {
    double least = 1e9;
    for (int i = 0; i < 3; i++) {
        const double begin = processor();
        work();
        const double took = processor() - begin;
        least = took < least ? took : least;
    }
    printf("%s %.3f %.6g\n", name, least * 1e3, sum());
}

int main() {
    std::vector<float> va(ADD_N), vb(ADD_N), vc(ADD_N);
    std::vector<int> vin(SUM_N), vout(SUM_N);
    float *a = va.data(), *b = vb.data(), *c = vc.data();
    int *in = vin.data(), *out = vout.data();
    volatile int total = 0;
    fill(a, b, in);
    measure(
        "vector-add",
        [&] {
            for (int i = 0; i < ADD_N; i++)
                c[i] = a[i] + b[i];
        },
        [&] { return added(c, ADD_N); });
    auto matrix = [&] { return added(c, MATRIX_N * MATRIX_N); };
    measure(
        "matrix-product", [&] { product(a, b, c, MATRIX_N); }, matrix);
    measure(
        "tiled-product", [&] { tiled_product(a, b, c, MATRIX_N); }, matrix);
    measure(
        "histogram",
        [&] {
            memset(out, 0, 256 * sizeof *out);
            for (int i = 0; i < SUM_N; i++)
                out[in[i] & 255]++;
        },
        [&] { return (double)out[7] * out[200]; });
    measure(
        "scan",
        [&] {
            for (int i = 0; i < SUM_N; i++)
                out[i] = in[i] + (i % BLOCK ? out[i - 1] : 0);
        },
        [&] { return added(out, SUM_N); });
    measure(
        "n-body", [&] { nbody(a, c); }, [&] { return added(c, 4 * BODIES); });
    memset(c, 0, sizeof(float) * IMAGE_N * IMAGE_N);
    measure(
        "stencil",
        [&] {
            const int n = IMAGE_N;
            for (int y = 1; y < n - 1; y++)
                for (int x = 1; x < n - 1; x++)
                    c[y * n + x] = 0.2f * (a[y * n + x] + a[y * n + x - 1] + a[y * n + x + 1] +
                                           a[(y - 1) * n + x] + a[(y + 1) * n + x]);
        },
        [&] { return added(c, IMAGE_N * IMAGE_N); });
    measure(
        "softmax", [&] { softmax(a, c); }, [&] { return added(c, ROWS * ROW); });
    measure(
        "transpose",
        [&] {
            for (int y = 0; y < IMAGE_N; y++)
                for (int x = 0; x < IMAGE_N; x++)
                    c[x * IMAGE_N + y] = a[y * IMAGE_N + x];
        },
        [&] { return weighed(c, IMAGE_N * IMAGE_N); });
    measure(
        "reduce",
        [&] {
            int sum = 0;
            for (int i = 0; i < SUM_N; i++)
                sum += in[i];
            total = sum;
        },
        [&] { return (double)total; });
    return 0;
}
