/*
 * varied.c - a second run in which undefined values have other bits.
 *
 * Results that differ between the runs depend on an undefined value. The second run happens in a
 * child process: it is not recorded, its output is dropped, and a crash or an endless loop that
 * the other bits cause ends only the child. Blocks run one at a time there, since the threads of
 * the parent are not in the child.
 */
#include "cudacpu/guest/varied.h"

#include "cudacpu/guest/output.h"
#include "simt/device_state.h"
#include "simt/simt.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define VARIED_SECONDS 10

bool shflviz_gave_undefined(void) {
    return cpu_device_in_use()->gave_undefined;
}

/* Defined in access.c, which is linked if the program was compiled to report its accesses. */
extern void cpu_access_end(void) __attribute__((weak));

static void run_child(const struct cpu_device *device, void (*body)(void *context), void *context) {
    struct cpu_options options = {.settings = device->options.settings,
                                  .guards_memory = device->options.guards_memory};
    const int nowhere = open("/dev/null", O_WRONLY);
    output_detach();
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 || dup2(nowhere, STDERR_FILENO) < 0)
        _exit(EXIT_FAILURE);
    signal(SIGSEGV, SIG_DFL);
    signal(SIGBUS, SIG_DFL);
    signal(SIGFPE, SIG_DFL);
    signal(SIGALRM, SIG_DFL);
    alarm(VARIED_SECONDS);
    if (cpu_access_end)
        cpu_access_end();
    options.settings.variant = 1;
    options.settings.jobs = 1;
    options.settings.lines = options.settings.origins = false;
    cpu_device_use(cpu_device_create(&options));
    body(context);
    _exit(EXIT_SUCCESS);
}

bool shflviz_run_varied(void (*body)(void *context), void *context) {
    const struct cpu_device *device = cpu_device_in_use();
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        run_child(device, body, context);
    if (child < 0)
        return false;
    while (waitpid(child, &status, 0) < 0)
        ;
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}
