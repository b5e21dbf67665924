#!/bin/sh
# check_cuda.sh SOURCE [--write] - the lists of functions in docs/CUDA.md are those of
# cuda_runtime_api.h and of the libraries' headers; --write puts them there.
set -u
cd "$1" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# list HEADER... - a heading of a header and the names below it, as a paragraph.
list() {
    awk '/^\/\* ---- .* ---- \*\/$/ {
         if (names) print names "\n"
         heading = $0
         sub(/^\/\* ---- /, "", heading)
         sub(/ ---- \*\/$/, "", heading)
         if (heading !~ /^cu/) heading = toupper(substr(heading, 1, 1)) substr(heading, 2)
         print "**" heading "**:"
         names = ""
     }
     /SHFLVIZ_RUNTIME\(cu[A-Za-z0-9]*\)/ {
         name = $0
         sub(/.*SHFLVIZ_RUNTIME\(/, "", name)
         sub(/\).*/, "", name)
         names = names (names ? " " : "") "`" name "`"
     }
     END { print names }' "$@" | fold -s -w 98 | sed 's/ *$//'
}
list lib/cudacpu/include/cuda_runtime_api.h >"$work/list"
list lib/cudacpu/include/curand.h lib/cudacpu/include/cublas_v2.h lib/cudacpu/include/cuda.h >"$work/libraries"

awk -v folder="$work" '
    function put(name) { print; print ""; while ((getline line <(folder "/" name)) > 0) print line; print ""; skip = 1 }
    /^<!-- host functions -->$/ { put("list") }
    /^<!-- functions of libraries -->$/ { put("libraries") }
    /^<!-- \// { skip = 0 }
    !skip { print }' docs/CUDA.md >"$work/document"

if [ "${2-}" = --write ]; then
    cp "$work/document" docs/CUDA.md
elif ! diff docs/CUDA.md "$work/document"; then
    echo "docs/CUDA.md: try: sh lib/cudacpu/tests/check_cuda.sh . --write"
    exit 1
fi
# What is declared has a body.
for name in $(cat "$work/list" "$work/libraries" | tr ' ' '\n' | sed -n 's/`\(.*\)`/\1/p'); do
    grep -rqE --include="*.c" "(^|[ *(])$name[(,]" lib/cudacpu || echo "$name is declared and nowhere defined"
done | grep . && exit 1
[ "$(grep -c cuda "$work/list")" -gt 20 ]
