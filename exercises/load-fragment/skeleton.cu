// Loads columns 16k to 16k + 15 of the tile as A of m16n8k16. The tile has 16 rows of 64 values,
// and piece p of row r, eight values, is at tile + 64 * r + 8 * (p ^ r % 8).
__device__ void load_a(const unsigned short *tile, int k, unsigned (&a)[4]) {
    const unsigned short *mine = tile; // which eight values should this lane point to?
    const unsigned address = (unsigned)__cvta_generic_to_shared(mine);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(address)
                 : "memory");
}
