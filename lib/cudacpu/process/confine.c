/*
 * The sandbox is set up in the child, after fork() and before exec(). The filter of system calls
 * comes last, because it refuses the calls that the other parts need.
 */
#include "cudacpu/process/confine.h"

#include "base/message.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#if defined(__has_include) && __has_include(<linux/landlock.h>) && __has_include(<linux/seccomp.h>)
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#define HAVE_WALLS 1
#endif
#endif

#define OPEN_FILES 256
#define PROCESSORS 64 /* processors that a program may keep busy all the time */

/* ---- limits ---- */

static int set_limit(int resource, uint64_t most) {
    struct rlimit now, limit = {.rlim_cur = (rlim_t)most, .rlim_max = (rlim_t)most};
    /* A lower existing limit stays. */
    if (getrlimit(resource, &now) == 0 && now.rlim_max != RLIM_INFINITY &&
        now.rlim_max < limit.rlim_max)
        limit.rlim_cur = limit.rlim_max = now.rlim_max;
    return setrlimit(resource, &limit);
}

static int set_limits(const struct confine_limits *limits) {
    int status = set_limit(RLIMIT_CORE, 0) | set_limit(RLIMIT_NOFILE, OPEN_FILES);
    if (limits->seconds) /* in case the parent cannot count; threads add up */
        status |= set_limit(RLIMIT_CPU, PROCESSORS * ((uint64_t)limits->seconds + 1));
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

/* Newer than some headers. Kernel documentation, userspace-api/landlock. */
#define ACCESS_EXECUTE   (1ULL << 0)
#define ACCESS_WRITE     (1ULL << 1)
#define ACCESS_READ      (1ULL << 2)
#define ACCESS_READ_DIR  (1ULL << 3)
#define ACCESS_CHARACTER (1ULL << 6) /* create a device node */
#define ACCESS_BLOCK     (1ULL << 11)
#define ACCESS_FIRST     ((1ULL << 13) - 1) /* all of version 1 */
#define ACCESS_REFER     (1ULL << 13)       /* version 2 */
#define ACCESS_TRUNCATE  (1ULL << 14)       /* version 3 */
#define ACCESS_IOCTL_DEV (1ULL << 15)       /* version 5 */
#define NET_BIND_TCP     (1ULL << 0)        /* version 4 */
#define NET_CONNECT_TCP  (1ULL << 1)
#define SCOPE_UNIX       (1ULL << 0) /* version 6: abstract sockets, signals */
#define SCOPE_SIGNAL     (1ULL << 1)

/* The kernel's struct of version 6; older kernels are passed a shorter one. */
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

/* A missing path needs no rule. */
static int allow(int ruleset, const char *path, uint64_t access) {
    struct landlock_path_beneath_attr beneath = {.allowed_access = access};
    int status;
    beneath.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (beneath.parent_fd < 0)
        return 0;
    status = (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
    if (status != 0 && errno == EINVAL) { /* rights of folders are not valid for a file */
        beneath.allowed_access =
            access & (ACCESS_EXECUTE | ACCESS_WRITE | ACCESS_READ | ACCESS_TRUNCATE);
        status =
            (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
    }
    close(beneath.parent_fd);
    return status;
}

static int restrict_files(const struct confine *confine) {
    static const char *const system[] = {
        "/usr",           "/lib",       "/lib64",           "/bin",
        "/sbin",          "/opt",       "/etc/ld.so.cache", "/etc/alternatives",
        "/etc/localtime", "/nix/store", "/gnu/store"};
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
    /* A source that includes /dev/zero never ends. */
    const size_t usable =
        confine->role == CONFINE_COMPILER ? 1 : sizeof devices / sizeof devices[0];
    for (size_t i = 0; i < usable; i++)
        status |= allow(ruleset, devices[i], ACCESS_READ | ACCESS_WRITE);
    for (const char *const *path = confine->readable; path && *path; path++)
        status |=
            allow(ruleset, *path, confine->role == CONFINE_COMPILER ? read | ACCESS_EXECUTE : read);
    if (confine->folder)
        status |= allow(ruleset, confine->folder,
                        all & ~(ACCESS_IOCTL_DEV | ACCESS_CHARACTER | ACCESS_BLOCK));
#ifdef __SANITIZE_ADDRESS__ /* AddressSanitizer finds room for its shadow memory in                \
                               /proc/self/maps */
    status |= allow(ruleset, "/proc", read);
#endif
#ifdef SHFLVIZ_COVERAGE /* which only tests/coverage/run builds */
    if (getenv("GCOV_PREFIX"))
        status |= allow(ruleset, getenv("GCOV_PREFIX"), all);
#endif
    if (status == 0)
        status = (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
    close(ruleset);
    return status ? -1 : 0;
}

/* ---- privileges of a superuser ---- */

/* With no_new_privs no exec restores them, so root is bound by limits and modes like any user. */
static int drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    return (int)syscall(SYS_capset, &header, none);
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

/* From here on calls have the same numbers on all architectures. Headers may be older than the
 * kernel, so calls that are not listed fail as if they did not exist. */
#define CALLS_RECENT 424
static const int recent_calls[] = {
    436, /* close_range */
    437, /* openat2 */
    439, /* faccessat2 */
    441, /* epoll_pwait2 */
    444, /* landlock_create_ruleset, for stricter confinement */
    445, /* landlock_add_rule */
    446, /* landlock_restrict_self */
    449, /* futex_waitv */
    451, /* cachestat */
    454, /* futex_wake */
    455, /* futex_wait */
    456, /* futex_requeue */
    462, /* mseal */
};

/* Refused to compilers and programs: calls that reach other processes, the network, the system, or
 * memory that no limit counts. */
static const int refused_calls[] = {
    SYS_socket,
    SYS_socketpair,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
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
    SYS_vhangup,
    /* memory, messages and semaphores of other processes, whose numbers can be guessed */
    SYS_shmget,
    SYS_shmat,
    SYS_shmctl,
    SYS_msgget,
    SYS_msgsnd,
    SYS_msgrcv,
    SYS_msgctl,
    SYS_semget,
    SYS_semop,
    SYS_semtimedop,
    SYS_semctl,
    SYS_mq_open,
    SYS_mq_unlink,
    /* reveal which files are opened; use events, of which all programs share a limited number */
    SYS_inotify_init1,
    SYS_fanotify_mark,
    SYS_io_setup,
    SYS_memfd_create,
    SYS_mknodat,
    SYS_truncate, /* Landlock has covered it since version 3 */
#ifdef SYS_mknod
    SYS_mknod,
#endif
#ifdef SYS_inotify_init
    SYS_inotify_init,
#endif
#ifdef SYS_modify_ldt
    SYS_modify_ldt,
#endif
};

/* Landlock does not cover these, and a program does not need them. A linker makes its output
 * executable, so a compiler does. */
static const int refused_to_programs[] = {
#ifdef SYS_chmod
    SYS_chmod,     SYS_chown,     SYS_lchown,      SYS_utime,        SYS_utimes,      SYS_futimesat,
#endif
#ifdef SYS_fork
    SYS_fork,      SYS_vfork,
#endif
    SYS_flock, /* even on read-only files a lock would keep others waiting */
    SYS_fchmod,    SYS_fchmodat,  SYS_fchown,      SYS_fchownat,     SYS_utimensat,   SYS_setxattr,
    SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr};

/* Device requests that only query. None types into a terminal or changes its settings. */
static const uint32_t harmless_requests[] = {
    TCGETS, 0x802c542a /* TCGETS2 */, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX};
/* The fcntl() commands that are allowed: descriptors, their flags, the size of a pipe. Others let
 * the kernel signal any process, report opens of a file (F_NOTIFY), or keep others waiting
 * (F_SETLEASE, locks). */
static const uint32_t harmless_commands[] = {F_DUPFD, F_GETFD, F_SETFD,
                                             F_GETFL, F_SETFL, 1030 /* F_DUPFD_CLOEXEC */,
                                             1032 /* F_GETPIPE_SZ */};
/* A compiler and its linker may lock their output. */
static const uint32_t compiler_commands[] = {F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL,
                                             1030,    1032,    F_GETLK, F_SETLK, F_SETLKW};

#define CLONE_A_THREAD   0x00010000
#define CLONE_NAMESPACES 0x7e020000 /* of mounts, users, processes ... */

struct filter {
    struct sock_filter code[512];
    unsigned short length;
};

static void add(struct filter *filter, struct sock_filter one) {
    if (filter->length < sizeof filter->code / sizeof filter->code[0])
        filter->code[filter->length] = one;
    filter->length++;
}

#define COUNT(array)           (sizeof(array) / sizeof(array)[0])
#define ANSWER(filter, what)   add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what))
#define REFUSE(filter, reason) ANSWER(filter, SECCOMP_RET_ERRNO | (reason))
#define LOAD(filter, member)                                                                       \
    add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,                             \
                                             offsetof(struct seccomp_data, member)))
#define UNLESS(filter, test, value, skip)                                                          \
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | (test) | BPF_K, (uint32_t)(value), 0, skip))

