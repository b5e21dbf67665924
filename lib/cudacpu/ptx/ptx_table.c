/* A table, so that a new instruction needs only a row; docs/CUDA.md lists its instructions. */
#include "cudacpu/ptx/ptx_table.h"

#include <string.h>

#define INTEGERS "u16 s16 u32 s32 u64 s64"
#define NARROW   "u16 s16 u32 s32"
#define WORDS    "u32 s32"
#define WIDE     "u32 s32 u64 s64"
#define FLOATS   "f32 f64"
#define SMALL    "f16 f16x2 bf16 bf16x2"
#define BITS     "b16 b32 b64"
#define ALL      "u16 s16 b16 u32 s32 b32 u64 s64 b64 f32 f64"
#define MEMORY   "u8 s8 b8 " ALL
#define NUMBERS  "u8 s8 u16 s16 u32 s32 u64 s64 f16 bf16 f32 f64"

/* clang-format off */
static const struct ptx_row rows[] = {
    /* integers, and operations shared with floating point */
    {"add", INTEGERS " " FLOATS " " SMALL, "=vv"}, {"add_sat", "s32 f32", "=vv"},
    {"sub", INTEGERS " " FLOATS " " SMALL, "=vv"}, {"sub_sat", "s32 f32", "=vv"},
    {"mul", FLOATS " " SMALL, "=vv"}, {"mul_sat", "f32", "=vv"},
    {"mul_lo", INTEGERS, "=vv"}, {"mul_hi", INTEGERS, "=vv"}, {"mul_wide", NARROW, "=vv"},
    {"mul24_lo", WORDS, "=vv"}, {"mul24_hi", WORDS, "=vv"},
    {"mad_lo", INTEGERS, "=vvv"}, {"mad_hi", INTEGERS, "=vvv"}, {"mad_wide", NARROW, "=vvv"},
    {"mad24_lo", WORDS, "=vvv"}, {"mad24_hi", WORDS, "=vvv"},
    {"mad", FLOATS, "=vvv"}, {"fma", FLOATS " " SMALL, "=vvv"}, {"fma_sat", "f32", "=vvv"},
    {"div", INTEGERS " " FLOATS, "=vv"}, {"rem", INTEGERS, "=vv"},
    {"min", INTEGERS " " FLOATS " " SMALL, "=vv"}, {"max", INTEGERS " " FLOATS " " SMALL, "=vv"},
    {"min_NaN", "f32", "=vv"}, {"max_NaN", "f32", "=vv"},
    {"abs", "s16 s32 s64 " FLOATS " " SMALL, "=v"}, {"neg", "s16 s32 s64 " FLOATS " " SMALL, "=v"},
    {"sad", INTEGERS, "=vvv"},
    {"dp4a", WORDS "," WORDS, "=vvv"}, {"dp2a_lo", WORDS "," WORDS, "=vvv"},
    {"dp2a_hi", WORDS "," WORDS, "=vvv"},
    /* carried from one to the next */
    {"add_cc", WIDE, "=vv"}, {"addc", WIDE, "=vv"}, {"addc_cc", WIDE, "=vv"},
    {"sub_cc", WIDE, "=vv"}, {"subc", WIDE, "=vv"}, {"subc_cc", WIDE, "=vv"},
    {"mad_lo_cc", WIDE, "=vvv"}, {"mad_hi_cc", WIDE, "=vvv"},
    {"madc_lo", WIDE, "=vvv"}, {"madc_hi", WIDE, "=vvv"},
    {"madc_lo_cc", WIDE, "=vvv"}, {"madc_hi_cc", WIDE, "=vvv"},
    /* with a rounding mode */
    {"add_rz", FLOATS, "=vv"}, {"add_rm", FLOATS, "=vv"}, {"add_rp", FLOATS, "=vv"},
    {"sub_rz", FLOATS, "=vv"}, {"sub_rm", FLOATS, "=vv"}, {"sub_rp", FLOATS, "=vv"},
    {"mul_rz", FLOATS, "=vv"}, {"mul_rm", FLOATS, "=vv"}, {"mul_rp", FLOATS, "=vv"},
    {"div_rz", FLOATS, "=vv"}, {"div_rm", FLOATS, "=vv"}, {"div_rp", FLOATS, "=vv"},
    {"fma_rz", FLOATS, "=vvv"}, {"fma_rm", FLOATS, "=vvv"}, {"fma_rp", FLOATS, "=vvv"},
    {"mad_rz", FLOATS, "=vvv"}, {"mad_rm", FLOATS, "=vvv"}, {"mad_rp", FLOATS, "=vvv"},
    {"rcp_rz", FLOATS, "=v"}, {"rcp_rm", FLOATS, "=v"}, {"rcp_rp", FLOATS, "=v"},
    {"sqrt_rz", FLOATS, "=v"}, {"sqrt_rm", FLOATS, "=v"}, {"sqrt_rp", FLOATS, "=v"},
    /* floating point */
    {"rcp", FLOATS, "=v"}, {"sqrt", FLOATS, "=v"}, {"rsqrt", FLOATS, "=v"},
    {"sin", "f32", "=v"}, {"cos", "f32", "=v"}, {"ex2", "f32", "=v"}, {"lg2", "f32", "=v"},
    {"tanh", "f32", "=v"}, {"copysign", FLOATS, "=vv"},
    {"testp_finite", FLOATS, "=v"}, {"testp_infinite", FLOATS, "=v"},
    {"testp_number", FLOATS, "=v"}, {"testp_notanumber", FLOATS, "=v"},
    {"testp_normal", FLOATS, "=v"}, {"testp_subnormal", FLOATS, "=v"},
    /* bits */
    {"and", BITS " pred", "=vv"}, {"or", BITS " pred", "=vv"}, {"xor", BITS " pred", "=vv"},
    {"not", BITS " pred", "=v"}, {"cnot", BITS, "=v"},
    {"shl", BITS, "=vv"}, {"shr", BITS " " INTEGERS, "=vv"},
    {"shf_l_wrap", "b32", "=vvv"}, {"shf_l_clamp", "b32", "=vvv"},
    {"shf_r_wrap", "b32", "=vvv"}, {"shf_r_clamp", "b32", "=vvv"},
    {"bfe", WIDE, "=vvv"}, {"bfi", "b32 b64", "=vvvv"},
    {"bfind", WIDE, "=v"}, {"bfind_shiftamt", WIDE, "=v"},
    {"brev", "b32 b64", "=v"}, {"popc", "b32 b64", "=v"}, {"clz", "b32 b64", "=v"},
    {"fns", "b32", "=vvv"}, {"prmt", "b32", "=vvv"}, {"lop3", "b32", "=vvvv"},
    /* comparison and choice */
    {"setp", INTEGERS " " BITS " " FLOATS, "|vv"}, {"setp_and", INTEGERS " " BITS " " FLOATS, "|vvv"},
    {"setp_or", INTEGERS " " BITS " " FLOATS, "|vvv"},
    {"setp_xor", INTEGERS " " BITS " " FLOATS, "|vvv"},
    {"set", "u32 s32 f32," INTEGERS " " BITS " " FLOATS, "=vv"},
    {"selp", ALL, "=vvv"}, {"slct", ALL ",s32 f32", "=vvv"},
    /* conversion */
    {"cvt", NUMBERS "," NUMBERS, "=v"}, {"cvt_sat", NUMBERS "," NUMBERS, "=v"},
    {"cvt", "f16x2 bf16x2,f32", "=vv"}, {"cvt", "tf32 b32,f32", "=v"},
    {"cvta", "u64 u32", "=v"}, {"cvta_shared", "u64 u32", "=v"}, {"cvta_to", "u64 u32", "=v"},
    {"cvta_to_shared", "u64 u32", "=v"},
    {"isspacep_shared", "", "=v"}, {"isspacep_global", "", "=v"},
    /* memory; loads, stores and moves of several values are read by ptx.c */
    {"mov", ALL " pred", "=v"},
    {"ld", MEMORY, "=m"}, {"ld_volatile", MEMORY, "=m"}, {"ld_atomic", MEMORY, "=m"},
    {"ld_nc", MEMORY, "=m"},
    {"st", MEMORY, "mv"}, {"st_volatile", MEMORY, "mv"}, {"st_atomic", MEMORY, "mv"},
    {"atom_add", "u32 s32 u64 s64 " FLOATS, "=mv"}, {"red_add", "u32 s32 u64 s64 " FLOATS, "mv"},
    {"atom_min", WIDE, "=mv"}, {"red_min", WIDE, "mv"},
    {"atom_max", WIDE, "=mv"}, {"red_max", WIDE, "mv"},
    {"atom_and", "b32 b64", "=mv"}, {"red_and", "b32 b64", "mv"},
    {"atom_or", "b32 b64", "=mv"}, {"red_or", "b32 b64", "mv"},
    {"atom_xor", "b32 b64", "=mv"}, {"red_xor", "b32 b64", "mv"},
    {"atom_inc", "u32", "=mv"}, {"red_inc", "u32", "mv"},
    {"atom_dec", "u32", "=mv"}, {"red_dec", "u32", "mv"},
    {"atom_exch", "b32 b64", "=mv"}, {"atom_cas", BITS, "=mvv"},
    {"prefetch", "", "m"}, {"prefetchu", "", "m"},
    {"cp_async", "", "mmv"}, {"cp_async", "", "mmvv"}, {"cp_async_commit_group", "", ""},
    {"cp_async_wait_group", "", "v"}, {"cp_async_wait_all", "", ""},
    {"membar", "", ""}, {"fence", "", ""},
    /* lanes of a warp, threads of a block */
    {"shfl_sync_idx", "b32", "@|vvvv"}, {"shfl_sync_up", "b32", "@|vvvv"},
    {"shfl_sync_down", "b32", "@|vvvv"}, {"shfl_sync_bfly", "b32", "@|vvvv"},
    {"shfl_idx", "b32", "@|vvv"}, {"shfl_up", "b32", "@|vvv"},
    {"shfl_down", "b32", "@|vvv"}, {"shfl_bfly", "b32", "@|vvv"},
    {"vote_sync_all", "pred", "@=vv"}, {"vote_sync_any", "pred", "@=vv"},
    {"vote_sync_uni", "pred", "@=vv"}, {"vote_sync_ballot", "b32", "@=vv"},
    {"vote_all", "pred", "@=v"}, {"vote_any", "pred", "@=v"}, {"vote_ballot", "b32", "@=v"},
    {"match_any_sync", "b32 b64", "@=vv"}, {"match_all_sync", "b32 b64", "@|vv"},
    {"redux_sync_add", WORDS, "@=vv"}, {"redux_sync_min", WORDS, "@=vv"},
    {"redux_sync_max", WORDS, "@=vv"}, {"redux_sync_and", "b32", "@=vv"},
    {"redux_sync_or", "b32", "@=vv"}, {"redux_sync_xor", "b32", "@=vv"},
    {"activemask", "b32", "@="}, {"bar_warp_sync", "", "@v"},
    {"bar_sync", "", "@v"}, {"bar_sync", "", "@vv"},
    {"barrier_sync", "", "@v"}, {"barrier_sync", "", "@vv"},
    {"bar_arrive", "", "@vv"}, {"barrier_arrive", "", "@vv"},
    {"bar_red_popc", "u32", "@=vv"}, {"bar_red_and", "pred", "@=vv"}, {"bar_red_or", "pred", "@=vv"},
    {"barrier_red_popc", "u32", "@=vv"}, {"barrier_red_and", "pred", "@=vv"},
    {"barrier_red_or", "pred", "@=vv"},
    {"nanosleep", "u32", "v"}, {"trap", "", ""}, {"brkpt", "", ""}, {"exit", "", ""},
    /* parts of a word */
#define PARTS(name)                                                                                \
    {name "2", WORDS "," WORDS "," WORDS, "=vvv"}, {name "4", WORDS "," WORDS "," WORDS, "=vvv"},  \
    {name "2_add", WORDS "," WORDS "," WORDS, "=vvv"},                                             \
    {name "4_add", WORDS "," WORDS "," WORDS, "=vvv"}
    PARTS("vadd"), PARTS("vsub"), PARTS("vabsdiff"), PARTS("vmin"), PARTS("vmax"), PARTS("vavrg"),
#undef PARTS
};

