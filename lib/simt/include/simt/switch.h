/*
 * switch.h - switches the processor from one lane to another, by hand.
 *
 * cpu_switch(from, to) saves stack pointer, frame pointer and the address to continue at in *from
 * and loads them from *to. It returns when another lane switches to `from` again, and returns
 * `from`, carried over in a register, so that the caller need not wait for memory to learn which
 * lane it is. Likewise, a context's first function gets that context as its only argument.
 * CPU_SWITCH(from, to) is the same for callers that need no result. All other registers are
 * declared clobbered, so that the compiler keeps only what is live across the call. Nothing is
 * pushed: the red zone below the stack pointer stays as it is, and kernels need no compiler option.
 *
 * CPU_SWITCH_ASM is 1 where the hand-written switch is used. CPU_SWITCH_INLINE is 1 where it may be
 * inlined into kernels, but not under AddressSanitizer (CPU_SWITCH_SANITIZED) or ThreadSanitizer
 * (CPU_SWITCH_THREADS), which must know of every switch.
 * With SHFLVIZ_FIBERS_UCONTEXT, or on another processor, lanes switch with swapcontext() (fiber.c).
 */
#ifndef SHFLVIZ_CPU_SWITCH_H
#define SHFLVIZ_CPU_SWITCH_H

#if defined(__SANITIZE_ADDRESS__)
#define CPU_SWITCH_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CPU_SWITCH_SANITIZED 1
#endif
#endif
#ifndef CPU_SWITCH_SANITIZED
#define CPU_SWITCH_SANITIZED 0
#endif

#if defined(CUDACPU_CLANG) /* a sanitizer that a kernel calls does not exist at run time */
#define CPU_SWITCH_THREADS 0
#elif defined(__SANITIZE_THREAD__)
#define CPU_SWITCH_THREADS 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CPU_SWITCH_THREADS 1
#endif
#endif
#ifndef CPU_SWITCH_THREADS
#define CPU_SWITCH_THREADS 0
#endif

#if !defined(SHFLVIZ_FIBERS_UCONTEXT) && (defined(__x86_64__) || defined(__aarch64__))
#define CPU_SWITCH_ASM 1
#else
#define CPU_SWITCH_ASM 0
#endif

/* The kernel's compiler cannot see how the code that the kernel is linked to was compiled;
 * CPU_SWITCH_OUTSIDE is defined if lanes must not switch inline. */
#ifdef CPU_SWITCH_OUTSIDE
#define CPU_SWITCH_INLINE 0
#else
#define CPU_SWITCH_INLINE (CPU_SWITCH_ASM && !CPU_SWITCH_SANITIZED && !CPU_SWITCH_THREADS)
#endif

struct cpu_context {
    void *stack_pointer;
    void *frame_pointer;
    void *resume;
};

/* Registers that the compiler may use on some targets only. */
#if defined(__AVX512F__)
#define CPU_SWITCH_MORE_REGISTERS                                                                  \
    , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",    \
        "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6",  \
        "k7"
#elif defined(__aarch64__) && !defined(__APPLE__)
#define CPU_SWITCH_MORE_REGISTERS , "x18"
#else
#define CPU_SWITCH_MORE_REGISTERS
#endif

#if defined(CUDACPU_CLANG) /* the instructions are inserted at the call (frontend/) */
__attribute__((device)) struct cpu_context *
cpu_switch(struct cpu_context *from, struct cpu_context *to) __asm__("cpu_switch");
#elif defined(__x86_64__) && CPU_SWITCH_ASM
static inline __attribute__((always_inline)) struct cpu_context *
cpu_switch(struct cpu_context *from, struct cpu_context *to) {
    struct cpu_context *now, *same; /* with registers of their own, as in instrument/lanes.c */
    __asm__ volatile("lea 1f(%%rip), %%rax\n\t"
                     "mov %%rsp, (%0)\n\t"
                     "mov %%rbp, 8(%0)\n\t"
                     "mov %%rax, 16(%0)\n\t"
                     "mov (%1), %%rsp\n\t"
                     "mov 8(%1), %%rbp\n\t"
                     "mov %1, %0\n\t"
                     "jmp *16(%1)\n\t"
                     ".p2align 4\n"
                     "1:"
                     : "=D"(now), "=S"(same)
                     : "D"(from), "S"(to)
                     : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
                       "r15", "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
                       "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",
                       "xmm15" CPU_SWITCH_MORE_REGISTERS);
    return now;
}
#elif defined(__aarch64__) && CPU_SWITCH_ASM
static inline __attribute__((always_inline)) struct cpu_context *
cpu_switch(struct cpu_context *from, struct cpu_context *to) {
    register struct cpu_context *from_ __asm__("x0") = from;
    register struct cpu_context *to_ __asm__("x1") = to;
    __asm__ volatile("mov x9, sp\n\t"
                     "adr x10, 1f\n\t"
                     "stp x9, x29, [x0]\n\t"
                     "str x10, [x0, #16]\n\t"
                     "ldp x9, x29, [x1]\n\t"
                     "ldr x10, [x1, #16]\n\t"
                     "mov sp, x9\n\t"
                     "mov x0, x1\n\t"
                     "br x10\n"
                     "1:\n\t"
                     "hint #36" /* bti j, where branch targets are enforced */
                     : "+r"(from_), "+r"(to_)
                     :
                     : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13",
                       "x14", "x15", "x16", "x17", "x19", "x20", "x21", "x22", "x23", "x24", "x25",
                       "x26", "x27", "x28", "x30", "memory", "cc", "v0", "v1", "v2", "v3", "v4",
                       "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15",
                       "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26",
                       "v27", "v28", "v29", "v30", "v31" CPU_SWITCH_MORE_REGISTERS);
    return from_;
}
#endif
#define CPU_SWITCH(from, to) ((void)cpu_switch((from), (to)))

#endif