static void answer_each(struct filter *filter, const int *calls, size_t count, uint32_t what) {
    for (size_t i = 0; i < count; i++) {
        UNLESS(filter, BPF_JEQ, calls[i], 1);
        ANSWER(filter, what);
    }
}

/* Ends call `number` with `what` if its argument (which the kernel reads as 32 bits, too) is one
 * of these values, else with `otherwise`. */
#define ANSWER_BY_ARGUMENT(filter, number, argument, values, what, otherwise)                      \
    do {                                                                                           \
        UNLESS(filter, BPF_JEQ, number, 2 * COUNT(values) + 2);                                    \
        LOAD(filter, args[argument]);                                                              \
        for (size_t at_ = 0; at_ < COUNT(values); at_++) {                                         \
            UNLESS(filter, BPF_JEQ, (values)[at_], 1);                                             \
            ANSWER(filter, what);                                                                  \
        }                                                                                          \
        ANSWER(filter, otherwise);                                                                 \
    } while (0)

static void refuse_by_role(struct filter *filter, enum confine_role role) {
    const uint32_t no = SECCOMP_RET_ERRNO | EPERM, yes = SECCOMP_RET_ALLOW;
    const uint32_t itself[] = {(uint32_t)getpid()};
    const bool program = role == CONFINE_PROGRAM;
    /* A program may have threads, and a compiler also processes; neither may have namespaces. */
    UNLESS(filter, BPF_JEQ, SYS_clone, 4);
    LOAD(filter, args[0]);
    UNLESS(filter, BPF_JSET, program ? CLONE_A_THREAD : CLONE_NAMESPACES, 1);
    ANSWER(filter, program ? yes : no);
    ANSWER(filter, program ? no : yes);
    if (program)
        answer_each(filter, refused_to_programs, COUNT(refused_to_programs), no);
    /* A program may signal itself, as one that aborts does. */
    if (program)
        ANSWER_BY_ARGUMENT(filter, SYS_tgkill, 0, itself, yes, no);
    else
        answer_each(filter, (const int[]){SYS_tgkill}, 1, no);
}

