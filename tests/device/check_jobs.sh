#!/bin/sh
# check_jobs.sh SHFLVIZ - checks that output and recording do not depend on --jobs, with any schedule,
# even if late blocks record or the recording is full before the grid has ended.
set -u
shflviz=$1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
cat >late.cu <<'END'
#include <cstdio>
__global__ void late(int *out, int from) {
    double x = threadIdx.x + 1;
    for (int i = 0; i < 4000; i++)
        x = x * 1.0000001 + 1e-9;
    int value = threadIdx.x + blockIdx.x + (x < 0);
    if ((int)blockIdx.x >= from && blockIdx.x % 7 == 0) {
        value += __shfl_xor_sync(0xffffffff, value, 1);
        if (__any_sync(0xffffffff, value == 1405) && threadIdx.x == 0)
            printf("block %d\n", blockIdx.x);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
int main() {
    int *out;
    cudaMallocManaged(&out, 1000 * 64 * sizeof(int));
    for (int from = 0; from < 1000; from += 450)
        late<<<1000, 64>>>(out, from);
    cudaDeviceSynchronize();
    long long sum = 0;
    for (int i = 0; i < 1000 * 64; i++)
        sum += out[i];
    printf("%lld\n", sum);
    return cudaGetLastError();
}
END
failed=0
for steps in 100000 300; do
    for jobs in 1 2 5; do
        "$shflviz" run --jobs $jobs --steps $steps --lang en late.cu -o $jobs.svt >$jobs.out 2>$jobs.err </dev/null ||
            { cat $jobs.err; failed=1; }
        "$shflviz" replay $jobs.svt --format csv >$jobs.csv </dev/null
        for kind in out err csv; do
            cmp 1.$kind $jobs.$kind || failed=1
        done
    done
    [ "$(wc -l <1.csv)" -gt 300 ] || { echo "only $(wc -l <1.csv) lines recorded"; failed=1; }
    rm -f ./*.svt
done
for seed in 1 2; do
    for jobs in 1 4; do
        "$shflviz" run --jobs $jobs --schedule $seed --lang en late.cu -o $jobs.svt >$jobs.out 2>$jobs.err </dev/null ||
            { cat $jobs.err; failed=1; }
        "$shflviz" replay $jobs.svt --format csv >$jobs.$seed </dev/null
        rm -f $jobs.svt
    done
    cmp 1.$seed 4.$seed && cmp 1.out 4.out || failed=1
    [ "$(wc -l <1.$seed)" -gt 300 ] || { echo "only $(wc -l <1.$seed) lines recorded"; failed=1; }
done
# A failing block ends the grid: later blocks are not reported, whichever thread ran them.
cat >fails.cu <<'END'
#include <cassert>
#include <cstdio>
__global__ void fails(int *out) {
    double x = threadIdx.x + 1;
    for (int i = 0; i < 2000; i++)
        x = x * 1.0000001 + 1e-9;
    out[blockIdx.x * 32 + threadIdx.x] = 1 + (x < 0);
    assert(blockIdx.x < 655 || threadIdx.x > 0);
}
int main() {
    int *out, sum = 0;
    cudaMallocManaged(&out, 1000 * 32 * sizeof(int));
    fails<<<1000, 32>>>(out);
    printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
    for (int i = 0; i < 655 * 32; i++)
        sum += out[i];
    printf("%d\n", sum); // all blocks before it have run: 20960
}
END
for jobs in 1 2 5 5; do
    "$shflviz" run --jobs $jobs --lang en fails.cu -o $jobs.svt >$jobs.out 2>$jobs.err </dev/null
    rm -f ./*.svt
    cmp 1.out $jobs.out && cmp 1.err $jobs.err || failed=1
done
[ "$(cat 1.out)" = "cudaErrorAssert 20960" ] && [ "$(grep -c Assertion 1.err)" = 1 ] || { cat 1.out 1.err; failed=1; }
for wrong in 0 1025 x; do
    "$shflviz" run --jobs $wrong late.cu >/dev/null 2>&1 && { echo "--jobs $wrong is accepted"; failed=1; }
done
exit $failed
