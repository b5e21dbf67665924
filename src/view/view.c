#include "view/view.h"
