/*
 * legend.h - remembers that the signs of a picture have been explained, in a file "legend" beside
 * the progress.
 */
#ifndef SHFLVIZ_SESSION_LEGEND_H
#define SHFLVIZ_SESSION_LEGEND_H

#include <stdbool.h>

/* True if the signs must be explained now; later calls return false. Also false if nothing can be
 * saved, because otherwise the legend would appear every time. SHFLVIZ_LEGEND "always" or "never"
 * overrides it. */
bool legend_is_due(void);

#endif
