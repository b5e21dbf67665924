// Four floats at once, from an address that is a multiple of 4 bytes but not of 16: error 716.
__global__ void sum_four(const float *row, float *out) {
    const float4 *fours = reinterpret_cast<const float4 *>(row + 1);
    float4 v = fours[threadIdx.x]; // finds misaligned_access crashed
    // says reads row[1], whose address must be a multiple of 16 for this type; the address
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

int main() {
    float *row, *out;
    cudaMalloc(&row, 256 * sizeof(float));
    cudaMalloc(&out, 32 * sizeof(float));
    cudaMemset(row, 0, 256 * sizeof(float));
    sum_four<<<1, 32>>>(row, out);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