static const char *const type_names[] = {
    "u8", "s8", "b8", "u16", "s16", "b16", "u32", "s32", "b32", "u64", "s64", "b64", "f16", "f16x2",
    "bf16", "bf16x2", "f32", "f64", "pred", "tf32"};

/* The parts of one number are functions; an axis may follow. */
static const struct {
    const char *name, *call;
} special[] = {
    {"laneid", "sreg_laneid()"}, {"warpid", "sreg_warpid()"}, {"nwarpid", "sreg_nwarpid()"},
    {"smid", "sreg_smid()"}, {"nsmid", "sreg_nsmid()"}, {"gridid", "sreg_gridid()"},
    {"lanemask_eq", "sreg_lanemask_eq()"}, {"lanemask_lt", "sreg_lanemask_lt()"},
    {"lanemask_le", "sreg_lanemask_le()"}, {"lanemask_gt", "sreg_lanemask_gt()"},
    {"lanemask_ge", "sreg_lanemask_ge()"}, {"clock", "sreg_clock()"},
    {"clock_hi", "sreg_clock_hi()"}, {"clock64", "sreg_clock64()"},
    {"globaltimer", "sreg_globaltimer()"}, {"globaltimer_lo", "sreg_globaltimer_lo()"},
    {"globaltimer_hi", "sreg_globaltimer_hi()"},
    {"tid.x", "sreg_tid().x"}, {"tid.y", "sreg_tid().y"}, {"tid.z", "sreg_tid().z"},
    {"ntid.x", "sreg_ntid().x"}, {"ntid.y", "sreg_ntid().y"}, {"ntid.z", "sreg_ntid().z"},
    {"ctaid.x", "sreg_ctaid().x"}, {"ctaid.y", "sreg_ctaid().y"}, {"ctaid.z", "sreg_ctaid().z"},
    {"nctaid.x", "sreg_nctaid().x"}, {"nctaid.y", "sreg_nctaid().y"},
    {"nctaid.z", "sreg_nctaid().z"}, {"dynamic_smem_size", "sreg_dynamic_smem_size()"}};
