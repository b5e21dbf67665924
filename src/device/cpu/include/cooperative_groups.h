/* cooperative_groups.h - as it is recorded on every device. */
#include "shflviz/groups/cooperative_groups.h"
