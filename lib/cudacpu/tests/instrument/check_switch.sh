#!/bin/sh
# check_switch.sh CLANG SOURCE - checks that on aarch64 no value stays in a register across a switch of lanes. LLVM
# ignores a clobbered register whose name it does not know, such as x30, which it calls lr.
#
# SOURCE is instrument/lanes.c; nothing is run, so any machine can check it. Skipped if CLANG cannot compile for aarch64.
set -eu
constraints=$(sed -n '/^#elif defined(__aarch64__)/,/^#endif/p' "$2" | sed -n '/SWITCH_CONSTRAINTS/,$s/^ *"\(.*\)" *\\*$/\1/p' | tr -d '\n')
case $constraints in
*'~{v31}') ;;
*) echo "$2 has no constraints for aarch64: '$constraints'" && exit 1 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
    echo 'define i64 @f(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e) {'
    echo "  %both = call { i64, i64 } asm sideeffect \"nop\", \"$constraints\"(i64 %a, i64 %b)"
    echo '  %now = extractvalue { i64, i64 } %both, 0'
    echo '  %x = mul i64 %now, %c'
    echo '  %y = add i64 %x, %d'
    echo '  %z = mul i64 %y, %e'
    echo '  ret i64 %z'
    echo '}'
} >"$work/switch.ll"
"$1" --target=aarch64-linux-gnu -O2 -w -S -x ir "$work/switch.ll" -o "$work/switch.s" 2>"$work/errors" || {
    cat "$work/errors"
    grep -qi 'unable to create target\|no available targets' "$work/errors" && exit 77
    exit 1
}
# c, d and e are moved out of x2, x3 and x4: onto the stack, or into x29, which the switch itself saves.
sed -n '1,/NO_APP/p' "$work/switch.s" >"$work/before"
grep -q 'NO_APP' "$work/before" || { echo 'no switch in the compiled code'; exit 1; }
if grep -E '^[[:space:]]*f?mov[[:space:]]+[xd]' "$work/before" | grep -v 'mov[[:space:]]*x29,'; then
    echo "a value stays in that register across the switch: $2 does not name it as LLVM does"
    exit 1
fi
