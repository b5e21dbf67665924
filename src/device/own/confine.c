#include "device/own/confine.h"

#include "base/message.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#if defined(__has_include) && __has_include(<linux/landlock.h>) && __has_include(<linux/seccomp.h>)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#define HAVE_WALLS 1
#endif
#endif

#define OPEN_FILES 256

/* ---- limits ---- */

static int set_limit(int resource, uint64_t most) {
    struct rlimit now, limit = {.rlim_cur = (rlim_t)most, .rlim_max = (rlim_t)most};
    /* A limit that is lower already stays. */
    if (getrlimit(resource, &now) == 0 && now.rlim_max != RLIM_INFINITY &&
        now.rlim_max < limit.rlim_max)
        limit.rlim_cur = limit.rlim_max = now.rlim_max;
    return setrlimit(resource, &limit);
}

static int set_limits(const struct confine_limits *limits) {
    int status = set_limit(RLIMIT_CORE, 0) | set_limit(RLIMIT_NOFILE, OPEN_FILES);
    if (limits->seconds) /* in case the parent cannot count: a second more than it allows */
        status |= set_limit(RLIMIT_CPU, (uint64_t)limits->seconds + 1);
    if (limits->file_size)
        status |= set_limit(RLIMIT_FSIZE, limits->file_size);
/* AddressSanitizer reserves terabytes of addresses. */
#ifndef __SANITIZE_ADDRESS__
    if (limits->memory)
        status |= set_limit(RLIMIT_AS, limits->memory);
#endif
    return status ? -1 : 0;
}

#ifdef HAVE_WALLS

/* ---- files: Landlock ---- */

/* Later than some headers. Kernel documentation, userspace-api/landlock. */
#define ACCESS_EXECUTE   (1ULL << 0)
#define ACCESS_WRITE     (1ULL << 1)
#define ACCESS_READ      (1ULL << 2)
#define ACCESS_READ_DIR  (1ULL << 3)
#define ACCESS_FIRST     ((1ULL << 13) - 1) /* all of version 1 */
#define ACCESS_REFER     (1ULL << 13)       /* version 2 */
#define ACCESS_TRUNCATE  (1ULL << 14)       /* version 3 */
#define ACCESS_IOCTL_DEV (1ULL << 15)       /* version 5 */
#define NET_BIND_TCP     (1ULL << 0)        /* version 4 */
#define NET_CONNECT_TCP  (1ULL << 1)
#define SCOPE_UNIX       (1ULL << 0) /* version 6: abstract sockets, signals */
#define SCOPE_SIGNAL     (1ULL << 1)

/* As the kernel's struct of version 6; older kernels are given less of it. */
struct ruleset {
    uint64_t files, net, scoped;
};

static int landlock_version(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0,
                           (uint32_t)LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? (int)version : 0;
}

static uint64_t handled_access(int version) {
    return ACCESS_FIRST | (version >= 2 ? ACCESS_REFER : 0) | (version >= 3 ? ACCESS_TRUNCATE : 0) |
           (version >= 5 ? ACCESS_IOCTL_DEV : 0);
}

