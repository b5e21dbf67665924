/* _exit() of a build that counts what runs (SHFLVIZ_COVERAGE): a process that ends at once, as the
 * children of a GPU session and of `grade` do, has counted too. Linked by --wrap=_exit. */
#include <unistd.h>

void __gcov_dump(void); /* of libgcov: writes the counts, once */
void __real__exit(int status);
void __wrap__exit(int status);

void __wrap__exit(int status) {
    __gcov_dump();
    __real__exit(status);
}
