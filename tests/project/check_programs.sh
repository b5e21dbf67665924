#!/bin/sh
# check_programs.sh SOURCE - docs/PROGRAMS.md names each program of lib/cudacpu/tests/programs and tests/check once, and
# each feature once.
set -u
cd "$1" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

ls lib/cudacpu/tests/programs/*/*.cu tests/check/right/*/*.cu tests/check/wrong/*/*.cu tests/check/orders/*/*.cu | sort >"$work/there"
sed -n 's/^| .* `\(\(tests\|lib\)\/[a-z\/_]*\/[a-z0-9_]*\.cu\)` *|$/\1/p' docs/PROGRAMS.md >"$work/listed"
sort "$work/listed" | diff "$work/there" - >"$work/differ" || {
    echo "docs/PROGRAMS.md: programs that it lacks (<), or has and are not there or named twice (>):"
    grep '^[<>]' "$work/differ"
    exit 1
}
sed -n '/\.cu`/s/^| *\(.*[^ ]\) *| *`\(tests\|lib\).*/\1/p' docs/PROGRAMS.md | sort | uniq -d >"$work/twice"
[ -s "$work/twice" ] && echo "docs/PROGRAMS.md: features named twice:" && cat "$work/twice"
count=$(wc -l <"$work/listed")
echo "$count programs"
[ ! -s "$work/twice" ] && [ "$count" -ge 60 ]
