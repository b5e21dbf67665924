/*
 * kernel_name.h - the name of a kernel, from the text of its launch.
 */
#ifndef SHFLVIZ_DEVICE_KERNEL_NAME_H
#define SHFLVIZ_DEVICE_KERNEL_NAME_H

/* "kernel" of "kernel<int>, ...", "(const void *)kernel" and "&kernel"; the caller frees. */
char *launch_kernel_name(const char *text);

#endif
