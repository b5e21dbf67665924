// cuBLAS in both precisions: each function on numbers small enough to be checked by hand, forwards
// and backwards, with no elements, and with invalid arguments.
#include <cstdio>
#include <cublas_v2.h>
#include <cuda_bf16.h>

static int calls;
static void must(int line, bool is_so) {
    calls++;
    if (!is_so)
        printf("line %d is not so\n", line);
}
#define IS(what)        must(__LINE__, what)
#define OK(call)        IS((call) == CUBLAS_STATUS_SUCCESS)
#define INVALID(call)   IS((call) == CUBLAS_STATUS_INVALID_VALUE)
#define NO_HANDLE(call) IS((call) == CUBLAS_STATUS_NOT_INITIALIZED)

template <class T> struct Blas;
#define TYPE(T, S, s)                                                                              \
    template <> struct Blas<T> {                                                                   \
        static constexpr auto amax = cublasI##s##amax;                                             \
        static constexpr auto amin = cublasI##s##amin;                                             \
        static constexpr auto asum = cublas##S##asum;                                              \
        static constexpr auto nrm2 = cublas##S##nrm2;                                              \
        static constexpr auto dot = cublas##S##dot;                                                \
        static constexpr auto axpy = cublas##S##axpy;                                              \
        static constexpr auto copy = cublas##S##copy;                                              \
        static constexpr auto swap = cublas##S##swap;                                              \
        static constexpr auto scal = cublas##S##scal;                                              \
        static constexpr auto gemv = cublas##S##gemv;                                              \
        static constexpr auto ger = cublas##S##ger;                                                \
        static constexpr auto gemm = cublas##S##gemm;                                              \
        static constexpr auto batched = cublas##S##gemmBatched;                                    \
        static constexpr auto strided = cublas##S##gemmStridedBatched;                             \
        static constexpr auto geam = cublas##S##geam;                                              \
        static constexpr auto syrk = cublas##S##syrk;                                              \
        static constexpr auto trsm = cublas##S##trsm;                                              \
        static constexpr auto dgmm = cublas##S##dgmm;                                              \
    };
TYPE(float, S, s)
TYPE(double, D, d)

template <class T> static T *managed(const T (&values)[6]) {
    T *memory;
    cudaMallocManaged(&memory, sizeof values);
    for (int i = 0; i < 6; i++)
        memory[i] = values[i];
    return memory;
}
template <class T> static bool are(const T *values, T a, T b, T c, T d) {
    cudaDeviceSynchronize();
    return values[0] == a && values[1] == b && values[2] == c && values[3] == d;
}

