/*
 * legend.h - who sees a picture for the first time? A file "legend" beside the progress says that
 * its signs have been explained.
 */
#ifndef SHFLVIZ_SESSION_LEGEND_H
#define SHFLVIZ_SESSION_LEGEND_H

#include <stdbool.h>

/* Whether they are to be explained now; from then on they have been. Never where nothing can be
 * kept, for it would come every time. SHFLVIZ_LEGEND "always" or "never" decides it instead. */
bool legend_is_due(void);

#endif
