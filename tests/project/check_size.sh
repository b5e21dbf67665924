#!/bin/sh
# check_size.sh SOURCE - checks that no file in src/ and lib/ has more than 700 lines, no function has a cyclomatic
# complexity above 20, no folder directly contains more than 30 source files, and each .c file with more than 150 lines
# begins with a comment, which should say what it does, and why this way.
#
# The complexity is McCabe's, with each case of a switch counted, as pmccabe computes it.
set -u
cd "$1" || exit 2

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

find src lib -not -path '*/tests/*' \( -name '*.[ch]' -o -name '*.cc' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) | sort >"$work/files"
[ "$(wc -l <"$work/files")" -gt 100 ] || { echo "only $(wc -l <"$work/files") files found in src/ and lib/"; exit 1; }

xargs wc -l <"$work/files" | awk '$1 > 700 && $2 != "total" { print $2 "\t" $1 " lines; 700 are allowed" }' >"$work/found"
find src lib kernels tests bench web \( -name '*.[ch]' -o -name '*.cc' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.py' \) |
    sed 's:/[^/]*$::' | sort | uniq -c | awk '$1 > 30 { print $2 "\t" $1 " source files; 30 are allowed" }' >>"$work/found"
find . -name '*.c' -not -path './build*' -not -path './.*' -not -path './shared/*' | xargs wc -l |
    awk '$1 > 150 && $2 != "total" { print $2 }' | while read -r file; do
    head -n 1 "$file" | grep -q '^/[/*]' || printf '%s\t%s\n' "$file" 'does not begin with a comment'
done >>"$work/found"
if command -v pmccabe >/dev/null; then
    # A line is: modified, traditional, statements, first line, lines, FILE(LINE): FUNCTION
    xargs pmccabe <"$work/files" 2>/dev/null >"$work/functions"
    [ "$(wc -l <"$work/functions")" -gt 1000 ] || { echo "pmccabe saw only $(wc -l <"$work/functions") functions"; exit 1; }
    awk -F'\t' '$2 > 20 { sub(/\(.*\): /, " ", $6); print $6 "\t" "complexity " $2 "; 20 is allowed" }' "$work/functions" >>"$work/found"
fi

sed 's/\t/: /' "$work/found"
[ ! -s "$work/found" ] || exit 1
command -v pmccabe >/dev/null || {
    echo 'skipped: pmccabe is not installed (./bootstrap tools), so the complexity of functions is not checked'
    exit 77
}
