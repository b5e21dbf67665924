#!/bin/sh
# check_vocabulary.sh SOURCE - checks that Chinese texts use one word for each thing: words that
# docs/TRANSLATING.md excludes are not used, and 通道 has no spaces around it, left over from a replaced
# "lane".
set -u
cd "$1" || exit 2

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# The excluded words, one per line: the first column of the table with the heading "| Not | But |".
sed -n '/^| Not | But |$/,$s/^| \([^|]*\) | .*/\1/p' docs/TRANSLATING.md | grep -v '^\(Not\|---\)' >"$work/words"
[ "$(wc -l <"$work/words")" -ge 15 ] || { echo 'docs/TRANSLATING.md lists fewer than 15 words that are not used'; exit 1; }

# FILE:LINE:TEXT of all Chinese texts: the translations of po/zh.po, and the files in Chinese.
awk '/^msgid|^#/ { shown = 0 } /^msgstr/ { shown = 1 } shown { print FILENAME ":" FNR ":" $0 }' po/zh.po >"$work/texts"
for file in lessons/*/zh.md exercises/*/zh.md docs/*.zh.md README.zh.md; do
    [ -f "$file" ] && grep -nv '^keywords:' "$file" | sed "s|^|$file:|"
done >>"$work/texts"

{
    grep -nFf "$work/words" "$work/texts" | cut -d: -f2- | sed 's/$/  (not used: docs\/TRANSLATING.md says what is)/'
    LC_ALL=C grep -a "$(printf '通道 [\344-\351]')" "$work/texts" | sed 's/$/  (a blank between 通道 and Chinese)/'
} >"$work/complaints"
cat "$work/complaints"
[ ! -s "$work/complaints" ]
