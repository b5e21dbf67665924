/*
 * fft.c - cuFFT. All is calculated in double precision, one line of one dimension after the
 * other: by the prime factors of its length (Cooley and Tukey), or, where one of them is large, as
 * a convolution of a power of two (Bluestein).
 */
#include "cudacpu/libraries/library.h"

#include "base/memory.h"

#include <cufft.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define RANKS         3
#define PRIME_LARGEST 61 /* beyond it a convolution is quicker */
#define PI            3.14159265358979323846

struct number {
    double re, im;
};

static struct number times(struct number a, struct number b) {
    return (struct number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static struct number plus(struct number a, struct number b) {
    return (struct number){a.re + b.re, a.im + b.im};
}
static struct number root(double turns) {
    return (struct number){cos(2 * PI * turns), sin(2 * PI * turns)};
}

/* ---- one line ---- */

/* out[0 .. n) = transform of in[0], in[stride], ...; `unit` has the `all` roots of 1, of which
 * every (all / n)th counts. */
static void transform(const struct number *in, size_t stride, struct number *out, size_t n,
                      const struct number *unit, size_t all) {
    if (n == 1) {
        out[0] = in[0];
        return;
    }
    size_t prime = 2;
    while (n % prime)
        prime++;
    const size_t part = n / prime, step = all / n;
    for (size_t r = 0; r < prime; r++)
        transform(in + r * stride, stride * prime, out + r * part, part, unit, all);
    for (size_t k = 0; k < part; k++) {
        struct number each[PRIME_LARGEST];
        for (size_t r = 0; r < prime; r++)
            each[r] = times(out[r * part + k], unit[r * k * step]);
        for (size_t q = 0; q < prime; q++) {
            struct number sum = each[0];
            for (size_t r = 1; r < prime; r++)
                sum = plus(sum, prime == 2 ? (struct number){q ? -each[1].re : each[1].re,
                                                             q ? -each[1].im : each[1].im}
                                           : times(each[r], unit[r * q % prime * (all / prime)]));
            out[k + q * part] = sum;
        }
    }
}

static struct number *units(size_t n, int direction) {
    struct number *unit = memory_zeroed(n, sizeof *unit);
    for (size_t i = 0; i < n; i++)
        unit[i] = root(direction * (double)i / (double)n);
    return unit;
}

static bool has_large_prime(size_t n) {
    for (size_t prime = 2; prime <= PRIME_LARGEST; prime++)
        while (n % prime == 0)
            n /= prime;
    return n > 1;
}

/* What lines of one length and direction have in common. */
struct line {
    size_t n;
    struct number *unit;  /* n roots, or those of the convolution's length */
    struct number *chirp; /* NULL: by factors. exp(i pi direction j^2 / n) */
    struct number *back;  /* roots of the convolution's length, the other way */
    struct number *kernel;
    size_t padded;
    struct number *work[2];
};

static void line_make(struct line *line, size_t n, int direction) {
    *line = (struct line){.n = n, .padded = n};
    if (has_large_prime(n)) {
        for (line->padded = 1; line->padded < 2 * n;)
            line->padded *= 2;
        line->chirp = memory_zeroed(n, sizeof(struct number));
        line->kernel = memory_zeroed(line->padded, sizeof(struct number));
        struct number *mirrored = memory_zeroed(line->padded, sizeof(struct number));
        for (size_t j = 0; j < n; j++) {
            line->chirp[j] = root(direction * (double)(j * j % (2 * n)) / (double)(2 * n));
            mirrored[j] = (struct number){line->chirp[j].re, -line->chirp[j].im};
            if (j)
                mirrored[line->padded - j] = mirrored[j];
        }
        line->unit = units(line->padded, -1);
        line->back = units(line->padded, 1);
        transform(mirrored, 1, line->kernel, line->padded, line->unit, line->padded);
        free(mirrored);
    } else {
        line->unit = units(n, direction);
    }
    for (int i = 0; i < 2; i++)
        line->work[i] = memory_zeroed(line->padded, sizeof(struct number));
}

static void line_release(struct line *line) {
    free(line->unit);
    free(line->chirp);
    free(line->back);
    free(line->kernel);
    free(line->work[0]);
    free(line->work[1]);
}

static void line_run(struct line *line, struct number *data, size_t stride) {
    struct number *a = line->work[0], *b = line->work[1];
    const size_t n = line->n, padded = line->padded;
    if (!line->chirp) {
        for (size_t i = 0; i < n; i++)
            a[i] = data[i * stride];
        transform(a, 1, b, n, line->unit, n);
    } else {
        memset(a, 0, padded * sizeof *a);
        for (size_t i = 0; i < n; i++)
            a[i] = times(data[i * stride], line->chirp[i]);
        transform(a, 1, b, padded, line->unit, padded);
        for (size_t i = 0; i < padded; i++)
            a[i] = times(b[i], line->kernel[i]);
        transform(a, 1, b, padded, line->back, padded);
        for (size_t i = 0; i < n; i++) {
            const struct number whole = times(b[i], line->chirp[i]);
            b[i] = (struct number){whole.re / (double)padded, whole.im / (double)padded};
        }
    }
    for (size_t i = 0; i < n; i++)
        data[i * stride] = b[i];
}

/* ---- plans ---- */

struct layout {
    bool given; /* else as cuFFT lays data out by itself */
    size_t embed[RANKS], stride, distance;
};

struct plan {
    bool used, made;
    cufftType type;
    int rank;
    size_t n[RANKS], batch;
    struct layout in, out;
    cudaStream_t stream;
};

static struct plan *plans;
static int plan_count;
static pthread_mutex_t plan_mutex = PTHREAD_MUTEX_INITIALIZER;

static bool plan_get(cufftHandle handle, struct plan *plan) {
    pthread_mutex_lock(&plan_mutex);
    const bool found = handle > 0 && handle <= plan_count && plans[handle - 1].used;
    if (found)
        *plan = plans[handle - 1];
    pthread_mutex_unlock(&plan_mutex);
    return found;
}

static void plan_put(cufftHandle handle, const struct plan *plan) {
    pthread_mutex_lock(&plan_mutex);
    plans[handle - 1] = *plan;
    pthread_mutex_unlock(&plan_mutex);
}

cufftResult cufftCreate(cufftHandle *handle) {
    if (!handle)
        return CUFFT_INVALID_VALUE;
    pthread_mutex_lock(&plan_mutex);
    int at = 0;
    while (at < plan_count && plans[at].used)
        at++;
    if (at == plan_count) {
        plans = memory_grow(plans, (size_t)(plan_count + 1), sizeof *plans);
        plan_count++;
    }
    plans[at] = (struct plan){.used = true};
    *handle = at + 1;
    pthread_mutex_unlock(&plan_mutex);
    return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle handle) {
    struct plan plan;
    if (!plan_get(handle, &plan))
        return CUFFT_INVALID_PLAN;
    plan.used = false;
    plan_put(handle, &plan);
    return CUFFT_SUCCESS;
}

static struct layout layout_of(int rank, const int *embed, int stride, int distance) {
    struct layout layout = {.given = embed != NULL};
    for (int i = 0; embed && i < rank; i++)
        layout.embed[i] = (size_t)embed[i];
    layout.stride = (size_t)stride;
    layout.distance = (size_t)distance;
    return layout;
}

static bool is_type(cufftType type) {
    return type == CUFFT_C2C || type == CUFFT_R2C || type == CUFFT_C2R || type == CUFFT_Z2Z ||
           type == CUFFT_D2Z || type == CUFFT_Z2D;
}
static bool is_layout(const int *embed, int stride, int distance) {
    return !embed || (stride >= 1 && distance >= 0);
}

cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int *n, int *inembed, int istride,
                              int idist, int *onembed, int ostride, int odist, cufftType type,
                              int batch, size_t *size) {
    struct plan plan;
    if (!plan_get(handle, &plan) || plan.made)
        return CUFFT_INVALID_PLAN;
    if (!is_type(type))
        return CUFFT_INVALID_TYPE;
    if (batch < 1)
        return CUFFT_INVALID_SIZE;
    if (rank < 1 || rank > RANKS || !n || !is_layout(inembed, istride, idist) ||
        !is_layout(onembed, ostride, odist))
        return CUFFT_INVALID_VALUE;
    for (int i = 0; i < rank; i++) {
        if (n[i] < 1)
            return CUFFT_INVALID_SIZE;
        plan.n[i] = (size_t)n[i];
    }
    plan.made = true;
    plan.type = type;
    plan.rank = rank;
    plan.batch = (size_t)batch;
    /* Without either cuFFT takes no notice of strides and distances. */
    const bool given = inembed && onembed;
    plan.in = layout_of(rank, given ? inembed : NULL, istride, idist);
    plan.out = layout_of(rank, given ? onembed : NULL, ostride, odist);
    plan_put(handle, &plan);
    if (size)
        *size = 0;
    return CUFFT_SUCCESS;
}

cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t *size) {
    return cufftMakePlanMany(plan, 1, &nx, NULL, 1, 0, NULL, 1, 0, type, batch, size);
}
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *size) {
    int n[] = {nx, ny};
    return cufftMakePlanMany(plan, 2, n, NULL, 1, 0, NULL, 1, 0, type, 1, size);
}
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                            size_t *size) {
    int n[] = {nx, ny, nz};
    return cufftMakePlanMany(plan, 3, n, NULL, 1, 0, NULL, 1, 0, type, 1, size);
}

cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed, int istride, int idist,
                          int *onembed, int ostride, int odist, cufftType type, int batch) {
    cufftResult result = cufftCreate(plan);
    if (result == CUFFT_SUCCESS)
        result = cufftMakePlanMany(*plan, rank, n, inembed, istride, idist, onembed, ostride, odist,
                                   type, batch, NULL);
    if (result != CUFFT_SUCCESS && plan)
        cufftDestroy(*plan);
    return result;
}
cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch) {
    return cufftPlanMany(plan, 1, &nx, NULL, 1, 0, NULL, 1, 0, type, batch);
}
cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type) {
    int n[] = {nx, ny};
    return cufftPlanMany(plan, 2, n, NULL, 1, 0, NULL, 1, 0, type, 1);
}
cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type) {
    int n[] = {nx, ny, nz};
    return cufftPlanMany(plan, 3, n, NULL, 1, 0, NULL, 1, 0, type, 1);
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
    struct plan plan;
    if (!plan_get(handle, &plan))
        return CUFFT_INVALID_PLAN;
    plan.stream = stream;
    plan_put(handle, &plan);
    return CUFFT_SUCCESS;
}

/* No memory of the device is needed to work in. */
cufftResult cufftGetSize(cufftHandle handle, size_t *size) {
    struct plan plan;
    if (!plan_get(handle, &plan) || !size)
        return size ? CUFFT_INVALID_PLAN : CUFFT_INVALID_VALUE;
    *size = 0;
    return CUFFT_SUCCESS;
}
cufftResult cufftSetAutoAllocation(cufftHandle handle, int automatic) {
    struct plan plan;
    (void)automatic;
    return plan_get(handle, &plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftSetWorkArea(cufftHandle handle, void *area) {
    struct plan plan;
    (void)area;
    return plan_get(handle, &plan) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}
cufftResult cufftGetVersion(int *version) {
    if (!version)
        return CUFFT_INVALID_VALUE;
    *version = CUFFT_VERSION;
    return CUFFT_SUCCESS;
}
cufftResult cufftGetProperty(libraryPropertyType type, int *value) {
    static const int values[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
    if (!value || (unsigned)type > PATCH_LEVEL)
        return CUFFT_INVALID_VALUE;
    *value = values[type];
    return CUFFT_SUCCESS;
}

/* ---- running ---- */

struct fft_job {
    struct plan plan;
    int direction;
    void *in, *out;
};

/* Data of one side of a transform: how long its last dimension is, and where each element is. */
struct side {
    char *data;
    bool is_real, is_double;
    size_t last; /* elements of the last dimension that are there */
    struct layout layout;
};

static struct side side_of(const struct fft_job *job, bool input) {
    const struct plan *plan = &job->plan;
    const cufftType type = plan->type;
    const bool forward_real = type == CUFFT_R2C || type == CUFFT_D2Z;
    const bool backward_real = type == CUFFT_C2R || type == CUFFT_Z2D;
    const size_t last = plan->n[plan->rank - 1];
    struct side side = {.data = input ? job->in : job->out,
                        .is_real = input ? forward_real : backward_real,
                        .is_double = type >= CUFFT_Z2Z,
                        .layout = input ? plan->in : plan->out};
    side.last = !side.is_real && (forward_real || backward_real) ? last / 2 + 1 : last;
    if (!side.layout.given) { /* in place, a line of real numbers has room for its complex ones */
        const bool padded = side.is_real && job->in == job->out;
        side.layout.stride = 1;
        size_t all = 1;
        for (int i = 0; i < plan->rank; i++) {
            side.layout.embed[i] = i < plan->rank - 1 ? plan->n[i]
                                   : padded           ? 2 * (last / 2 + 1)
                                                      : side.last;
            all *= side.layout.embed[i];
        }
        side.layout.distance = all;
    }
    return side;
}

/* Element (i, j, k) of a batch; dimensions that are not there come first and are 0. */
static char *element(const struct side *side, int rank, const size_t at[RANKS], size_t batch) {
    size_t index = 0;
    for (int d = 0; d < rank; d++)
        index = index * (d ? side->layout.embed[d] : 1) + at[d];
    const size_t size = (side->is_double ? 8 : 4) * (side->is_real ? 1 : 2);
    return side->data + (index * side->layout.stride + batch * side->layout.distance) * size;
}

static struct number get(const struct side *side, const char *from) {
    struct number x = {0, 0};
    if (side->is_double) {
        x.re = ((const double *)(const void *)from)[0];
        x.im = side->is_real ? 0 : ((const double *)(const void *)from)[1];
    } else {
        x.re = ((const float *)(const void *)from)[0];
        x.im = side->is_real ? 0 : ((const float *)(const void *)from)[1];
    }
    return x;
}

static void put(const struct side *side, char *to, struct number x) {
    const float single[2] = {(float)x.re, (float)x.im};
    const size_t parts = side->is_real ? 1 : 2;
    const size_t bytes = parts * (side->is_double ? sizeof(double) : sizeof(float));
    memcpy(to, side->is_double ? (const void *)&x : single, bytes);
    library_written(to, bytes);
}

/* The next index of all; false behind the last. */
static bool advance(size_t at[RANKS], const struct plan *plan, size_t last) {
    for (int d = plan->rank - 1; d >= 0; d--) {
        if (++at[d] < (d == plan->rank - 1 ? last : plan->n[d]))
            return true;
        at[d] = 0;
    }
    return false;
}

static size_t place(const struct plan *plan, const size_t at[RANKS]) {
    size_t index = 0;
    for (int d = 0; d < plan->rank; d++)
        index = index * plan->n[d] + at[d];
    return index;
}

/* Where only the first half of the last dimension is given the rest mirrors it: X[-k] is X[k]
 * conjugated. */
static void load(const struct plan *plan, const struct side *in, struct number *data,
                 size_t batch) {
    const size_t n = plan->n[plan->rank - 1];
    size_t at[RANKS] = {0};
    do {
        const struct number x = get(in, element(in, plan->rank, at, batch));
        data[place(plan, at)] = x;
        const size_t k = at[plan->rank - 1];
        if (k > 0 && n - k >= in->last) {
            size_t other[RANKS];
            for (int d = 0; d < plan->rank; d++)
                other[d] = at[d] ? plan->n[d] - at[d] : 0;
            data[place(plan, other)] = (struct number){x.re, -x.im};
        }
    } while (advance(at, plan, in->last));
}

static void transform_now(void *context) {
    const struct fft_job *job = context;
    const struct plan *plan = &job->plan;
    const struct side in = side_of(job, true), out = side_of(job, false);
    struct line lines[RANKS];
    size_t all = 1;
    for (int d = 0; d < plan->rank; d++) {
        all *= plan->n[d];
        line_make(&lines[d], plan->n[d], job->direction);
    }
    struct number *data = memory_zeroed(all, sizeof *data);
    for (size_t batch = 0; batch < plan->batch; batch++) {
        load(plan, &in, data, batch);
        size_t stride = 1;
        for (int d = plan->rank - 1; d >= 0; stride *= plan->n[d--])
            for (size_t i = 0; i < all; i++)
                if (i / stride % plan->n[d] == 0)
                    line_run(&lines[d], data + i, stride);
        size_t at[RANKS] = {0};
        do
            put(&out, element(&out, plan->rank, at, batch), data[place(plan, at)]);
        while (advance(at, plan, out.last));
    }
    free(data);
    for (int d = 0; d < plan->rank; d++)
        line_release(&lines[d]);
}

static cufftResult execute(cufftHandle handle, cufftType type, void *in, void *out, int direction) {
    struct fft_job job = {.direction = direction, .in = in, .out = out};
    if (!plan_get(handle, &job.plan) || !job.plan.made)
        return CUFFT_INVALID_PLAN;
    if (job.plan.type != type)
        return CUFFT_INVALID_TYPE;
    if (!in || !out || (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE))
        return CUFFT_INVALID_VALUE;
    return library_do(job.plan.stream, transform_now, &job, sizeof job) == cudaSuccess
               ? CUFFT_SUCCESS
               : CUFFT_EXEC_FAILED;
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction) {
    return execute(plan, CUFFT_C2C, in, out, direction);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out) {
    return execute(plan, CUFFT_R2C, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out) {
    return execute(plan, CUFFT_C2R, in, out, CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out,
                         int direction) {
    return execute(plan, CUFFT_Z2Z, in, out, direction);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out) {
    return execute(plan, CUFFT_D2Z, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out) {
    return execute(plan, CUFFT_Z2D, in, out, CUFFT_INVERSE);
}