static int filter_syscalls(enum confine_role role) {
    static const uint32_t nobody[] = {0}, death_signal[] = {PR_SET_PDEATHSIG};
    const uint32_t no = SECCOMP_RET_ERRNO | EPERM, yes = SECCOMP_RET_ALLOW;
    struct filter filter = {.length = 0};
    LOAD(&filter, arch);
    add(&filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCHITECTURE, 1, 0));
    ANSWER(&filter, SECCOMP_RET_KILL_PROCESS);
    LOAD(&filter, nr);
#ifdef __x86_64__ /* x32 has its own numbers for calls */
    UNLESS(&filter, BPF_JGE, 0x40000000u, 1);
    ANSWER(&filter, no);
#endif
    /* Also clone3, whose flags are in memory, where a filter cannot look; C libraries then
     * fall back to clone. */
    UNLESS(&filter, BPF_JGE, CALLS_RECENT, 2 * COUNT(recent_calls) + 1);
    answer_each(&filter, recent_calls, COUNT(recent_calls), yes);
    REFUSE(&filter, ENOSYS);
    answer_each(&filter, refused_calls, COUNT(refused_calls), no);
    refuse_by_role(&filter, role);
    ANSWER_BY_ARGUMENT(&filter, SYS_prlimit64, 0, nobody, yes, no); /* its own limits */
    ANSWER_BY_ARGUMENT(&filter, SYS_ioctl, 1, harmless_requests, yes, SECCOMP_RET_ERRNO | ENOTTY);
    if (role == CONFINE_PROGRAM)
        ANSWER_BY_ARGUMENT(&filter, SYS_fcntl, 1, harmless_commands, yes, no);
    else
        ANSWER_BY_ARGUMENT(&filter, SYS_fcntl, 1, compiler_commands, yes, no);
    ANSWER_BY_ARGUMENT(&filter, SYS_prctl, 0, death_signal, no, yes);
    ANSWER(&filter, yes);
    if (filter.length > COUNT(filter.code)) {
        errno = E2BIG;
        return -1;
    }
    struct sock_fprog program = {.len = filter.length, .filter = filter.code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static bool has_seccomp(void) {
    return prctl(PR_GET_SECCOMP) >= 0;
}
#else
static int filter_syscalls(enum confine_role role) {
    (void)role;
    return 0;
}
static bool has_seccomp(void) {
    return false;
}
#endif

static int restrict_process(const struct confine *confine) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || restrict_files(confine) != 0 ||
        drop_capabilities() != 0)
        return -1;
    return has_seccomp() ? filter_syscalls(confine->role) : 0;
}

