#!/bin/sh
# check_symbols.sh NM GPU_LIBRARY CPU_LIBRARY - checks that no symbol is defined in both builds of kernels/.
#
# The program contains the kernels twice, built for the GPU and for the CPU warp. If both define a symbol,
# usually a template's weak one, the linker silently uses one definition for both.
set -u
nm=$1
symbols() { "$nm" --defined-only "$1" 2>/dev/null | awk 'NF == 3 && $2 ~ /[A-Z]/ || $2 ~ /^[uvw]$/ { print $3 }' | sort -u; }

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
symbols "$2" >"$work/gpu"
symbols "$3" >"$work/cpu"
[ -s "$work/gpu" ] && [ -s "$work/cpu" ] || { echo 'no symbols to compare'; exit 1; }
# DW.ref.* is a pointer to a symbol of the C++ runtime, the same in both.
comm -12 "$work/gpu" "$work/cpu" | grep -v '^DW\.ref\.' >"$work/both"
sed 's/$/ is defined in both builds/' "$work/both"
[ ! -s "$work/both" ]
