// cuSPARSE in double precision with indices of 64 bits: products turned and not, what it says of
// matrices, and what it refuses.
#include <cstdio>
#include <cusparse.h>

static int calls;
static void must(int line, bool is_so) {
    calls++;
    if (!is_so)
        printf("line %d is not so\n", line);
}
#define IS(what)      must(__LINE__, what)
#define OK(call)      IS((call) == CUSPARSE_STATUS_SUCCESS)
#define INVALID(call) IS((call) == CUSPARSE_STATUS_INVALID_VALUE)
#define NOT(call)     IS((call) == CUSPARSE_STATUS_NOT_SUPPORTED)

template <class T> static T *managed(const T *values, int count) {
    T *memory;
    cudaMallocManaged(&memory, count * sizeof(T));
    for (int i = 0; i < count; i++)
        memory[i] = values[i];
    return memory;
}

int main() {
    // 1 0 2 / 0 0 3
    const long long offsets[] = {0, 2, 3}, columns[] = {0, 2, 2};
    const double values[] = {1, 2, 3}, many[12] = {1, 2, 3, 4, 5, 6};
    long long *o = managed(offsets, 3), *c = managed(columns, 3);
    double *v = managed(values, 3), *x = managed(many, 12), *y = managed(many, 12);
    const cusparseOperation_t N = CUSPARSE_OPERATION_NON_TRANSPOSE,
                              T = CUSPARSE_OPERATION_TRANSPOSE;
    cusparseHandle_t h;
    cusparseSpMatDescr_t a, b;
    cusparseDnVecDescr_t two, three;
    cusparseDnMatDescr_t in, turned, out, dense, single;
    const double one = 1, half = 0.5, zero = 0;
    OK(cusparseCreate(&h));
    INVALID(cusparseCreate(nullptr));
    OK(cusparseCreateCsr(&a, 2, 3, 3, o, c, v, CUSPARSE_INDEX_64I, CUSPARSE_INDEX_64I,
                         CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    OK(cusparseCreateDnVec(&three, 3, x, CUDA_R_64F));
    OK(cusparseCreateDnVec(&two, 2, y, CUDA_R_64F));
    OK(cusparseSpMV(h, N, &one, a, three, &zero, two, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT,
                    nullptr));
    cudaDeviceSynchronize();
    IS(y[0] == 7 && y[1] == 9);               // 1 + 2*3, 3*3
    OK(cusparseDnVecSetValues(two, x + 3));   // 4 5
    OK(cusparseDnVecSetValues(three, y + 3)); // 4 5 6
    OK(cusparseSpMV(h, T, &one, a, two, &half, three, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT,
                    nullptr));
    cudaDeviceSynchronize();
    IS(y[3] == 6 && y[4] == 2.5 && y[5] == 26); // 4 + 2, 2.5, 8 + 15 + 3
    // Times 1 4 / 2 5 / 3 6, by columns, and by what is turned.
    OK(cusparseCreateDnMat(&in, 3, 2, 3, x, CUDA_R_64F, CUSPARSE_ORDER_COL));
    OK(cusparseCreateDnMat(&turned, 2, 3, 3, x, CUDA_R_64F, CUSPARSE_ORDER_ROW));
    OK(cusparseCreateDnMat(&out, 2, 2, 2, y, CUDA_R_64F, CUSPARSE_ORDER_ROW));
    size_t bytes = 99;
    OK(cusparseSpMM_bufferSize(h, N, N, &one, a, in, &zero, out, CUDA_R_64F,
                               CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
    OK(cusparseSpMM_preprocess(h, N, N, &one, a, in, &zero, out, CUDA_R_64F,
                               CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
    for (cusparseOperation_t how : {N, T}) {
        OK(cusparseSpMM(h, N, how, &one, a, how == N ? in : turned, &zero, out, CUDA_R_64F,
                        CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
        cudaDeviceSynchronize();
        IS(y[0] == 7 && y[1] == 16 && y[2] == 9 && y[3] == 18);
    }
    OK(cusparseCreateDnMat(&dense, 2, 3, 2, y, CUDA_R_64F, CUSPARSE_ORDER_COL));
    OK(cusparseSparseToDense_bufferSize(h, a, dense, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &bytes));
    OK(cusparseSparseToDense(h, a, dense, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
    cudaDeviceSynchronize();
    IS(y[0] == 1 && y[1] == 0 && y[2] == 0 && y[3] == 0 && y[4] == 2 && y[5] == 3);
    int64_t rows, width, count;
    OK(cusparseSpMatGetSize(a, &rows, &width, &count));
    IS(rows == 2 && width == 3 && count == 3);
    cudaStream_t stream, back;
    cusparsePointerMode_t mode;
    int version;
    OK(cusparseGetPointerMode(h, &mode));
    IS(mode == CUSPARSE_POINTER_MODE_HOST);
    cudaStreamCreate(&stream);
    OK(cusparseSetStream(h, stream));
    OK(cusparseGetStream(h, &back));
    IS(back == stream);
    OK(cusparseGetVersion(h, &version));
    IS(version == CUSPARSE_VERSION);
    OK(cusparseSpMV_preprocess(h, N, &one, a, three, &zero, two, CUDA_R_64F,
                               CUSPARSE_SPMV_ALG_DEFAULT, nullptr));

    const auto csr = [&](int64_t m, int64_t n, int64_t k, void *at, cusparseIndexType_t index,
                         cudaDataType type) {
        return cusparseCreateCsr(&b, m, n, k, at, c, v, index, CUSPARSE_INDEX_64I,
                                 CUSPARSE_INDEX_BASE_ZERO, type);
    };
    INVALID(csr(-1, 3, 3, o, CUSPARSE_INDEX_64I, CUDA_R_64F));
    INVALID(csr(2, -1, 3, o, CUSPARSE_INDEX_64I, CUDA_R_64F));
    INVALID(csr(2, 3, -1, o, CUSPARSE_INDEX_64I, CUDA_R_64F));
    NOT(csr(2, 3, 3, o, CUSPARSE_INDEX_16U, CUDA_R_64F));
    NOT(csr(2, 3, 3, o, CUSPARSE_INDEX_64I, CUDA_R_16F));
    INVALID(cusparseCreateDnMat(&single, -1, 2, 3, x, CUDA_R_64F, CUSPARSE_ORDER_COL));
    INVALID(cusparseCreateDnMat(&single, 3, -1, 3, x, CUDA_R_64F, CUSPARSE_ORDER_COL));
    INVALID(cusparseCreateDnMat(&single, 3, 2, 2, x, CUDA_R_64F, CUSPARSE_ORDER_COL));
    INVALID(cusparseCreateDnMat(nullptr, 3, 2, 3, x, CUDA_R_64F, CUSPARSE_ORDER_COL));
    NOT(cusparseCreateDnMat(&single, 3, 2, 3, x, CUDA_R_8I, CUSPARSE_ORDER_COL));
    INVALID(cusparseCreateDnVec(nullptr, 3, x, CUDA_R_64F));
    INVALID(cusparseDnVecSetValues(two, nullptr));
    INVALID(cusparseSpMatGetSize(a, nullptr, &width, &count));
    OK(cusparseCreateDnMat(&single, 2, 3, 2, y, CUDA_R_32F, CUSPARSE_ORDER_COL));
    NOT(cusparseSparseToDense(h, a, single, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
    INVALID(cusparseSparseToDense(h, a, in, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
    INVALID(cusparseSparseToDense(nullptr, a, in, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
    INVALID(
        cusparseSparseToDense_bufferSize(h, a, dense, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
    INVALID(cusparseSpMM_bufferSize(nullptr, N, N, &one, a, in, &zero, out, CUDA_R_64F,
                                    CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
    const auto times = [&](cusparseHandle_t handle, const void *alpha, cusparseSpMatDescr_t m,
                           cusparseDnMatDescr_t with, const void *beta, cusparseDnMatDescr_t to,
                           cudaDataType type) {
        return cusparseSpMM(handle, N, N, alpha, m, with, beta, to, type, CUSPARSE_SPMM_ALG_DEFAULT,
                            nullptr);
    };
    INVALID(times(nullptr, &one, a, in, &zero, out, CUDA_R_64F));
    INVALID(times(h, nullptr, a, in, &zero, out, CUDA_R_64F));
    INVALID(times(h, &one, nullptr, in, &zero, out, CUDA_R_64F));
    INVALID(times(h, &one, a, nullptr, &zero, out, CUDA_R_64F));
    INVALID(times(h, &one, a, in, nullptr, out, CUDA_R_64F));
    INVALID(times(h, &one, a, in, &zero, nullptr, CUDA_R_64F));
    INVALID(times(h, &one, a, turned, &zero, out, CUDA_R_64F)); // 2 x 3 times 2 x 3
    INVALID(times(h, &one, a, in, &zero, in, CUDA_R_64F));
    NOT(times(h, &one, a, in, &zero, out, CUDA_R_32F));
    INVALID(cusparseSetStream(nullptr, stream));
    INVALID(cusparseGetStream(nullptr, &back));
    INVALID(cusparseSetPointerMode(nullptr, mode));
    INVALID(cusparseGetPointerMode(nullptr, &mode));
    INVALID(cusparseGetVersion(nullptr, &version));
    INVALID(cusparseGetVersion(h, nullptr));
    for (int status = 0; status < 13; status++)
        printf("%s: %s\n", cusparseGetErrorName((cusparseStatus_t)status),
               cusparseGetErrorString((cusparseStatus_t)status));
    OK(cusparseDestroySpMat(a));
    OK(cusparseDestroyDnVec(two));
    OK(cusparseDestroyDnVec(three));
    for (cusparseDnMatDescr_t each : {in, turned, out, dense, single})
        OK(cusparseDestroyDnMat(each));
    OK(cusparseDestroy(h));
    printf("%d calls\n", calls);
}