/* clang-format on */

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static bool is_word(const char *entry, const char *word, size_t length) {
    return strlen(entry) == length && memcmp(entry, word, length) == 0;
}

/* True if a blank-separated list contains the word. */
static bool has_word(const char *list, size_t list_length, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = list, *end = list + list_length; at < end;) {
        size_t next = 0;
        while (at + next < end && at[next] != ' ')
            next++;
        if (next == length && memcmp(at, word, length) == 0)
            return true;
        at += next + 1;
    }
    return false;
}

static bool takes_types(const struct ptx_row *row, const char (*types)[8], size_t count) {
    const char *list = row->types;
    for (size_t i = 0; i < count; i++) {
        const size_t length = strcspn(list, ",");
        if (!has_word(list, length, types[i]))
            return false;
        list += length;
        if (i + 1 < count && *list++ != ',')
            return false;
    }
    return *list == '\0' || (count == 0 && row->types[0] == '\0');
}

const struct ptx_row *ptx_row(const char *name, const char (*types)[8], size_t type_count,
                              size_t operand_count) {
    for (size_t i = 0; i < COUNT(rows); i++)
        if (strcmp(rows[i].name, name) == 0 && takes_types(&rows[i], types, type_count) &&
            strlen(rows[i].operands) - (rows[i].operands[0] == '@') == operand_count)
            return &rows[i];
    return NULL;
}

