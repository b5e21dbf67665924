#include "replay/action.h"
