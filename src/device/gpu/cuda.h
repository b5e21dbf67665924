/*
 * cuda.h - everything that calls CUDA; used in child processes only.
 */
#ifndef SHFLVIZ_GPU_CUDA_H
#define SHFLVIZ_GPU_CUDA_H

#include "device/device_ops.h"
#include "device/gpu/session.h"
#include "shflviz/program.h"

/* The first GPU, as CUDA_VISIBLE_DEVICES orders them. */
struct cuda_facts {
    bool available;
    int major, minor;
    int driver;  /* the CUDA version that the driver supports: 13000 for 13.0; 0 for no driver */
    int runtime; /* the CUDA version that is linked in */
    char name[256];
    char missing[1024]; /* the reason why it is not available, then what to try */
};
void cuda_query(struct cuda_facts *facts);

/* The program of that name, built for the GPU, or NULL. */
const struct shflviz_program *cuda_program_find(const char *name);

struct cuda_job {
    const struct shflviz_program *entry;
    const struct program_parameters *parameters;
    bool wants_output;
    const struct cuda_facts *facts;
};
/* Runs a job in a child of session_run() or session_run_worker(); context is a struct cuda_job. */
void cuda_run(struct session *session, void *context);

#endif
