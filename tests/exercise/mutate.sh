#!/bin/sh
# mutate.sh SHFLVIZ EXERCISES [NAME...] - generates mutants of the solutions; to be run by hand.
#
# Applies each rule below to each line of each solution where it changes something, and judges the
# result. Mutants that pass are printed: their changes make no difference, or the test misses them.
# There are about 15 mutants per exercise, which take a second each on one core; ctest runs those that
# are listed (exercises/*/mutants).
set -u
[ $# -ge 2 ] || { echo 'usage: mutate.sh SHFLVIZ EXERCISES [NAME...]' >&2; exit 2; }
program=$1
folder=$2
shift 2
[ $# -gt 0 ] || set -- $(grep -v '^#' "$folder/order")

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cat >"$work/rules" <<'EOF'
s/0x\([fF]\)[fF]*/0x7fffffff/
s/0x\([fF]\)[fF]*/0xfffffffe/
s/0x\([fF]\)[fF]*/0xffff/
s/__syncthreads();/;/
s/__syncthreads();/__syncwarp();/
s/__syncwarp();/;/
s/ < / <= /
s/ <= / < /
s/ > 0/ > 1/
s/ >= / > /
s/ == / != /
s/ + 1/ + 2/
s/ - 1/ - 2/
s/= 16;/= 8;/
s/= 1;/= 2;/
s/\/= 2/\/= 4/
s/\*= 2/*= 4/
s/% 32/% 16/
s/% 32//
s/_down_/_up_/
s/_up_/_down_/
s/_xor_/_down_/
s/\(__shfl_[a-z_]*([^;]*\));/\1, 16);/
EOF
made=0
for name in "$@"; do
    solution=$folder/$name/solution.cu
    lines=$(wc -l <"$solution")
    while IFS= read -r rule; do
        line=0
        while [ "$line" -lt "$lines" ]; do
            line=$((line + 1))
            sed "${line}$rule" "$solution" >"$work/mutant.cu"
            cmp -s "$solution" "$work/mutant.cu" && continue
            sed -n "${line}p" "$solution" | grep -q '^ *//' && continue
            made=$((made + 1))
            "$program" exercise check "$work/mutant.cu" --name "$folder/$name" >"$work/said" 2>&1 </dev/null &&
                printf '%s:%s passes: %s\n' "$name" "$line" "$(sed -n "${line}p" "$work/mutant.cu")"
        done
    done <"$work/rules"
done
echo "$made mutants"
