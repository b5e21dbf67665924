// Loads columns 16k to 16k + 15 of the tile as A of m16n8k16. The tile has 16 rows of 64 values,
// and piece p of row r, eight values, is at tile + 64 * r + 8 * (p ^ r % 8).
__device__ void load_a(const unsigned short *tile, int k, unsigned (&a)[4]) {
    const int row = threadIdx.x % 16; // lanes 16 to 31 pass addresses that are not used
    for (int half = 0; half < 2; half++) {
        const unsigned short *mine = tile + 64 * row + 8 * ((2 * k + half) ^ row % 8);
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                     : "=r"(a[2 * half]), "=r"(a[2 * half + 1])
                     : "r"((unsigned)__cvta_generic_to_shared(mine))
                     : "memory");
    }
}
