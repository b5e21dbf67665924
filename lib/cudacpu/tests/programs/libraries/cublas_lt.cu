// A program that includes cublasLt.h: descriptors are made and filled; the refusal of a product
// names the function.
#include <cstdio>
#include <cublasLt.h>

#define SAY(call) printf("%s: %d\n", #call, (int)(call))

int main() {
    cublasLtHandle_t handle;
    cublasLtMatmulDesc_t product;
    cublasLtMatrixLayout_t layout;
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulHeuristicResult_t result;
    cublasOperation_t transposed = CUBLAS_OP_T;
    cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_GELU_AUX_BIAS;
    size_t room = 1 << 20;
    int found = 7;
    SAY(cublasLtCreate(&handle));
    SAY(cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    SAY(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &transposed,
                                       sizeof transposed));
    SAY(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                       sizeof epilogue));
    SAY(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSB, NULL, 4));
    SAY(cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, 4, 4, 4));
    SAY(cublasLtMatmulPreferenceCreate(&preference));
    SAY(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                             &room, sizeof room));
    SAY(cublasLtMatmulAlgoGetHeuristic(handle, product, layout, layout, layout, layout, preference,
                                       1, &result, &found));
    printf("%d found\n", found);
    SAY(cublasLtMatmul(handle, product, NULL, NULL, layout, NULL, layout, NULL, NULL, layout, NULL,
                       layout, NULL, NULL, 0, NULL));
    SAY(cublasLtMatmulPreferenceDestroy(preference));
    SAY(cublasLtMatrixLayoutDestroy(layout));
    SAY(cublasLtMatmulDescDestroy(product));
    SAY(cublasLtDestroy(handle));
    return 0;
}
