#include "term/painter.h"
