/*
 * attacks.cu - attempts of a hostile program. `attacks NAME [ARGUMENT...]` tries one way out of the
 * sandbox and exits with 0 if it stayed inside, 1 if it got out, 2 if it could not try.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define INSIDE  0
#define OUTSIDE 1

__global__ void shuffle(int *out) {
    out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, (int)threadIdx.x, 1);
}

static int is_out(bool out) {
    return out ? OUTSIDE : INSIDE;
}

static bool can_read(const char *path) {
    char byte;
    int descriptor = open(path, O_RDONLY);
    return descriptor >= 0 && read(descriptor, &byte, 1) == 1;
}

static int honest(char **) {
    int *out = nullptr, host[32];
    cudaMalloc(&out, sizeof(host));
    shuffle<<<1, 32>>>(out);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    printf("lane 0 got %d\n", host[0]);
    return INSIDE;
}

/* ---- files: ARGUMENT is a file outside the sandbox ---- */

static int write_file(char **a) {
    return is_out(open(a[0], O_WRONLY | O_CREAT, 0600) >= 0);
}
static int read_file(char **a) {
    return is_out(can_read(a[0]));
}
static int read_through_link(char **a) {
    return symlink(a[0], "link") != 0 ? 2 : is_out(can_read("link"));
}
static int hard_link(char **a) {
    return is_out(link(a[0], "name") == 0);
}
static int rename_file(char **a) {
    return is_out(rename(a[0], "name") == 0);
}
static int remove_file(char **a) {
    return is_out(unlink(a[0]) == 0);
}
static int truncate_file(char **a) {
    return is_out(truncate(a[0], 0) == 0 || open(a[0], O_WRONLY | O_TRUNC) >= 0);
}
static int change_mode(char **a) {
    return is_out(chmod(a[0], 0666) == 0 ||
                  syscall(452 /* fchmodat2 */, AT_FDCWD, a[0], 0666, 0) == 0);
}
static int change_owner(char **a) {
    return is_out(chown(a[0], getuid(), getgid()) == 0);
}
static int change_times(char **a) {
    return is_out(utimes(a[0], NULL) == 0);
}
static int change_attribute(char **a) {
    return is_out(setxattr(a[0], "user.test", "x", 1, 0) == 0 ||
                  syscall(463 /* setxattrat */, AT_FDCWD, a[0], 0, "user.test", "x", 0) == 0);
}
static int by_a_shell(char **a) {
    char command[512];
    snprintf(command, sizeof(command), "echo out > '%s'", a[0]);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    return 2;
}
static int make_device(char **) {
    return is_out(mknod("disk", S_IFBLK | 0600, makedev(8, 0)) == 0 ||
                  mknod("memory", S_IFCHR | 0600, makedev(1, 1)) == 0);
}
/* The arguments are the device and inode of a file that shflviz has open. */
static int inherited_file(char **a) {
    struct stat status;
    for (int descriptor = 0; descriptor < 8192; descriptor++)
        if (fstat(descriptor, &status) == 0 && status.st_dev == strtoull(a[0], NULL, 10) &&
            status.st_ino == strtoull(a[1], NULL, 10))
            return OUTSIDE;
    return INSIDE;
}

/* ---- other processes: ARGUMENT is the id of one ---- */

