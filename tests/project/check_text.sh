#!/bin/sh
# check_text.sh SOURCE - tracked files are small, speak of no particular machine, and links resolve.
set -u
. "$(dirname "$0")/links.sh"
cd "$1" || exit 2

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
complain() { tee -a "$work/complaints"; }

# An unpacked release has no list of tracked files; ctest counts 77 as skipped.
git ls-files >"$work/tracked" 2>/dev/null && [ -s "$work/tracked" ] || exit 77

while read -r file; do
    [ -f "$file" ] || continue # deleted, not yet committed
    bytes=$(wc -c <"$file")
    [ "$bytes" -lt 1048576 ] || echo "$file has $bytes bytes; 1 MiB is the limit for a tracked file"
done <"$work/tracked" | complain

# Text only: grep -I passes over pictures and recordings.
sed 's/.*/"&"/' "$work/tracked" | xargs grep -InE \
    '(^|[^A-Za-z0-9_.$}~-])/(home|Users|work|workspace|root)/' /dev/null 2>/dev/null |
    grep -v '^tests/project/check_text.sh:' |
    sed 's/$/  (a path of some machine)/' | complain

# Half-done work is not for keeping.
sed 's/.*/"&"/' "$work/tracked" | xargs grep -InE '(^|[^A-Za-z])(TODO|FIXME|XXX)([^A-Za-z]|$)' /dev/null 2>/dev/null |
    grep -v '^tests/project/check_text.sh:' | sed 's/$/  (unfinished)/' | complain

grep '\.md$' "$work/tracked" | dangling_links | complain

grep '^docs/decisions/[0-9]' "$work/tracked" | while read -r file; do
    grep -q "(${file##*/})" docs/decisions/README.md || echo "docs/decisions/README.md does not list $file"
done | complain

[ ! -s "$work/complaints" ]
