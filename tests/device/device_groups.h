/* device_groups.h - the results of the kernels of groups.cu. */
#ifndef SHFLVIZ_TEST_DEVICE_GROUPS_H
#define SHFLVIZ_TEST_DEVICE_GROUPS_H

#ifdef __cplusplus
extern "C" {
#endif

/* The results of a thread in its tile. */
struct tile_results {
    unsigned rank, size, meta_rank, meta_size;
    int shfl, up, down, exchanged;
    int any, all;
    unsigned ballot, match_any, match_all;
    int equal;
    int sum, least;
    float most;
    int whole; /* a struct arrived intact */
    int small; /* a short, minus 100 */
    unsigned half_rank, half_meta_rank, half_meta_size;
};

/* The results of a thread in the group of the threads that arrived with it. */
struct group_results {
    unsigned rank, size;
    int lead, up, down;
    unsigned ballot, match_any;
    int match_all, votes;
    int sum, real_sum;
};

/* Run on the CPU warp's current device; pointers are to host memory. Each returns a cudaError_t. */
int test_tile_members(unsigned size, unsigned threads, const int *in, const int *argument,
                      struct tile_results *out);
int test_coalesced_members(unsigned threads, const int *in, unsigned lanes,
                           struct group_results *out);

#ifdef __cplusplus
}
#endif

#endif