/* A path that is not there needs no rule. */
static int allow(int ruleset, const char *path, uint64_t access) {
    struct landlock_path_beneath_attr beneath = {.allowed_access = access};
    int status;
    beneath.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (beneath.parent_fd < 0)
        return 0;
    status = (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
    if (status != 0 && errno == EINVAL) { /* a file takes none of the rights of folders */
        beneath.allowed_access =
            access & (ACCESS_EXECUTE | ACCESS_WRITE | ACCESS_READ | ACCESS_TRUNCATE);
        status =
            (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
    }
    close(beneath.parent_fd);
    return status;
}

static int wall_of_files(const struct confine *confine) {
    static const char *const system[] = {
        "/usr",          "/lib", "/lib64",           "/bin",
        "/sbin",         "/opt", "/etc/ld.so.cache", "/etc/alternatives",
        "/etc/localtime"};
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/urandom",
                                          "/dev/random"};
    const int version = landlock_version();
    if (version == 0)
        return 0;
    const uint64_t all = handled_access(version), read = ACCESS_READ | ACCESS_READ_DIR;
    const struct ruleset rules = {
        .files = all, .net = NET_BIND_TCP | NET_CONNECT_TCP, .scoped = SCOPE_UNIX | SCOPE_SIGNAL};
    size_t size = version >= 6   ? sizeof rules
                  : version >= 4 ? offsetof(struct ruleset, scoped)
                                 : offsetof(struct ruleset, net);
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
    if (ruleset < 0)
        return -1;
    int status = 0;
    for (size_t i = 0; i < sizeof system / sizeof system[0]; i++)
        status |= allow(ruleset, system[i], read | ACCESS_EXECUTE);
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++)
        status |= allow(ruleset, devices[i], ACCESS_READ | ACCESS_WRITE);
    for (const char *const *path = confine->readable; path && *path; path++)
        status |= allow(ruleset, *path, read);
    if (confine->folder)
        status |= allow(ruleset, confine->folder, all & ~ACCESS_IOCTL_DEV);
    if (status == 0)
        status = (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
    close(ruleset);
    return status ? -1 : 0;
}

/* ---- calls: seccomp ---- */

#if defined(__x86_64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define THIS_ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

#ifdef THIS_ARCHITECTURE

#define CALLS_MOST 96

/* Refused to both roles: what reaches other processes, the network, the system. */
static const int refused_calls[] = {
    SYS_socket,
    SYS_socketpair,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kill,
    SYS_tkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_setpriority,
    SYS_sched_setaffinity,
    SYS_sched_setscheduler,
    SYS_sched_setparam,
    SYS_sched_setattr,
    SYS_ioprio_set,
    SYS_migrate_pages,
    SYS_move_pages,
    SYS_unshare,
    SYS_setns,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_swapon,
    SYS_swapoff,
    SYS_reboot,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_acct,
    SYS_quotactl,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_open_by_handle_at,
    SYS_name_to_handle_at,
    SYS_fanotify_init,
    SYS_personality,
    SYS_syslog,
    SYS_shmget,
    SYS_msgget,
    SYS_semget,
    SYS_mq_open,
#ifdef SYS_io_uring_setup
    SYS_io_uring_setup,
#endif
#ifdef SYS_pidfd_open
    SYS_pidfd_open,
#endif
#ifdef SYS_pidfd_send_signal
    SYS_pidfd_send_signal,
#endif
#ifdef SYS_pidfd_getfd
    SYS_pidfd_getfd,
#endif
#ifdef SYS_open_tree
    SYS_open_tree,
    SYS_move_mount,
    SYS_fsopen,
#endif
};

/* Landlock does not watch these, and a program has no need of them. A linker makes its output
 * executable, so a compiler has. */
static const int refused_to_programs[] = {
#ifdef SYS_chmod
    SYS_chmod,     SYS_chown,     SYS_lchown,      SYS_utime,        SYS_utimes,
#endif
#ifdef SYS_fork
    SYS_fork,      SYS_vfork,
#endif
    SYS_fchmod,    SYS_fchmodat,  SYS_fchown,      SYS_fchownat,     SYS_utimensat,   SYS_setxattr,
    SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr};

struct filter {
    struct sock_filter code[2 * CALLS_MOST + 64];
    unsigned short length;
};

static void add(struct filter *filter, struct sock_filter one) {
    if (filter->length < sizeof filter->code / sizeof filter->code[0])
        filter->code[filter->length++] = one;
}

#define ANSWER(filter, what) add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what))
#define LOAD(filter, member)                                                                       \
    add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,                             \
                                             offsetof(struct seccomp_data, member)))
#define UNLESS(filter, test, value, skip)                                                          \
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | (test) | BPF_K, (uint32_t)(value), 0, skip))

static void refuse(struct filter *filter, const int *calls, size_t count) {
    for (size_t i = 0; i < count; i++) {
        UNLESS(filter, BPF_JEQ, calls[i], 1);
        ANSWER(filter, SECCOMP_RET_ERRNO | EPERM);
    }
}

