# awk -f check_ptx.awk FILE.ptx - prints the mode and operand of each shuffle in a file, as lines "MODE C".
#
# C is the operand that holds clamp and segment mask. The intrinsics pass ((32 - width) << 8) | 0x1f,
# and for up (32 - width) << 8 (sm_30_intrinsics.hpp). It is printed as
#     NUMBER      where the width is known at compile time
#     segment|31  where it is not known, and c is computed as above
#     segment     the same, without the clamp
#     ?           anything else
# A PTX register is written only once on the way to a shuffle, so the last line that writes it counts.

function number(text) { return text ~ /^-?[0-9]+$/ }

function value(text,    part) {
    if (number(text)) return text
    split(written[text], part, / /)
    return part[1] ~ /^mov\./ && number(part[3]) ? part[3] : ""
}

function is_shifted_by_8(register,    part) {
    split(written[register], part, / /)
    return part[1] == "shl.b32" && part[4] == 8
}

# Recognizes "(32 - width) << 8" in a register by the instruction that wrote it: in this form, as
# 8192 - (width << 8), or as (WARP_SZ << 8) + NUMBER.
function segment(register,    part, shifted) {
    split(written[register], part, / /)
    if (part[1] == "shl.b32" && part[4] == 8) {
        split(written[part[3]], shifted, / /)
        return shifted[1] == "sub.s32" ? "segment" : "?"
    }
    if (part[1] == "sub.s32" && value(part[3]) == 8192 && is_shifted_by_8(part[4])) return "segment"
    if (part[1] == "add.s32" && number(part[4]) && is_shifted_by_8(part[3])) {
        split(written[part[3]], shifted, / /)
        return written[shifted[3]] ~ /WARP_SZ/ ? 8192 + part[4] : "?"
    }
    return "?"
}

function operand(register,    part, known) {
    known = value(register)
    if (known != "") return known
    split(written[register], part, / /)
    if (part[1] == "or.b32" && part[4] == 31) {
        known = segment(part[3])
        return known == "segment" ? "segment|31" : number(known) && known % 32 == 0 ? known + 31 : "?"
    }
    return segment(register)
}

/\.entry|\.func/ { split("", written) }

{
    line = $0
    gsub(/[{};]/, "", line)
    gsub(/,/, " ", line)
    gsub(/[ \t]+/, " ", line)
    sub(/^ /, "", line)
    sub(/ $/, "", line)
    count = split(line, word, / /)
}

word[1] ~ /^shfl\.sync/ {
    split(word[1], name, /\./)
    print name[3], operand(word[5])
}

count > 1 {
    target = word[2]
    sub(/\|.*/, "", target) # the predicate that a shuffle also writes
    written[target] = line
}
