#include <shflviz/exercise.cuh>

__device__ int take(int *counter, bool wants);

__global__ void call(const int *in, int *out, int *counter, int *seen) {
    const int i = threadIdx.x;
    out[i] = take(counter, in[i] == 0);
    if (out[i] >= 0 && out[i] < 96)
        atomicAdd(&seen[out[i]], 1);
}

void test(exercise::trial &t) {
    const int seldom[] = {1, 2, 6, 40};
    for (int most : seldom) {
        t.begin("about one lane in %d wants a number", most);
        const int warps = most == 1 ? 1 : 3, threads = 32 * warps;
        auto in = t.integers(threads, 0, most - 1);
        auto out = t.output<int>(threads);
        auto counter = t.filled<int>(1, 0), seen = t.filled<int>(96, 0);
        call<<<1, threads>>>(in.gpu(), out.gpu(), counter.gpu(), seen.gpu());
        int wanting = 0;
        for (int i = 0; i < threads; i++) {
            if (in[i] != 0)
                out.want(i, -1);
            else if (warps == 1)
                out.want(i, wanting);
            wanting += in[i] == 0;
        }
        counter.want(0, wanting);
        for (int number = 0; number < 96; number++) // each number once
            seen.want(number, number < wanting);
        t.compare(counter, threads, threads);
        t.compare(out, threads);
        t.compare(seen, threads);
    }
}
