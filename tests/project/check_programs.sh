#!/bin/sh
# check_programs.sh SOURCE - checks that each test program begins with a comment about its purpose, and
# that no two comments are the same. Prints the list. Lines "// run: OPTIONS" and "// status N" may come
# before the comment.
set -u
cd "$1" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

for file in lib/cudacpu/tests/programs/*/*.cu tests/check/right/*/*.cu tests/check/wrong/*/*.cu tests/check/orders/*/*.cu; do
    awk -v file="$file" '/^\/\/ (run: |status [0-9])/ { next } { print file "\t" $0; exit }' "$file"
done >"$work/list"
cat "$work/list"
awk -F'\t' '$2 !~ /^(\/\/|\/\*) ?[^ ]/ { print $1 ": does not begin with a comment that says what it tests" }
            seen[$2]++ { print $1 ": begins like another program: " $2 }' "$work/list" >"$work/complaints"
cat "$work/complaints"
[ ! -s "$work/complaints" ] && [ "$(wc -l <"$work/list")" -ge 60 ]