template <class T> static void vectors(cublasHandle_t h) {
    using B = Blas<T>;
    T *x = managed<T>({3, -4, 0, 1, -5, 2}), *y = managed<T>({1, 1, 2, 2, 3, 3}), sum;
    const T two = 2;
    int at;
    OK(B::amax(h, 6, x, 1, &at));
    IS(at == 5);
    OK(B::amax(h, 3, x, 2, &at)); // 3 0 -5
    IS(at == 3);
    OK(B::amin(h, 6, x, 1, &at));
    IS(at == 3);
    OK(B::amin(h, 2, x, 1, &at));
    IS(at == 1);
    OK(B::amax(h, 0, x, 1, &at));
    IS(at == 0);
    OK(B::asum(h, 6, x, 1, &sum));
    IS(sum == 15);
    OK(B::asum(h, 0, x, 1, &sum));
    IS(sum == 0);
    OK(B::nrm2(h, 2, x, 1, &sum)); // 3, -4
    IS(sum == 5);
    OK(B::nrm2(h, 1, x + 2, 1, &sum));
    IS(sum == 0);
    OK(B::dot(h, 3, x, 1, y, 2, &sum)); // 3*1 - 4*2 + 0*3
    IS(sum == -5);
    OK(B::dot(h, 3, x, -1, y, 1, &sum)); // 0*1 - 4*1 + 3*2
    IS(sum == 2);
    OK(B::axpy(h, 2, &two, x, 1, y, 1));
    IS(are<T>(y, 7, -7, 2, 2));
    OK(B::scal(h, 2, &two, y, 3)); // the first and the fourth
    IS(are<T>(y, 14, -7, 2, 4));
    OK(B::copy(h, 2, x, 1, y + 2, -1));
    IS(are<T>(y, 14, -7, -4, 3));
    OK(B::swap(h, 2, x, 1, y, 1));
    IS(are<T>(x, 14, -7, 0, 1) && are<T>(y, 3, -4, -4, 3));
    OK(B::swap(h, 0, x, 1, y, 1));
    // The scalar may also be in device memory.
    OK(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
    OK(B::axpy(h, 1, y, x, 1, y + 3, 1)); // 3 + 3 * 14
    IS(are<T>(y, 3, -4, -4, 45));
    OK(B::scal(h, 0, y, x, 1));
    OK(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
    // With a step of 0 there are no values, as on an H200 (CUDA 13.0).
    at = -1;
    OK(B::amax(h, 6, x, 0, &at));
    IS(at == 0);
    at = -1;
    OK(B::amin(h, 6, x, -1, &at));
    IS(at == 0);
    sum = -1;
    OK(B::asum(h, 6, x, 0, &sum));
    IS(sum == 0);
    sum = -1;
    OK(B::nrm2(h, 6, x, -1, &sum));
    IS(sum == 0);
    INVALID(B::amax(h, 6, x, 1, nullptr));
    INVALID(B::amin(h, 6, x, 1, nullptr));
    INVALID(B::asum(h, 6, x, 1, nullptr));
    INVALID(B::nrm2(h, 6, x, 1, nullptr));
    IS(B::dot(h, 6, x, 1, y, 1, nullptr) == CUBLAS_STATUS_MAPPING_ERROR);
    INVALID(B::axpy(h, 6, nullptr, x, 1, y, 1));
    INVALID(B::scal(h, 6, nullptr, x, 1));
    NO_HANDLE(B::copy(nullptr, 6, x, 1, y, 1));
}

template <class T> static void matrices(cublasHandle_t h) {
    using B = Blas<T>;
    const cublasOperation_t N = CUBLAS_OP_N, Tr = CUBLAS_OP_T;
    // Column-major: A is 1 3 / 2 4, b is 5 7 / 6 8.
    T *a = managed<T>({1, 2, 3, 4, 0, 0}), *b = managed<T>({5, 6, 7, 8, 0, 0});
    T *c = managed<T>({0, 0, 0, 0, 0, 0}), *x = managed<T>({1, 10, 0, 0, 0, 0});
    const T one = 1, zero = 0, two = 2;
    OK(B::gemv(h, N, 2, 2, &one, a, 2, x, 1, &zero, c, 1));
    IS(are<T>(c, 31, 42, 0, 0));
    OK(B::gemv(h, Tr, 2, 2, &one, a, 2, x, 1, &one, c, 2)); // + 21, 43
    IS(are<T>(c, 52, 42, 43, 0));
    OK(B::ger(h, 2, 2, &two, x, 1, x, 1, c, 2)); // + 2 20 / 20 200
    IS(are<T>(c, 54, 62, 63, 200));
    OK(B::gemm(h, N, N, 2, 2, 2, &one, a, 2, b, 2, &zero, c, 2));
    IS(are<T>(c, 23, 34, 31, 46));
    OK(B::gemm(h, Tr, N, 2, 2, 2, &one, a, 2, b, 2, &one, c, 2)); // + 17 39 23 53
    IS(are<T>(c, 40, 73, 54, 99));
    OK(B::gemm(h, N, Tr, 2, 2, 2, &one, a, 2, b, 2, &zero, c, 2));
    IS(are<T>(c, 26, 38, 30, 44));
    OK(B::gemm(h, N, N, 2, 2, 2, &zero, a, 2, b, 2, &two, c, 2));
    IS(are<T>(c, 52, 76, 60, 88));
    T **list;
    cudaMallocManaged(&list, 3 * sizeof *list);
    list[0] = a, list[1] = b, list[2] = c;
    OK(B::batched(h, N, N, 2, 2, 2, &one, list, 2, list + 1, 2, &zero, list + 2, 2, 1));
    IS(are<T>(c, 23, 34, 31, 46));
    OK(B::strided(h, N, N, 1, 1, 2, &one, a, 1, 2, b, 2, 2, &zero, c, 1, 1, 2));
    IS(are<T>(c, 17, 53, 31, 46)); // 1*5 + 2*6, 3*7 + 4*8
    OK(B::geam(h, N, N, 2, 2, &one, a, 2, &two, b, 2, c, 2));
    IS(are<T>(c, 11, 14, 17, 20));
    OK(B::geam(h, Tr, N, 2, 2, &one, a, 2, &zero, b, 2, c, 2));
    IS(are<T>(c, 1, 3, 2, 4));
    OK(B::geam(h, N, Tr, 2, 2, &zero, a, 2, &one, b, 2, c, 2));
    IS(are<T>(c, 5, 7, 6, 8));
    for (cublasFillMode_t half : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
        const bool upper = half == CUBLAS_FILL_MODE_UPPER;
        for (int i = 0; i < 4; i++)
            c[i] = -1;
        OK(B::syrk(h, half, N, 2, 2, &one, a, 2, &zero, c, 2)); // 10 14 / 14 20
        IS(are<T>(c, 10, upper ? -1 : 14, upper ? 14 : -1, 20));
        OK(B::syrk(h, half, Tr, 2, 2, &one, a, 2, &zero, c, 2)); // 5 11 / 11 25
        IS(are<T>(c, 5, upper ? -1 : 11, upper ? 11 : -1, 25));
        // The triangle of A is 1 0 / 2 4 or 1 3 / 0 4; the solution is 1 2 / 3 4.
        for (cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT})
            for (cublasOperation_t how : {N, Tr})
                for (cublasDiagType_t diagonal : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT}) {
                    const bool unit = diagonal == CUBLAS_DIAG_UNIT;
                    T t[2][2] = {{1, upper ? (T)3 : 0}, {upper ? 0 : (T)2, unit ? (T)1 : 4}};
                    const T wanted[2][2] = {{1, 2}, {3, 4}};
                    if (how == Tr) {
                        const T kept = t[0][1];
                        t[0][1] = t[1][0], t[1][0] = kept;
                    }
                    for (int i = 0; i < 2; i++)
                        for (int j = 0; j < 2; j++) {
                            c[i + 2 * j] = 0;
                            for (int k = 0; k < 2; k++)
                                c[i + 2 * j] += side == CUBLAS_SIDE_LEFT ? t[i][k] * wanted[k][j]
                                                                         : wanted[i][k] * t[k][j];
                        }
                    OK(B::trsm(h, side, half, how, diagonal, 2, 2, &one, a, 2, c, 2));
                    IS(are<T>(c, 1, 3, 2, 4));
                }
    }
    OK(B::dgmm(h, CUBLAS_SIDE_LEFT, 2, 2, a, 2, x, 1, c, 2));
    IS(are<T>(c, 1, 20, 3, 40));
    OK(B::dgmm(h, CUBLAS_SIDE_RIGHT, 2, 2, a, 2, x, 1, c, 2));
    IS(are<T>(c, 1, 2, 30, 40));
    OK(B::gemm(h, N, N, 0, 0, 0, &one, a, 1, b, 1, &zero, c, 1));
    IS(are<T>(c, 1, 2, 30, 40));
    for (int bad = 0; bad < 4;
         bad++) { // a negative number of rows or columns; too short a column; no scalar
        const int m = bad == 0 ? -1 : 2, n = bad == 1 ? -1 : 2, ld = bad == 2 ? 1 : 2;
        const T *alpha = bad == 3 ? nullptr : &one;
        INVALID(B::gemv(h, N, m, n, alpha, a, ld, x, 1, &zero, c, 1));
        INVALID(B::ger(h, m, n, alpha, x, 1, x, 1, c, ld));
        INVALID(B::gemm(h, N, N, m, n, 2, alpha, a, ld, b, 2, &zero, c, 2));
        INVALID(B::batched(h, N, N, m, n, 2, alpha, list, ld, list, 2, &zero, list, 2, 1));
        INVALID(B::geam(h, N, N, m, n, alpha, a, ld, &one, b, 2, c, 2));
        INVALID(B::trsm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, N, CUBLAS_DIAG_UNIT, m, n,
                        alpha, a, ld, c, 2));
        if (bad != 3)
            INVALID(B::dgmm(h, CUBLAS_SIDE_LEFT, m, n, a, ld, x, 1, c, 2));
        if (bad != 0)
            INVALID(B::syrk(h, CUBLAS_FILL_MODE_LOWER, N, n, bad == 1 ? 2 : m, alpha, a, ld, &zero,
                            c, 2));
    }
    INVALID(B::gemv(h, N, 2, 2, &one, a, 2, x, 0, &zero, c, 1));
    INVALID(B::gemv(h, N, 2, 2, &one, a, 2, x, 1, &zero, c, 0));
    INVALID(B::gemv(h, N, 2, 2, &one, a, 2, x, 1, nullptr, c, 1));
    INVALID(B::ger(h, 2, 2, &one, x, 0, x, 1, c, 2));
    INVALID(B::ger(h, 2, 2, &one, x, 1, x, 0, c, 2));
    INVALID(B::gemm(h, N, N, 2, 2, -1, &one, a, 2, b, 2, &zero, c, 2));
    INVALID(B::gemm(h, N, N, 2, 2, 2, &one, a, 2, b, 1, &zero, c, 2));
    INVALID(B::gemm(h, N, N, 2, 2, 2, &one, a, 2, b, 2, &zero, c, 1));
    INVALID(B::gemm(h, N, N, 2, 2, 2, &one, a, 2, b, 2, nullptr, c, 2));
    INVALID(B::strided(h, N, N, 2, 2, 2, &one, a, 2, 0, b, 2, 0, &zero, c, 2, 0, -1));
    INVALID(B::geam(h, N, N, 2, 2, &one, a, 2, nullptr, b, 2, c, 2));
    INVALID(B::geam(h, N, N, 2, 2, &one, a, 2, &one, b, 1, c, 2));
    INVALID(B::geam(h, N, N, 2, 2, &one, a, 2, &one, b, 2, c, 1));
    INVALID(B::trsm(h, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, N, CUBLAS_DIAG_UNIT, 2, 2, &one,
                    a, 2, c, 1));
    INVALID(B::dgmm(h, CUBLAS_SIDE_LEFT, 2, 2, a, 2, x, 1, c, 1));
    INVALID(B::syrk(h, CUBLAS_FILL_MODE_LOWER, N, 2, 2, &one, a, 2, nullptr, c, 2));
    INVALID(B::syrk(h, CUBLAS_FILL_MODE_LOWER, N, 2, 2, &one, a, 2, &one, c, 1));
}

