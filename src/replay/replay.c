#include "replay/replay.h"
