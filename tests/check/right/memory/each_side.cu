// Pointers that host or device may follow, in structures, in memory and from a kernel's malloc(); a
// thread's local arrays, used to their ends; and a two-dimensional array, indexed as one row.
#include <cstdio>
#include <cstring>
#include <vector>

struct Node {
    int value;
    Node *next;
};
struct Part {
    int size;
    const int *of;
    const char *name; // for the host; no kernel follows it
};
struct Row {
    int value[4], sum;
};

__device__ int *made;
__constant__ int table[4] = {1, 2, 3, 4};
__device__ const char names[] = "0123456789abcdef";

__global__ void add(Part part, int *out) {
    __shared__ int square[4][8];
    int own[8], parts[2][4];
    Row row;
    for (int i = 0; i < 8; i++)
        own[i] = parts[0][i] = i;
    for (int i = 0; i < 4; i++)
        row.value[i] = table[i];
    square[0][threadIdx.x] = part.of[threadIdx.x] + own[threadIdx.x % 8];
    __syncthreads();
    out[threadIdx.x] = square[0][31 - threadIdx.x] + parts[1][3] + row.value[threadIdx.x % 4] +
                       names[threadIdx.x % 16];
}

__global__ void make() {
    made = (int *)malloc(32 * sizeof(int));
    int *other = new int[32];
    for (int i = 0; i < 32; i++)
        made[i] = other[i] = i;
    delete[] other;
}

__global__ void sum(const Node *node, int *out) {
    int sum = made[31];
    for (; node; node = node->next)
        sum += node->value;
    *out = sum;
    free(made);
}

int main() {
    std::vector<int> host(32, 1), back(32);
    int *values, *out, *mapped;
    Node *nodes, *managed;
    cudaMalloc(&values, 32 * sizeof(int));
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMalloc(&nodes, 2 * sizeof(Node));
    cudaMallocManaged(&managed, sizeof(Node));
    cudaMallocHost(&mapped, 32 * sizeof(int));
    *managed = {3, nullptr};
    const Node chain[2] = {{1, nodes + 1}, {2, managed}};
    cudaMemcpy(nodes, chain, sizeof chain, cudaMemcpyHostToDevice);
    cudaMemcpy(values, host.data(), 32 * sizeof(int), cudaMemcpyHostToDevice);
    memcpy(mapped, host.data(), 32 * sizeof(int));
    add<<<1, 32>>>(Part{32, values, "values"}, out);
    add<<<1, 32>>>(Part{32, mapped, "mapped"}, out);
    make<<<1, 1>>>();
    sum<<<1, 1>>>(nodes, out);
    cudaMemcpy(back.data(), out, 32 * sizeof(int), cudaMemcpyDeviceToHost);
    managed->value += mapped[5];
    printf("%d %d\n", back[0], managed->value);
}
