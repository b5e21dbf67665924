/* cusparse_v2.h - see cusparse.h. */
#include "cusparse.h"
