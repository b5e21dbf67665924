#include "term/screen.h"