static int its_environment(char **a) {
    char path[64];
    snprintf(path, sizeof(path), "/proc/%s/environ", a[0]);
    return is_out(can_read(path));
}
static int parents_environment(char **) {
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/environ", (int)getppid());
    return is_out(can_read(path));
}
static int signal_it(char **a) {
    const pid_t process = (pid_t)atol(a[0]);
    return is_out(kill(process, 0) == 0 || syscall(SYS_tkill, process, 0) == 0 ||
                  syscall(SYS_tgkill, process, process, 0) == 0 || kill(getppid(), 0) == 0);
}
static int signal_by_descriptor(char **a) {
    int ends[2];
    if (pipe(ends) != 0)
        return 2;
    return is_out(fcntl(ends[0], F_SETOWN, (int)atol(a[0])) == 0);
}
static int signal_by_handle(char **a) {
    return is_out(syscall(434 /* pidfd_open */, (int)atol(a[0]), 0) >= 0);
}
static int trace_it(char **a) {
    return is_out(ptrace((decltype(PTRACE_ATTACH))0x4206 /* SEIZE */, (pid_t)atol(a[0]), 0, 0) ==
                  0);
}
static int limit_it(char **a) {
    struct rlimit limit;
    return is_out(prlimit((pid_t)atol(a[0]), RLIMIT_CORE, NULL, &limit) == 0);
}
static int start_a_process(char **) {
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    return is_out(child > 0 || syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) > 0);
}
/* The same with clone3(), whose flags a filter cannot see. */
static int start_by_clone3(char **) {
    uint64_t arguments[8] = {0};
    arguments[4] = SIGCHLD;
    long child = syscall(435, arguments, sizeof(arguments));
    if (child == 0)
        _exit(0);
    return is_out(child > 0);
}
static int outlive(char **) {
    return is_out(prctl(PR_SET_PDEATHSIG, 0) == 0);
}

/* ---- the rest of the system ---- */

/* ARGUMENT is the id of another process's shared memory. */
static int shared_memory(char **a) {
    struct shmid_ds status;
    const int number = atoi(a[0]);
    return is_out(shmat(number, NULL, 0) != (void *)-1 || shmctl(number, IPC_STAT, &status) == 0);
}
static int see_what_others_open(char **) {
    return is_out(inotify_add_watch(inotify_init1(0), "/", IN_ALL_EVENTS) >= 0);
}
static int be_told_who_opens(char **) {
    signal(SIGIO, SIG_IGN);
    return is_out(fcntl(open("/usr/bin", O_RDONLY), F_NOTIFY, DN_ACCESS | DN_MULTISHOT) == 0);
}
static int keep_others_from_opening(char **) {
    const int own = open("leased", O_CREAT | O_RDONLY, 0600);
    const int status = fcntl(own, F_SETLEASE, F_WRLCK);
    unlink("leased");
    return is_out(status == 0);
}
static int lock_for_others(char **) {
    const int readable = open("/usr/bin", O_RDONLY);
    struct flock whole = {};
    whole.l_type = F_RDLCK;
    return is_out(flock(readable, LOCK_EX | LOCK_NB) == 0 ||
                  fcntl(open("/bin/sh", O_RDONLY), F_SETLK, &whole) == 0);
}
static int all_events_of_the_system(char **) {
    unsigned long context = 0;
    return is_out(syscall(SYS_io_setup, 16, &context) == 0);
}
static int internet(char **) {
    return is_out(socket(AF_INET, SOCK_STREAM, 0) >= 0);
}
static int local_socket(char **) {
    int pair[2];
    return is_out(socket(AF_UNIX, SOCK_STREAM, 0) >= 0 ||
                  socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
}
static int ring(char **) {
    char parameters[256] = {0};
    return is_out(syscall(425 /* io_uring_setup */, 4, parameters) >= 0);
}
static int new_namespace(char **) {
    return is_out(syscall(SYS_unshare, 0x10000000 /* CLONE_NEWUSER */) == 0);
}
static int raise_limit(char **) {
    const struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    return is_out(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}
static int memory_file(char **) {
    return is_out(syscall(SYS_memfd_create, "memory", 0) >= 0);
}
static int other_numbers(char **) {
#ifdef __x86_64__
    return is_out(syscall(0x40000000 + SYS_getpid) > 0);
#else
    return INSIDE;
#endif
}
static int type_into_terminal(char **) {
    char c = 'x';
    return is_out(ioctl(0, TIOCSTI, &c) == 0 || errno == EIO || errno == EPERM);
}
static int secret_variable(char **) {
    return is_out(getenv("SHFLVIZ_TEST_SECRET") != NULL);
}

/* ---- excessive use: only a limit ends these ---- */

static int much_memory(char **) {
    const size_t size = (size_t)8 << 30;
    return is_out(mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
                  MAP_FAILED);
}
static int large_file(char **) {
    static char block[1 << 20];
    int descriptor = open("large", O_WRONLY | O_CREAT, 0600);
    for (int i = 0; i < 64; i++)
        if (write(descriptor, block, sizeof(block)) < 0)
            return INSIDE;
    return OUTSIDE;
}
static int flood(char **) {
    static char block[1 << 16];
    memset(block, 'x', sizeof(block));
    for (int i = 0; i < 4096; i++)
        if (write(1, block, sizeof(block)) < 0)
            break;
    return OUTSIDE;
}
static int forever(char **) {
    for (int number = 1; number < 32; number++)
        signal(number, SIG_IGN);
    for (volatile int i = 0;; i = i + 1)
        ;
}
static void *wait_for_ever(void *) {
    pause();
    return NULL;
}
static int many_threads(char **) {
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 16);
    for (int i = 0; i < 2000; i++)
        pthread_create(&thread, &attributes, wait_for_ever, NULL);
    pause();
    return OUTSIDE;
}

/* ---- possible only without the sandbox: ARGUMENT is a pipe that each process holds ---- */

static int hold(const char *path) {
    for (int number = 1; number < 32; number++)
        signal(number, SIG_IGN);
    int descriptor = open(path, O_WRONLY);
    return descriptor >= 0 && write(descriptor, "x", 1) == 1 ? 0 : 2;
}
/* A grandchild, in its own session. */
static int make_daemon(char **a) {
    if (hold(a[0]) != 0)
        return 2;
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            for (;;)
                pause();
        _exit(0);
    }
    wait(NULL);
    return OUTSIDE;
}
static int daemon_and_stay(char **a) {
    int status = make_daemon(a);
    for (;;)
        pause();
    return status;
}
/* A chain of descendants, each in its own session, that never ends. */
static int many_generations(char **a) {
    if (hold(a[0]) != 0)
        return 2;
    for (int i = 0; i < 3000 && fork() == 0; i++)
        setsid();
    for (;;)
        pause();
}

