// cuFFT against the sum that it is, and there and back again: n times what it was.
#include <cmath>
#include <cstdio>
#include <cufft.h>

__global__ void fill(cufftDoubleComplex *z, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        z[i] = make_cuDoubleComplex(i * 7 % 11 - 5, i * i % 13 - 6);
}
static double farthest(const cufftDoubleComplex *x, const cufftDoubleComplex *X, int n, int sign) {
    double most = 0;
    for (int k = 0; k < n; k++) {
        double re = 0, im = 0;
        for (int j = 0; j < n; j++) {
            const double angle = sign * 2 * M_PI * (j * k % n) / n;
            re += x[j].x * cos(angle) - x[j].y * sin(angle);
            im += x[j].x * sin(angle) + x[j].y * cos(angle);
        }
        most = fmax(most, hypot(re - X[k].x, im - X[k].y));
    }
    return most;
}

int main() {
    cufftHandle plan;
    cufftDoubleComplex *z, *Z;
    cudaMallocManaged(&z, 4096 * sizeof *z);
    cudaMallocManaged(&Z, 4096 * sizeof *Z);
    for (int n : {1, 2, 8, 12, 30, 49, 67, 134, 251, 256}) { // 67, 134 and 251 have a large prime
        fill<<<1, 64>>>(z, n);
        cudaDeviceSynchronize();
        cufftPlan1d(&plan, n, CUFFT_Z2Z, 1);
        cufftExecZ2Z(plan, z, Z, CUFFT_FORWARD);
        const bool forward = farthest(z, Z, n, -1) < 1e-9;
        cufftExecZ2Z(plan, z, Z, CUFFT_INVERSE);
        printf("%d %d%d ", n, forward, farthest(z, Z, n, 1) < 1e-9);
        cufftDestroy(plan);
    }
    printf("\n");

    // cos(2 pi 3 j / 12) is 6 at 3 and at 9, of which a real transform gives the first.
    float *r;
    cufftComplex *c;
    cudaMallocManaged(&r, 4096 * sizeof *r);
    cudaMallocManaged(&c, 4096 * sizeof *c);
    for (int j = 0; j < 24; j++)
        r[j] = cosf(2 * (float)M_PI * 3 * (j % 12) / 12) * (j < 12 ? 1 : 2);
    cufftPlan1d(&plan, 12, CUFFT_R2C, 2);
    cufftExecR2C(plan, r, c);
    for (int k = 0; k < 14; k++)
        printf("%.0f ", c[k].x + 0.0f < 0.5f ? 0.0f : c[k].x);
    cufftDestroy(plan);

    // Two dimensions, 6 by 5, in place: lines of 5 have room for 6.
    printf("| %d", cufftPlan2d(&plan, 6, 5, CUFFT_R2C));
    float *field;
    cudaMallocManaged(&field, 36 * sizeof *field);
    for (int i = 0; i < 36; i++)
        field[i] = i % 6 < 5 ? i / 6 * 5 + i % 6 : -1;
    cufftExecR2C(plan, field, (cufftComplex *)field);
    printf(" %.0f", field[0]); // 0 + 1 + ... + 29 = 435
    cufftHandle back;
    cufftPlan2d(&back, 6, 5, CUFFT_C2R);
    cufftExecC2R(back, (cufftComplex *)field, field);
    int right = 0;
    for (int i = 0; i < 36; i++)
        right += i % 6 < 5 && fabsf(field[i] - 30 * (i / 6 * 5 + i % 6)) < 1e-3f;
    printf(" %d", right);                        // 30
    printf(" %d", cufftExecR2C(back, field, c)); // of another type: 3
    cufftDestroy(back);
    cufftDestroy(plan);

    // Every second of 16 numbers, two lines of four: an impulse at 1 is 1, -i, -1, i.
    int n[] = {4}, embed[] = {8};
    cufftComplex *strided;
    cudaMallocManaged(&strided, 16 * sizeof *strided);
    strided[2].x = 1;  // line 0, number 1
    strided[8].x = 10; // line 1, number 0
    cufftPlanMany(&plan, 1, n, embed, 2, 8, embed, 1, 4, CUFFT_C2C, 2);
    cufftExecC2C(plan, strided, c, CUFFT_FORWARD);
    for (int i = 0; i < 8; i++)
        printf(" %d,%d", (int)rintf(c[i].x), (int)rintf(c[i].y));
    printf("\n%d", cufftPlan1d(&plan, 0, CUFFT_C2C, 1)); // 8
    printf(" %d\n", cufftDestroy(77));                   // 1

    // Three dimensions, back and forth.
    cufftPlan3d(&plan, 3, 4, 5, CUFFT_Z2Z);
    fill<<<1, 64>>>(z, 60);
    cudaDeviceSynchronize();
    cufftExecZ2Z(plan, z, Z, CUFFT_FORWARD);
    cufftExecZ2Z(plan, Z, Z, CUFFT_INVERSE);
    double most = 0;
    for (int i = 0; i < 60; i++)
        most = fmax(most, hypot(Z[i].x - 60 * z[i].x, Z[i].y - 60 * z[i].y));
    printf("%d\n", most < 1e-9);
}
