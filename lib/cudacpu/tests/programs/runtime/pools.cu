// Memory allocated in stream order: pools, what they keep, and who may access them.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
    if (cudaError_t error = (call))                                                                \
    printf("line %d: %s\n", __LINE__, cudaGetErrorName(error))

static void tell(cudaError_t error) {
    printf("%s\n", cudaGetErrorName(error));
    cudaGetLastError();
}
static unsigned long long asked(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
    uint64_t bytes = 77;
    CHECK(cudaMemPoolGetAttribute(pool, attribute, &bytes));
    return bytes;
}

int main() {
    cudaMemPool_t normal, now, mine;
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    CHECK(cudaDeviceGetDefaultMemPool(&normal, 0));
    CHECK(cudaDeviceGetMemPool(&now, 0));
    CHECK(cudaMemPoolCreate(&mine, &props));
    printf("the default at first %d, another %d\n", now == normal, mine != normal);
    CHECK(cudaDeviceSetMemPool(0, mine));
    CHECK(cudaDeviceGetMemPool(&now, 0));
    printf("mine now %d\n", now == mine);
    CHECK(cudaDeviceSetMemPool(0, normal));
    tell(cudaDeviceGetMemPool(&now, 1));
    tell(cudaMemPoolCreate(&now, nullptr));
    props.location.id = 5;
    tell(cudaMemPoolCreate(&now, &props));

    void *a, *b;
    CHECK(cudaMallocFromPoolAsync(&a, 1 << 20, mine, 0));
    CHECK(cudaMallocFromPoolAsync(&b, 1 << 20, mine, 0));
    CHECK(cudaStreamSynchronize(0));
    printf("used %llu", asked(mine, cudaMemPoolAttrUsedMemCurrent));
    CHECK(cudaFreeAsync(a, 0));
    CHECK(cudaStreamSynchronize(0));
    printf(" %llu, at most %llu\n", asked(mine, cudaMemPoolAttrUsedMemCurrent),
           asked(mine, cudaMemPoolAttrUsedMemHigh));
    uint64_t none = 0, five = 5;
    CHECK(cudaMemPoolSetAttribute(mine, cudaMemPoolAttrUsedMemHigh, &none)); // counts from here on
    printf("at most %llu\n", asked(mine, cudaMemPoolAttrUsedMemHigh));
    tell(cudaMemPoolSetAttribute(mine, cudaMemPoolAttrUsedMemHigh, &five)); // only 0
    CHECK(cudaMemPoolSetAttribute(mine, cudaMemPoolAttrReservedMemHigh, &none));
    CHECK(cudaFreeAsync(b, 0));
    CHECK(cudaMemPoolTrimTo(mine, 0));
    printf("used %llu\n", asked(mine, cudaMemPoolAttrUsedMemCurrent));

    uint64_t keep = 1 << 24;
    int yes = 0, reuse = 1;
    CHECK(cudaMemPoolSetAttribute(mine, cudaMemPoolAttrReleaseThreshold, &keep));
    printf("threshold %llu, of the default %llu\n", asked(mine, cudaMemPoolAttrReleaseThreshold),
           asked(normal, cudaMemPoolAttrReleaseThreshold));
    CHECK(cudaMemPoolGetAttribute(mine, cudaMemPoolReuseAllowOpportunistic, &reuse));
    CHECK(cudaMemPoolSetAttribute(mine, cudaMemPoolReuseAllowOpportunistic, &yes));
    CHECK(cudaMemPoolGetAttribute(mine, cudaMemPoolReuseAllowOpportunistic, &yes));
    printf("reuse %d, then %d\n", reuse, yes); // 1 unless reuse is forbidden

    cudaMemAccessFlags flags;
    cudaMemLocation here = {};
    here.type = cudaMemLocationTypeDevice;
    cudaMemAccessDesc access = {};
    access.location = here, access.flags = cudaMemAccessFlagsProtReadWrite;
    CHECK(cudaMemPoolSetAccess(mine, &access, 1));
    CHECK(cudaMemPoolGetAccess(&flags, mine, &here));
    printf("read and write %d\n", flags == cudaMemAccessFlagsProtReadWrite);

    tell(cudaMemPoolDestroy(normal)); // the device's own pool stays
    CHECK(cudaMemPoolDestroy(mine));
    tell(cudaFreeAsync(nullptr, 0));
    return 0;
}
