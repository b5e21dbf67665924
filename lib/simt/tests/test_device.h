/* test_device.h - a device for tests, on which the functions that they call act. */
#ifndef SHFLVIZ_TEST_DEVICE_H
#define SHFLVIZ_TEST_DEVICE_H

#include "simt/simt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array)        ((int)(sizeof(array) / sizeof(array)[0]))
#define GIVES(wanted, call) assert_int_equal(call, wanted)
#define DONE(call)          assert_int_equal(call, 0)

/* `*state` is a device, fresh for each test. */
static inline int api_begin_test(void **state) {
    struct cpu_options options = {.settings.zero_memory = true};
    *state = cpu_device_create(&options);
    cpu_device_use(*state);
    return 0;
}

static inline int api_end_test(void **state) {
    cpu_device_use(NULL);
    cpu_device_destroy(*state);
    return 0;
}

#define API_TEST(name) cmocka_unit_test_setup_teardown(name, api_begin_test, api_end_test)

#endif
