/*
 * two_sides.h - functions that have one body for the host and one for the device.
 *
 * A text that asks for __CUDA_ARCH__ goes through the preprocessor twice, with it and without. The
 * bodies of functions that differ are joined: the device's where a lane runs, else the host's. What
 * differs outside of bodies (other functions, members, constants) is the device's; the first such
 * place is named.
 */
#ifndef SHFLVIZ_DEVICE_OWN_TWO_SIDES_H
#define SHFLVIZ_DEVICE_OWN_TWO_SIDES_H

#include "base/text.h"

#include <stdbool.h>

/* Whether a file of the program's own that is in this output of the preprocessor asks for
 * __CUDA_ARCH__. Files in the folders `skipped` (ended by NULL) and the system's are not looked at.
 */
bool two_sides_asked(const struct text *device, char *const *skipped);

/*
 * Appends to `joined` the device's text with the host's bodies. `place` gets "FILE:LINE" of the
 * first difference outside of bodies, and stays empty if there is none. Returns how many bodies
 * were joined.
 */
size_t two_sides_join(struct text *joined, struct text *place, const struct text *device,
                      const struct text *host);

#endif
