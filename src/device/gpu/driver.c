#include "device/gpu/gpu.h"

#include <unistd.h>

/* The device files on Linux, on Windows Subsystem for Linux, and on integrated GPUs (Jetson).
 * Starting CUDA only to learn that there is no driver takes milliseconds; this takes none. */
bool gpu_driver_exists(void) {
    static const char *const files[] = {"/dev/nvidiactl", "/dev/dxg", "/dev/nvhost-ctrl-gpu",
                                        "/proc/driver/nvidia/version"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (access(files[i], F_OK) == 0)
            return true;
    return false;
}
