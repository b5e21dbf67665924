#!/bin/sh
# check_text.sh SOURCE - checks that tracked files are small and name no particular machine, links are not
# broken, Markdown is wrapped, documents have few words, and known mistakes in English do not return.
set -u
. "$(dirname "$0")/links.sh"
cd "$1" || exit 2

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
complain() { tee -a "$work/complaints"; }

# An unpacked release has no list of tracked files; ctest counts 77 as skipped.
git ls-files >"$work/tracked" 2>/dev/null && [ -s "$work/tracked" ] || exit 77

while read -r file; do
    [ -f "$file" ] || continue # deleted, but not yet committed
    bytes=$(wc -c <"$file")
    [ "$bytes" -lt 1048576 ] || echo "$file has $bytes bytes; 1 MiB is the limit for a tracked file"
done <"$work/tracked" | complain

# Checks only text: grep -I skips pictures and recordings.
sed 's/.*/"&"/' "$work/tracked" | xargs grep -InE \
    '(^|[^A-Za-z0-9_.$}~-])/(home|Users|work|workspace|root)/' /dev/null 2>/dev/null |
    grep -v '^tests/project/check_text.sh:' |
    sed 's/$/  (a path of some machine)/' | complain

# Unfinished work is not committed.
sed 's/.*/"&"/' "$work/tracked" | xargs grep -InE '(^|[^A-Za-z])(TODO|FIXME|XXX)([^A-Za-z]|$)' /dev/null 2>/dev/null |
    grep -v '^tests/project/check_text.sh:' | sed 's/$/  (unfinished)/' | complain

grep '\.md$' "$work/tracked" | dangling_links | complain

# Markdown is at most 100 columns wide, except for tables, code and lines without a space. Lessons
# are not checked: their authors wrap them.
grep '\.md$' "$work/tracked" | grep -v -e '^lessons/' -e '^tests/' >"$work/documents"
[ "$(wc -l <"$work/documents")" -ge 20 ] || echo "only $(wc -l <"$work/documents") documents found" | complain
while read -r file; do
    [ -f "$file" ] || continue
    # Leaves one byte per character, by removing UTF-8 continuation bytes.
    LC_ALL=C tr -d '\200-\277' <"$file" | awk -v file="$file" '
        /^ *```/ { code = !code }
        !code && !/^(\||    |<!--|!\[)/ && / / && length > 100 {
            printf "%s:%d: %d columns wide; text is wrapped at 100\n", file, NR, length
        }'
done <"$work/documents" | complain

words=$(cat README*.md docs/*.md | LC_ALL=C awk '{ words += NF } END { print words }') # wc -w depends on its version
[ "$words" -le 30000 ] || echo "README*.md and docs/*.md have $words words; 30000 are allowed: shorten something" | complain

# Wrong or retired English in documents, in headers, and in texts that users see.
wrong='can(not)? be had|could be had|(^|[^a-z])the own( |$)|(is|are|was|were) told([.,;:]| [^t]|$)|for want of|(^|[^a-z])shall([^a-z]|$)'
wrong="$wrong|what there is of|whatever there is of|([Ss]ay|[Tt]ell)s? (to )?who |(^|[.;:(] )Who [a-z]+ (must|may|can|gets|is|has) |stands? (at|above|below|beside|there|behind|alone|in it|in them)([ .,;:]|$)|mended for"
xargs grep -nE "$wrong" <"$work/documents" /dev/null >"$work/english"
grep '^\(src\|lib\)/.*\.h$' "$work/tracked" | xargs grep -nE "$wrong" /dev/null >>"$work/english"
grep '^\(src\|lib\)/.*\.c$' "$work/tracked" | grep -v '^lib/[a-z]*/tests/' | xargs grep -nE "\"[^\"]*($wrong)" /dev/null >>"$work/english"
# Comments are sentences, or name what the next line declares (docs/STYLE.md).
starts='((/\*|^ *\*|//|[.:;]) +(What|Whether|Who|Whose|Whom|That which)|(/\*|//) +Of) [^?]*$'
grep -E '^(src|lib|tests|bench|web)/.*\.(c|h|cu|cuh|cc|inc)$' "$work/tracked" >"$work/sources"
[ "$(wc -l <"$work/sources")" -ge 500 ] || echo "only $(wc -l <"$work/sources") sources found" | complain
xargs grep -nE "$starts|(^|[^a-zA-Z])([Ww]hoever|[Ww]homever)([^a-z]|\$)|for want of|stands? for (the|a)" <"$work/sources" /dev/null |
    grep -vE '"[^"]*(What|Who|who|Of|Whether|stand)' >>"$work/english"
# Retired words: the first table of docs/STYLE.md. Strings in sources are skipped: they are data, or messages, which
# are checked in po/zh.po.
sed -n '/^| Retired | But |$/,/^$/s/^| \([^|]*[^ |]\) *| .*/\1/p' docs/STYLE.md | grep -v '^\(Retired\|---\)' >"$work/retired"
[ "$(wc -l <"$work/retired")" -ge 5 ] || echo "only $(wc -l <"$work/retired") retired words found" | complain
{ grep -v '^docs/STYLE.md$' "$work/documents"; cat "$work/sources"; echo po/zh.po; } | xargs awk -v list="$work/retired" '
    BEGIN { while ((getline word < list) > 0) words = words "|" word; words = "(^|[^a-z])(" substr(words, 2) ")([^a-z]|$)" }
    { line = tolower($0) }
    FILENAME ~ /\.(c|h|cu|cuh|cc|inc)$/ { gsub(/"[^"]*"/, "", line) }
    line ~ words { print FILENAME ":" FNR ":" $0 }' >>"$work/english"
grep -v ' told to' "$work/english" | sed 's/$/  (not good English; see docs\/STYLE.md)/' | complain

grep '^docs/decisions/[0-9]' "$work/tracked" | while read -r file; do
    grep -q "(${file##*/})" docs/decisions/README.md || echo "docs/decisions/README.md does not list $file"
done | complain

[ ! -s "$work/complaints" ]
