// struct particle { float x, y; int id; } is declared by the test.
// Every lane returns the particle of lane `source`.
__device__ particle from_lane(particle mine, int source) {
    unsigned words[3];
    memcpy(words, &mine, sizeof words);
    for (int i = 0; i < 3; i++)
        words[i] = __shfl_sync(0xffffffff, words[i], source);
    memcpy(&mine, words, sizeof words);
    return mine;
}