struct confine_support confine_support(void) {
    return (struct confine_support){.landlock = landlock_version(), .seccomp = has_seccomp()};
}

#else /* no sandbox on this system */

static int restrict_process(const struct confine *confine) {
    (void)confine;
    return 0;
}

struct confine_support confine_support(void) {
    return (struct confine_support){0};
}
#endif

/* ---- both together ---- */

struct confine_limits confine_limits(enum confine_role role) {
    const uint64_t mebi = UINT64_C(1) << 20;
    return role == CONFINE_NOTHING ? (struct confine_limits){0}
                                   : (struct confine_limits){
                                         .seconds = role == CONFINE_COMPILER ? 120 : 60,
                                         .memory = 4096 * mebi,
                                         .file_size = 1024 * mebi,
                                         .processes = 512,
                                         .output = 64 * mebi,
                                     };
}

struct confine_limits confine_limits_given(const struct confine_limits *given,
                                           enum confine_role role) {
    struct confine_limits limits = confine_limits(role);
    const bool compiler = role == CONFINE_COMPILER; /* gets at least the default */
    if (given->seconds && !(compiler && limits.seconds > given->seconds))
        limits.seconds = given->seconds;
    if (given->memory && !(compiler && limits.memory > given->memory))
        limits.memory = given->memory;
    return limits;
}

int confine_self(const struct confine *confine) {
    if (set_limits(&confine->limits) != 0)
        return -1;
    return confine->role == CONFINE_NOTHING ? 0 : restrict_process(confine);
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
        text_append(text, _("limits, no network, no signals (seccomp); this kernel has no "
                            "Landlock, so the program sees your files"));
    else
        text_append(text, _("limits on time, memory and files; this system has neither Landlock "
                            "nor seccomp, so the program can do what you can"));
}
