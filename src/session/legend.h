/*
 * legend.h - remembers whether the signs of a picture have been explained, by a file "legend"
 * beside the progress.
 */
#ifndef SHFLVIZ_SESSION_LEGEND_H
#define SHFLVIZ_SESSION_LEGEND_H

#include <stdbool.h>

/* True if they are to be explained now; from then on they have been. False if nothing can be kept,
 * because otherwise it would come every time. SHFLVIZ_LEGEND "always" or "never" overrides it. */
bool legend_is_due(void);

#endif
