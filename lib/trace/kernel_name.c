#include "trace/kernel_name.h"

#include "base/memory.h"

#include <string.h>

char *launch_kernel_name(const char *text) {
    const char *start = text;
    for (const char *at = text; *at && *at != '<' && *at != ','; at++)
        if (*at == ')' || *at == '&' || *at == '(')
            start = at + 1;
    while (*start == ' ')
        start++;
    size_t length = strcspn(start, "< ),");
    char *name = memory_zeroed(length + 1, 1);
    memcpy(name, start, length);
    return name;
}
