// Indices beyond a thread's local arrays, including a two-dimensional one and one in a structure.
struct Row {
    int value[4];
    int sum;
};

__global__ void fill(int *out, int n) {
    int own[8], table[2][4];
    Row row;
    for (int i = 0; i <= n; i++)
        own[i] = i; // finds out_of_bounds
    // says uses index 8 of own, which has 8 elements
    for (int i = 0; i < n; i++)
        table[i % 3][0] = i; // finds out_of_bounds
    // says uses index 2 of table, which has 2 elements
    row.sum = 0;
    row.value[n / 2] = 3; // finds out_of_bounds
    // says uses index 4 of row.value, which has 4 elements
    Row *const pointer = &row;
    pointer->value[n / 2] = 4; // finds out_of_bounds
    // says uses index 4 of pointer->value, which has 4 elements
    if (n > own[n]) // finds out_of_bounds
        row.sum++;
    own[0] = table[n / 4][0]; // finds out_of_bounds
    // says uses index 2 of an array that has 2 elements
    out[threadIdx.x] = own[threadIdx.x % n] + table[threadIdx.x % 2][0] + row.sum;
}

int main() {
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    fill<<<1, 32>>>(out, 8);
    cudaDeviceSynchronize();
}
