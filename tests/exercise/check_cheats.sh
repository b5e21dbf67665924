#!/bin/sh
# check_cheats.sh SHFLVIZ CHEATS.txt - checks that every answer that cheats fails, and that every honest one passes.
set -u
program=$1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/cheat" "$work/honest"
awk -v work="$work" '
    /^== (cheat|honest): / { kind = $2; sub(":", "", kind); file = sprintf("%s/%s/%03d.cu", work, kind, ++count);
                             sub("^== [a-z]*: ", ""); print "// " $0 > file; next }
    file { print > file }' "$2"
cd "$work" || exit 2
failed=0
"$program" grade cheat --name warp-sum-down --time 10 --jobs 2 --lang en >said
for file in cheat/*; do
    grep -q "^FAILED  $file" said && continue
    echo "passed: $(head -1 "$file")"
    failed=1
done
"$program" grade honest --name warp-sum-down --jobs 2 --lang en >said
for file in honest/*; do
    grep -q "^passed  $file" said && continue
    head -1 "$file"
    "$program" exercise check "$file" --name warp-sum-down --lang en
    failed=1
done
echo "$(ls cheat | wc -l) cheats, $(ls honest | wc -l) honest answers"
exit $failed