/* Leaves with `answer` if call `number` has a first argument other than `value`. The number of the
 * call is loaded again for what follows. */
static void refuse_unless_first(struct filter *filter, int number, uint32_t value) {
    UNLESS(filter, BPF_JEQ, number, 4);
    LOAD(filter, args[0]);
    UNLESS(filter, BPF_JEQ, value, 1);
    ANSWER(filter, SECCOMP_RET_ALLOW);
    ANSWER(filter, SECCOMP_RET_ERRNO | EPERM);
}

static int wall_of_calls(enum confine_role role) {
    struct filter filter = {.length = 0};
    LOAD(&filter, arch);
    add(&filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCHITECTURE, 1, 0));
    ANSWER(&filter, SECCOMP_RET_KILL_PROCESS);
    LOAD(&filter, nr);
#ifdef __x86_64__ /* the calls of x32 have numbers of their own */
    UNLESS(&filter, BPF_JGE, 0x40000000u, 1);
    ANSWER(&filter, SECCOMP_RET_ERRNO | EPERM);
#endif
    refuse(&filter, refused_calls, sizeof refused_calls / sizeof refused_calls[0]);
#ifdef SYS_clone3 /* its flags are in memory, where a filter cannot look; the C library has clone  \
                   */
    UNLESS(&filter, BPF_JEQ, SYS_clone3, 1);
    ANSWER(&filter, SECCOMP_RET_ERRNO | ENOSYS);
#endif
    if (role == CONFINE_PROGRAM) {
        refuse(&filter, refused_to_programs,
               sizeof refused_to_programs / sizeof refused_to_programs[0]);
        /* A thread, not a process: CLONE_THREAD. */
        UNLESS(&filter, BPF_JEQ, SYS_clone, 4);
        LOAD(&filter, args[0]);
        UNLESS(&filter, BPF_JSET, 0x00010000, 1);
        ANSWER(&filter, SECCOMP_RET_ALLOW);
        ANSWER(&filter, SECCOMP_RET_ERRNO | EPERM);
        /* A process may signal itself, as one that aborts does, and read its limits. */
        refuse_unless_first(&filter, SYS_tgkill, (uint32_t)getpid());
        refuse_unless_first(&filter, SYS_prlimit64, 0);
    }
    ANSWER(&filter, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {.len = filter.length, .filter = filter.code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static bool has_seccomp(void) {
    return prctl(PR_GET_SECCOMP) >= 0;
}
#else
static int wall_of_calls(enum confine_role role) {
    (void)role;
    return 0;
}
static bool has_seccomp(void) {
    return false;
}
#endif

static int build_walls(const struct confine *confine) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || wall_of_files(confine) != 0)
        return -1;
    return has_seccomp() ? wall_of_calls(confine->role) : 0;
}

struct confine_support confine_support(void) {
    return (struct confine_support){.landlock = landlock_version(), .seccomp = has_seccomp()};
}

#else /* no walls on this system */

static int build_walls(const struct confine *confine) {
    (void)confine;
    return 0;
}

struct confine_support confine_support(void) {
    return (struct confine_support){0};
}
#endif

/* ---- both ---- */

int confine_here(const struct confine *confine) {
    if (set_limits(&confine->limits) != 0)
        return -1;
    return confine->role == CONFINE_NOTHING ? 0 : build_walls(confine);
}

void confine_describe(struct text *text, const struct confine_support *support) {
    if (support->landlock && support->seccomp)
        text_append_format(
            text, _("limits, its own folder only (Landlock %d), no network, no signals (seccomp)"),
            support->landlock);
    else if (support->landlock)
        text_append_format(text, _("limits, its own folder only (Landlock %d); no seccomp here"),
                           support->landlock);
    else if (support->seccomp)
        text_append(text,
                    _("limits, no network, no signals (seccomp); this kernel has no Landlock, "
                      "so it sees your files"));
    else
        text_append(text,
                    _("limits on time, memory and files; this system has neither Landlock nor "
                      "seccomp, so it can do what you can"));
}
