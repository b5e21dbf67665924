#include "device/gpu/gpu.h"

bool gpu_available(struct error *err) {
    error_set(err, ERROR_MISSING,
              "this shflviz has no support for running on a GPU built in\n"
              "--device takes cpu, or auto, which is the CPU warp here\n"
              "try --device cpu: the same kernel, emulated");
    return false;
}
