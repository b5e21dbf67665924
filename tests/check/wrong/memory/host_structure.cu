// Pointers to the host's memory that reach a kernel inside a structure, by value and in memory.
#include <cstdlib>

struct Node {
    int value;
    Node *next;
};
struct Part {
    int size;
    const int *of;
};

__global__ void add(Part part, int *out) {
    if (threadIdx.x < part.size)
        out[threadIdx.x] = part.of[threadIdx.x] + 1; // finds wrong_memory_space
}

__global__ void sum(const Node *node, int *out) {
    int sum = 0;
    for (; node; node = node->next) // finds wrong_memory_space
        sum += node->value;         // finds wrong_memory_space
    *out = sum;
}

int main() {
    int *values = (int *)malloc(32 * sizeof(int)), *out;
    Node first{1, nullptr}, second{2, &first}, *nodes;
    for (int i = 0; i < 32; i++)
        values[i] = i;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMalloc(&nodes, sizeof second);
    cudaMemcpy(nodes, &second, sizeof second, cudaMemcpyHostToDevice);
    add<<<1, 32>>>(Part{32, values}, out);
    sum<<<1, 1>>>(nodes, out);
    cudaDeviceSynchronize();
    free(values);
}
