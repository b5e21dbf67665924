#!/bin/sh
# check_paths.sh SOURCE - checks that each path between backticks in the documents exists.
#
# A word is a path if it has a slash and begins with a folder at the top, or with one of src/ or lib/ (trace/trace.h).
# Words with a name in capitals (lessons/NAME) stand for any; build/ is made; lesson/part is one part
# of a lesson. count_even.cu is written by a new contributor. CHANGELOG.md is history.
set -u
cd "$1" || exit 2

folders=$(ls -d */ src/*/ lib/*/ | sed 's|/$||; s|.*/||' | grep -v '^build' | sort -u | tr '\n' ' ')
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# FILE:LINE PATH, of one that is a path by its first folder and its letters.
grep -noE '`[A-Za-z0-9_.][A-Za-z0-9_.*?/-]*/[A-Za-z0-9_.*?/-]*`' README*.md CONTRIBUTING.md docs/*.md docs/decisions/*.md |
    grep -v '^docs/CHANGELOG.md' | awk -F'`' -v folders="$folders" '
        BEGIN { split(folders, list, " "); for (i in list) known[list[i]] = 1 }
        { split($2, part, "/") }
        part[1] in known && $2 != "lesson/part" && $2 !~ /count_even/ && $2 !~ /(^|[\/_-])[A-Z][A-Z]+($|[\/._-])/ { sub(/:$/, "", $1); print $1, $2 }' >"$work/paths"
[ "$(wc -l <"$work/paths")" -gt 100 ] || { echo "only $(wc -l <"$work/paths") paths found"; exit 1; }

# The pattern is not quoted: it may be one of the shell's.
exists() {
    for found in $1 src/$1 lib/$1 lib/*/include/$1 src/*/include/$1; do
        [ ! -e "$found" ] || return 0
    done
    return 1
}

failed=0
while read -r where path; do
    exists "$path" || { echo "$where: $path is not there"; failed=1; }
done <"$work/paths"
exit $failed