bool ptx_is_type(const char *word, size_t length) {
    for (size_t i = 0; i < COUNT(type_names); i++)
        if (is_word(type_names[i], word, length))
            return true;
    return false;
}

const char *ptx_tag_prefix(const char *opcode) {
    return opcode[0] == 'c' ? "round_" : "cmp_";
}

static bool is_one_of(const char *word, const char *list) {
    return has_word(list, strlen(list), word);
}

#define ACCESSES "ld ldu st atom red cp"

/* The first that fits is used; NULL matches anything. */
static const struct {
    const char *opcodes, *words;
    enum ptx_modifier meaning;
} modifiers[] = {
    {"membar fence", "proxy", PTX_NAME},
    {"membar fence " ACCESSES, "cta", PTX_CTA},
    {"membar fence prefetch prefetchu", NULL, PTX_NOTHING},
    {NULL, "ftz", PTX_FLUSH},
    {"set setp", "and or xor", PTX_NAME},
    {"set setp", NULL, PTX_TAG},
    {"cvt", "sat", PTX_NAME},
    {"cvt", NULL, PTX_TAG},
    {ACCESSES, "shared shared::cta", PTX_SHARED},
    {"ld", "nc", PTX_NAME},
    {ACCESSES, "acquire cv", PTX_ACQUIRE},
    {ACCESSES, "relaxed", PTX_RELAXED},
    {ACCESSES, "release", PTX_RELEASE},
    {ACCESSES, "acq_rel sc", PTX_ACQ_REL},
    {ACCESSES, "global const local weak gpu sys cluster ca cg cs lu wb wt", PTX_NOTHING},
    {ACCESSES,
     "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate "
     "L2::evict_normal L2::evict_first L2::evict_last L2::64B L2::128B L2::256B",
     PTX_NOTHING},
    {"cvta", "global const local", PTX_NOTHING},
    {"bar barrier", "cta", PTX_NOTHING},
    {"vote", NULL, PTX_NAME},
    {NULL, "approx full rn aligned uni", PTX_NOTHING},
};

enum ptx_modifier ptx_modifier(const char *opcode, const char *word) {
    for (size_t i = 0; i < COUNT(modifiers); i++)
        if ((!modifiers[i].opcodes || is_one_of(opcode, modifiers[i].opcodes)) &&
            (!modifiers[i].words || is_one_of(word, modifiers[i].words)))
            return modifiers[i].meaning;
    return PTX_NAME;
}

const char *ptx_special_register(const char *name, size_t length) {
    for (size_t i = 0; i < COUNT(special); i++)
        if (is_word(special[i].name, name, length))
            return special[i].call;
    return NULL;
}
