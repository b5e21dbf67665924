#include "warp/type.h"
