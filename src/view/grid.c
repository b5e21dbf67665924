#include "view/grid.h"