template <class T>
static void widths(cublasHandle_t h, cudaDataType type, cublasComputeType_t how) {
    T *a, *c;
    const double one = 1, zero = 0;
    const float single = 1, none = 0;
    const bool wide = how == CUBLAS_COMPUTE_64F;
    cudaMallocManaged(&a, 4 * sizeof(T));
    cudaMallocManaged(&c, 4 * sizeof(T));
    for (int i = 0; i < 4; i++)
        a[i] = (T)(float)(i + 1);
    for (cublasOperation_t turn : {CUBLAS_OP_N, CUBLAS_OP_T}) {
        OK(cublasGemmEx(h, turn, turn, 2, 2, 2, wide ? (const void *)&one : &single, a, type, 2, a,
                        type, 2, wide ? (const void *)&zero : &none, c, type, 2, how,
                        CUBLAS_GEMM_DEFAULT));
        cudaDeviceSynchronize(); // 1 3 / 2 4 times itself is 7 15 / 10 22, and so is the transpose
        const bool turned = turn == CUBLAS_OP_T;
        IS((float)c[0] == 7 && (float)c[1] == (turned ? 15 : 10) &&
           (float)c[2] == (turned ? 10 : 15) && (float)c[3] == 22);
    }
    INVALID(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, nullptr, a, type, 2, a, type, 2,
                         &one, c, type, 2, how, CUBLAS_GEMM_DEFAULT));
    IS(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, CUDA_R_8I, 2, a, type, 2, &one,
                    c, type, 2, how, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
}

