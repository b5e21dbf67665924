#!/bin/sh
# check_course.sh SOURCE - checks that docs/COURSE.md and docs/PITFALLS.md agree with the course: every
# lesson, beat, rule of `check` and program of `kernel` that they name exists, every lesson is named, and
# no pitfall is left out. Also checks that lessons and exercises name each other.
set -u
cd "$1" || exit 2

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
complain() { tee -a "$work/complaints"; }

pitfalls=46

# Things that exist, one per line: "lesson NAME", "beat NAME/ID", "question NAME/ID", "rule NAME" or
# "program NAME".
grep -v '^#' lessons/order | while read -r lesson; do
    [ -n "$lesson" ] || continue
    echo "lesson $lesson"
    sed -n 's/^## .*{#\([A-Za-z0-9-]*\)}[[:space:]]*$/\1/p' "lessons/$lesson/en.md" | sed "s|^|beat $lesson/|"
    awk -v lesson="$lesson" '/^## .*\{#/ { id = $0; sub(/.*\{#/, "", id); sub(/}.*/, "", id) }
                             $0 == "```ask" { print "question " lesson "/" id }' "lessons/$lesson/en.md"
done >"$work/there"
sed -n 's/^    {"\([a-z_]*\)",.*/rule \1/p' src/check/rule.c >>"$work/there"
sed -n 's/^ *{"\([a-z0-9-]*\)",$/program \1/p' kernels/*/*.cu >>"$work/there"

# Things that the documents name, in lines "FILE:LINE lesson NAME" and so on. They are in tables, in
# columns with these titles:
#   Lesson/part, Treated in, Taught in   "scan/if, scan/outside, check `mask_forgotten`"
#   Asked in                   the same, for beats that ask a question
#   Lesson                     "scan"
#   Program                    "scan-8"
for file in docs/COURSE.md docs/PITFALLS.md docs/COURSE.zh.md docs/PITFALLS.zh.md docs/READING.zh.md; do
    awk -F'|' -v file="$file" '
        function strip(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }
        function tell(what) { print file ":" NR, what }
        !/^\|/ { heading = 1; next }
        heading {
            heading = 0
            delete kind
            for (i = 2; i < NF; i++) {
                title = strip($i)
                if (title ~ /^(Lesson\/part|Treated in|Taught in|课\/节|何处讲到|何处教)$/) kind[i] = "beat "
                if (title == "Asked in" || title == "何处问") kind[i] = "question "
                if (title == "Lesson") kind[i] = "lesson "
                if (title == "Program" || title == "程序") kind[i] = "program "
            }
            next
        }
        /^\|[-|: ]*$/ { next }
        {
            for (column in kind) {
                count = split($column, names, ",")
                for (i = 1; i <= count; i++) {
                    name = strip(names[i])
                    if (name ~ /^check `[a-z_]+`$/) {
                        gsub(/^check `|`$/, "", name)
                        tell("rule " name)
                    } else if (name != "") {
                        tell(kind[column] name)
                    }
                }
            }
        }' "$file"
done >"$work/named"

[ -s "$work/there" ] && [ -s "$work/named" ] || echo "no lessons, or no document that names them" | complain

while read -r place what; do
    grep -qxF -- "$what" "$work/there" || echo "$place: this does not exist: $what"
done <"$work/named" | complain

# Each lesson is in a table of the course; otherwise it has no purpose, or has been forgotten.
sed -n 's/^lesson //p' "$work/there" | while read -r lesson; do
    grep -qE "^docs/COURSE.md:[0-9]+ (beat $lesson/|lesson $lesson\$)" "$work/named" ||
        echo "docs/COURSE.md does not name the lesson $lesson"
done | complain

# Each pitfall has a unique number, and something covers it.
number=1
while [ "$number" -le "$pitfalls" ]; do
    line=$(grep -n "^| $number |" docs/PITFALLS.md | cut -d: -f1)
    case $line in
    '') echo "docs/PITFALLS.md lacks pitfall $number" ;;
    *[!0-9]*) echo "docs/PITFALLS.md has pitfall $number more than once" ;;
    *)
        grep -qE "^docs/PITFALLS.md:$line (beat|rule|program) " "$work/named" ||
            echo "docs/PITFALLS.md:$line: nothing covers pitfall $number"
        ;;
    esac
    number=$((number + 1))
done | complain

# A lesson names the exercises that practise it, and these exercises name the lesson: both lists agree.
header() { sed -n "2,/^---/s/^$2: *//p" "$1"; }
grep -v '^#' lessons/order | while read -r lesson; do
    for exercise in $(header "lessons/$lesson/en.md" exercises); do
        echo "$lesson $exercise"
    done
done | sort >"$work/practised"
grep -v '^#' exercises/order | while read -r exercise; do
    for lesson in $(header "exercises/$exercise/en.md" lessons); do
        echo "$lesson $exercise"
    done
done | sort >"$work/taught"
[ -s "$work/practised" ] || echo "no lesson names an exercise" | complain
comm -23 "$work/practised" "$work/taught" | while read -r lesson exercise; do
    echo "lessons/$lesson/en.md names exercise $exercise, which does not name the lesson"
done | complain
comm -13 "$work/practised" "$work/taught" | while read -r lesson exercise; do
    echo "exercises/$exercise/en.md names lesson $lesson, which does not name the exercise"
done | complain

# Each exercise has the texts that the list shows, in every language; exercises of one chapter are
# listed together.
grep -v '^#' exercises/order | while read -r exercise; do
    for key in level minutes lessons chapter; do
        [ -n "$(header "exercises/$exercise/en.md" $key)" ] || echo "exercises/$exercise/en.md has no line '$key'"
    done
    for file in exercises/"$exercise"/*.md; do
        [ -n "$(header "$file" chapter)" ] || echo "$file has no line 'chapter'"
    done
    header "exercises/$exercise/en.md" chapter >>"$work/chapters"
done | complain
uniq "$work/chapters" | sort | uniq -d | sed 's/^/exercises\/order: not listed together: exercises of /' | complain

# The documents name the same things in both languages.
for file in docs/PITFALLS.md docs/PITFALLS.zh.md; do
    sed -n 's/^| \([0-9]*\) | [^|]* | \([^|]*| [^|]*\)|.*/\1 \2/p' "$file" >"$work/${file##*/}"
done
for file in COURSE.md COURSE.zh.md; do
    sed -nE "s#^docs/$file:[0-9]+ (beat|question)#\\1#p" "$work/named" >"$work/$file"
done
for name in PITFALLS COURSE; do
    [ "$(wc -l <"$work/$name.md")" -ge "$pitfalls" ] || echo "docs/$name.md: too few rows found to compare"
    diff "$work/$name.md" "$work/$name.zh.md" >"$work/differ" || {
        echo "docs/$name.md (<) and docs/$name.zh.md (>) name different beats:"
        cat "$work/differ"
    }
done | complain

[ ! -s "$work/complaints" ]
