/* programs.cl - the kernels of programs.cu in OpenCL C, for opencl.c, which defines the sizes of
 * sizes.h. The reductions from version 4 on rely on a warp; they would need subgroups. */

kernel void vector_add(global const float *a, global const float *b, global float *c, int n) {
    int i = get_global_id(0);
    if (i < n)
        c[i] = a[i] + b[i];
}

kernel void product(global const float *a, global const float *b, global float *c, int n) {
    int row = get_global_id(1), column = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

kernel void tiled_product(global const float *a, global const float *b, global float *c, int n) {
    local float left[TILE][TILE], right[TILE][TILE];
    int x = get_local_id(0), y = get_local_id(1), row = get_global_id(1), column = get_global_id(0);
    float sum = 0;
    for (int tile = 0; tile < n / TILE; tile++) {
        left[y][x] = a[row * n + tile * TILE + x];
        right[y][x] = b[(tile * TILE + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += left[y][k] * right[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}

kernel void histogram(global const int *in, global int *bins, int n) {
    local int mine[256];
    int t = get_local_id(0);
    mine[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_add(&mine[in[i] & 255], 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[t], mine[t]);
}

kernel void scan(global const int *in, global int *out) {
    local int rows[2][BLOCK];
    int t = get_local_id(0), from = 0;
    rows[0][t] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int distance = 1; distance < BLOCK; distance *= 2) {
        rows[1 - from][t] = rows[from][t] + (t >= distance ? rows[from][t - distance] : 0);
        from = 1 - from;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = rows[from][t];
}

kernel void nbody(global const float4 *body, global float4 *force, int n) {
    int i = get_global_id(0);
    float4 me = body[i];
    float x = 0, y = 0, z = 0;
    for (int j = 0; j < n; j++) {
        float dx = body[j].x - me.x, dy = body[j].y - me.y, dz = body[j].z - me.z;
        float r = 1.0f / sqrt(dx * dx + dy * dy + dz * dz + 0.01f);
        float s = body[j].w * r * r * r;
        x += dx * s;
        y += dy * s;
        z += dz * s;
    }
    force[i] = (float4)(x, y, z, 0);
}

kernel void stencil(global const float *in, global float *out, int n) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
        out[y * n + x] = 0.2f * (in[y * n + x] + in[y * n + x - 1] + in[y * n + x + 1] +
                                 in[(y - 1) * n + x] + in[(y + 1) * n + x]);
}

kernel void softmax(global const float *in, global float *out) {
    local float room[BLOCK];
    global const float *row = in + get_group_id(0) * ROW;
    int t = get_local_id(0);
    float most = -1e30f, sum = 0;
    for (int i = t; i < ROW; i += BLOCK)
        most = fmax(most, row[i]);
    room[t] = most;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int size = BLOCK / 2; size > 0; size /= 2) {
        if (t < size)
            room[t] = fmax(room[t], room[t + size]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    most = room[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = t; i < ROW; i += BLOCK)
        sum += exp(row[i] - most);
    room[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int size = BLOCK / 2; size > 0; size /= 2) {
        if (t < size)
            room[t] += room[t + size];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = t; i < ROW; i += BLOCK)
        out[get_group_id(0) * ROW + i] = exp(row[i] - most) / room[0];
}

kernel void transpose(global const float *in, global float *out, int n) {
    local float tile[TILE][TILE + 1];
    int column = get_local_id(0), row = get_local_id(1);
    int x = get_group_id(0) * TILE + column, y = get_group_id(1) * TILE + row;
    tile[row][column] = in[y * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * TILE + column;
    y = get_group_id(0) * TILE + row;
    out[y * n + x] = tile[column][row];
}

/* The sum of a group's elements, as programs.cu has it: BODY adds up room[]. */
#define REDUCE(NAME, VALUE, BODY)                                                                  \
    kernel void NAME(global const int *in, global int *out, int n) {                               \
        local int room[BLOCK];                                                                     \
        const int t = get_local_id(0), block = get_group_id(0);                                    \
        room[t] = VALUE;                                                                           \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        BODY                                                                                       \
        if (t == 0)                                                                                \
            out[block] = room[0];                                                                  \
    }
#define ONE in[block * BLOCK + t]
#define TWO in[block * BLOCK * 2 + t] + in[block * BLOCK * 2 + BLOCK + t]
#define HALVES                                                                                     \
    for (int size = BLOCK / 2; size > 0; size /= 2) {                                              \
        if (t < size)                                                                              \
            room[t] += room[t + size];                                                             \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
    }

REDUCE(reduce0, ONE, for (int distance = 1; distance < BLOCK; distance *= 2) {
    if (t % (2 * distance) == 0)
        room[t] += room[t + distance];
    barrier(CLK_LOCAL_MEM_FENCE);
})
REDUCE(reduce1, ONE, for (int distance = 1; distance < BLOCK; distance *= 2) {
    if (2 * distance * t < BLOCK)
        room[2 * distance * t] += room[2 * distance * t + distance];
    barrier(CLK_LOCAL_MEM_FENCE);
})
REDUCE(reduce2, ONE, HALVES)
REDUCE(reduce3, TWO, HALVES)