static void handles(cublasHandle_t h) {
    cudaStream_t stream, back = nullptr;
    cublasPointerMode_t pointers;
    cublasMath_t math;
    cublasHandle_t gone;
    int value, host[4] = {1, 2, 3, 4}, *memory;
    cudaMalloc(&memory, sizeof host);
    cudaStreamCreate(&stream);
    OK(cublasSetStream(h, stream));
    OK(cublasGetStream(h, &back));
    IS(back == stream);
    INVALID(cublasGetStream(h, nullptr));
    OK(cublasGetPointerMode(h, &pointers));
    IS(pointers == CUBLAS_POINTER_MODE_HOST);
    INVALID(cublasGetPointerMode(h, nullptr));
    OK(cublasSetMathMode(h, CUBLAS_PEDANTIC_MATH));
    OK(cublasGetMathMode(h, &math));
    IS(math == CUBLAS_PEDANTIC_MATH);
    INVALID(cublasGetMathMode(h, nullptr));
    OK(cublasSetWorkspace(h, memory, 16));
    OK(cublasSetAtomicsMode(h, CUBLAS_ATOMICS_ALLOWED));
    OK(cublasGetVersion(h, &value));
    IS(value == CUBLAS_VERSION);
    INVALID(cublasGetVersion(h, nullptr));
    const int parts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
    for (int i = 0; i < 3; i++) {
        OK(cublasGetProperty((libraryPropertyType)i, &value));
        IS(value == parts[i]);
    }
    INVALID(cublasGetProperty((libraryPropertyType)3, &value));
    INVALID(cublasGetProperty(MAJOR_VERSION, nullptr));
    INVALID(cublasSetVector(-1, 4, host, 1, memory, 1));
    INVALID(cublasSetVector(4, 0, host, 1, memory, 1));
    INVALID(cublasSetVector(4, 4, host, 0, memory, 1));
    INVALID(cublasGetMatrix(2, 2, 4, memory, 1, host, 2));
    INVALID(cublasGetMatrix(2, 2, 4, memory, 2, host, 1));
    INVALID(cublasSetMatrix(-1, 2, 4, host, 2, memory, 2));
    OK(cublasSetVector(0, 4, host, 1, memory, 1));
    OK(cublasSetMatrix(0, 2, 4, host, 1, memory, 1));
    OK(cublasSetMatrixAsync(2, 2, 4, host, 2, memory, 2, stream));
    host[1] = host[3] = 0;
    OK(cublasGetMatrixAsync(1, 2, 4, memory + 1, 2, host + 1, 2, stream));
    IS(host[1] == 2 && host[3] == 4);
    OK(cublasCreate(&gone));
    OK(cublasDestroy(gone));
    INVALID(cublasCreate(nullptr));
    NO_HANDLE(cublasDestroy(nullptr));
    NO_HANDLE(cublasSetStream(nullptr, 0));
    NO_HANDLE(cublasGetStream(nullptr, &back));
    NO_HANDLE(cublasSetPointerMode(nullptr, pointers));
    NO_HANDLE(cublasGetPointerMode(nullptr, &pointers));
    NO_HANDLE(cublasSetMathMode(nullptr, math));
    NO_HANDLE(cublasGetMathMode(nullptr, &math));
    NO_HANDLE(cublasSetWorkspace(nullptr, memory, 16));
    NO_HANDLE(cublasSetAtomicsMode(nullptr, CUBLAS_ATOMICS_ALLOWED));
    for (int status = 0; status < 17; status++)
        printf("%s: %s\n", cublasGetStatusName((cublasStatus_t)status),
               cublasGetStatusString((cublasStatus_t)status));
}

int main() {
    cublasHandle_t h;
    OK(cublasCreate(&h));
    vectors<float>(h);
    vectors<double>(h);
    matrices<float>(h);
    matrices<double>(h);
    widths<__nv_bfloat16>(h, CUDA_R_16BF, CUBLAS_COMPUTE_32F);
    widths<float>(h, CUDA_R_32F, CUBLAS_COMPUTE_32F);
    widths<double>(h, CUDA_R_64F, CUBLAS_COMPUTE_64F);
    handles(h);
    OK(cublasDestroy(h));
    printf("%s\n", calls > 300 ? "all" : "too few");
}
