#!/bin/sh
# check_cuda.sh SOURCE [--write] - the list of host functions in docs/CUDA.md is that of
# cuda_runtime_api.h; --write puts it there.
set -u
cd "$1" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# A heading of the header and the names below it, as a paragraph.
awk '/^\/\* ---- .* ---- \*\/$/ {
         if (names) print names "\n"
         heading = $0
         sub(/^\/\* ---- /, "", heading)
         sub(/ ---- \*\/$/, "", heading)
         print "**" toupper(substr(heading, 1, 1)) substr(heading, 2) "**:"
         names = ""
     }
     /SHFLVIZ_RUNTIME\(cuda/ {
         name = $0
         sub(/.*SHFLVIZ_RUNTIME\(/, "", name)
         sub(/\).*/, "", name)
         names = names (names ? " " : "") "`" name "`"
     }
     END { print names }' src/device/cuda/cuda_runtime_api.h | fold -s -w 98 | sed 's/ *$//' >"$work/list"

awk -v list="$work/list" '
    /^<!-- host functions -->$/ { print; print ""; while ((getline line <list) > 0) print line; print ""; skip = 1 }
    /^<!-- \/host functions -->$/ { skip = 0 }
    !skip && !/^<!-- host functions -->$/ { print }' docs/CUDA.md >"$work/document"

if [ "${2-}" = --write ]; then
    cp "$work/document" docs/CUDA.md
elif ! diff docs/CUDA.md "$work/document"; then
    echo "docs/CUDA.md: try: sh tests/own/check_cuda.sh . --write"
    exit 1
fi
# What is declared has a body.
for name in $(tr ' ' '\n' <"$work/list" | sed -n 's/`\(.*\)`/\1/p'); do
    grep -qE "(^| |\*)$name\(" src/device/cpu/api_*.c || echo "$name is declared and nowhere defined"
done | grep . && exit 1
[ "$(grep -c cuda "$work/list")" -gt 20 ]
