#!/bin/sh
# check_paths.sh SOURCE - checks that each path between backticks in the documents exists.
#
# A word is a path if it has a slash and begins with a top-level folder, or with one in src/ or lib/ (trace/trace.h).
# Not checked: words with a name in capitals (lessons/NAME), which is a placeholder; build/, which a build makes;
# lesson/part, a part of a lesson; count_even.cu, which a new contributor writes; and CHANGELOG.md, which is history.
set -u
cd "$1" || exit 2

folders=$(ls -d */ src/*/ lib/*/ | sed 's|/$||; s|.*/||' | grep -v '^build' | sort -u | tr '\n' ' ')
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# Lists "FILE:LINE PATH" for each word whose first folder and characters make it a path.
grep -noE '`[A-Za-z0-9_.][A-Za-z0-9_.*?/-]*/[A-Za-z0-9_.*?/-]*`' README*.md CONTRIBUTING.md docs/*.md docs/decisions/*.md |
    grep -v '^docs/CHANGELOG.md' | awk -F'`' -v folders="$folders" '
        BEGIN { split(folders, list, " "); for (i in list) known[list[i]] = 1 }
        { split($2, part, "/") }
        part[1] in known && $2 != "lesson/part" && $2 !~ /count_even/ && $2 !~ /(^|[\/_-])[A-Z][A-Z]+($|[\/._-])/ { sub(/:$/, "", $1); print $1, $2 }' >"$work/paths"
[ "$(wc -l <"$work/paths")" -gt 100 ] || { echo "only $(wc -l <"$work/paths") paths found"; exit 1; }

# $1 is not quoted, because it may be a shell pattern.
exists() {
    for found in $1 src/$1 lib/$1 lib/*/include/$1 src/*/include/$1; do
        [ ! -e "$found" ] || return 0
    done
    return 1
}

failed=0
while read -r where path; do
    exists "$path" || { echo "$where: $path does not exist"; failed=1; }
done <"$work/paths"
exit $failed
