/*
 * host_config.h - the host's compiler: whichever there is.
 */
#ifndef __HOST_CONFIG_H__
#define __HOST_CONFIG_H__

#include "host_defines.h"

#endif