static const struct {
    const char *name;
    int (*run)(char **);
} attacks[] = {{"honest", honest},
               {"write_file", write_file},
               {"read_file", read_file},
               {"read_through_link", read_through_link},
               {"hard_link", hard_link},
               {"rename_file", rename_file},
               {"remove_file", remove_file},
               {"truncate_file", truncate_file},
               {"change_mode", change_mode},
               {"change_owner", change_owner},
               {"change_times", change_times},
               {"change_attribute", change_attribute},
               {"by_a_shell", by_a_shell},
               {"make_device", make_device},
               {"inherited_file", inherited_file},
               {"its_environment", its_environment},
               {"parents_environment", parents_environment},
               {"signal_it", signal_it},
               {"signal_by_descriptor", signal_by_descriptor},
               {"signal_by_handle", signal_by_handle},
               {"trace_it", trace_it},
               {"limit_it", limit_it},
               {"start_a_process", start_a_process},
               {"start_by_clone3", start_by_clone3},
               {"outlive", outlive},
               {"shared_memory", shared_memory},
               {"see_what_others_open", see_what_others_open},
               {"all_events_of_the_system", all_events_of_the_system},
               {"be_told_who_opens", be_told_who_opens},
               {"keep_others_from_opening", keep_others_from_opening},
               {"lock_for_others", lock_for_others},
               {"internet", internet},
               {"local_socket", local_socket},
               {"ring", ring},
               {"new_namespace", new_namespace},
               {"raise_limit", raise_limit},
               {"memory_file", memory_file},
               {"other_numbers", other_numbers},
               {"type_into_terminal", type_into_terminal},
               {"secret_variable", secret_variable},
               {"much_memory", much_memory},
               {"large_file", large_file},
               {"flood", flood},
               {"forever", forever},
               {"many_threads", many_threads},
               {"make_daemon", make_daemon},
               {"daemon_and_stay", daemon_and_stay},
               {"many_generations", many_generations}};

int main(int count, char **words) {
    for (const auto &attack : attacks)
        if (count > 1 && strcmp(attack.name, words[1]) == 0)
            return attack.run(words + 2);
    return 2;
}
