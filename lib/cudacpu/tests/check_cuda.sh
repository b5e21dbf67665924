#!/bin/sh
# check_cuda.sh SOURCE - checks that each function declared in cuda_runtime_api.h and the libraries'
# headers is defined.
set -u
cd "$1" || exit 2

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

for header in cuda_runtime_api.h curand.h cublas_v2.h cuda.h; do
    sed -n 's/.*SHFLVIZ_RUNTIME(\(cu[A-Za-z0-9]*\)).*/\1/p' "lib/cudacpu/include/$header"
done >"$work/names"
while read -r name; do
    grep -rqE --include="*.c" "(^|[ *(])$name[(,]" lib/cudacpu || echo "$name is declared but not defined"
done <"$work/names" | grep . && exit 1
[ "$(wc -l <"$work/names")" -gt 200 ]
