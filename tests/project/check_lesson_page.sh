#!/bin/sh
# check_lesson_page.sh SOURCE SHFLVIZ - checks that the steps of docs/WRITING_LESSONS.md and of its
# Chinese version work, in their order.
#
# Follows each page in an empty folder, with this build's program:
#   <!-- file: NAME -->          before a fenced block: the block becomes that file
#   <!-- append: NAME -->        the block goes to the end of the file
#   <!-- after: TEXT NAME -->    the block goes below the first line that begins with TEXT
#   ```console                   a line "$ COMMAND" is run; it must exit with 0, or with N if it ends in
#                                a comment "exit N", and print the lines that follow; "..." matches
#                                any number of lines, even none
set -u
if [ $# -eq 2 ]; then
    for page in WRITING_LESSONS.md WRITING_LESSONS.zh.md; do
        "$0" "$1" "$2" "docs/$page" || exit 1
    done
    exit 0
fi
page=$1/$3
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/steps" "$work/here"
ln -s "$2" "$work/bin/shflviz"
PATH=$work/bin:$PATH
export XDG_STATE_HOME="$work/state" LC_ALL=C.UTF-8
unset LANGUAGE

# Each step of the page becomes a file: a line with its kind, its line number and its argument, then its content.
awk -v steps="$work/steps" '
    function step(kind, what) { name = sprintf("%s/%03d", steps, ++count); print kind "\t" NR "\t" what > name }
    function done() { if (name) close(name); name = "" }
    fence && $0 == fence { fence = ""; done(); next }
    fence == "" && /^```+/ {
        fence = $0; sub(/[^`].*/, "", fence)
        if (marker != "") { step(substr(marker, 1, index(marker, ":") - 1), substr(marker, index(marker, ":") + 2)); marker = "" }
        console = $0 == "```console"
        next
    }
    fence == "" && /^<!-- (file|append|after): .* -->$/ { marker = $0; sub(/^<!-- /, "", marker); sub(/ -->$/, "", marker); next }
    fence == "" && NF && marker != "" { print FILENAME ":" NR ": a marker without a block" > "/dev/stderr"; exit 1 }
    fence != "" && console && /^\$ / { done(); step("run", substr($0, 3)); next }
    fence != "" && name { print > name }
' "$page" || exit 1

fail() {
    echo "$page:$line: $*"
    failed=yes
}

# True if the output has the expected lines, where "..." matches any number of lines.
matches() { # expected, output
    awk '
        NR == FNR { expected[++wanted] = $0; next }
        { output[++printed] = $0 }
        END {
            next_line = 1
            for (i = 1; i <= wanted; i++) {
                if (expected[i] == "...") { skipping = 1; continue }
                while (skipping && next_line <= printed && output[next_line] != expected[i]) next_line++
                if (next_line > printed || output[next_line] != expected[i]) {
                    print "    is not printed: " expected[i]
                    exit 1
                }
                next_line++
                skipping = 0
            }
            if (!skipping && next_line <= printed) { print "    is not expected: " output[next_line]; exit 1 }
        }' "$1" "$2"
}

run() { # command
    expected=0
    case $1 in
    *'# exit '*) expected=${1##*'# exit '} ;;
    esac
    (cd "$work/here" && sh -c "$1") >"$work/output" 2>&1 </dev/null
    status=$?
    commands=$((commands + 1))
    [ "$status" = "$expected" ] || fail "$1: exit $status instead of $expected"
    matches "$work/text" "$work/output" || fail "$1: unexpected output"
    [ -z "$failed" ] || sed 's/^/    | /' "$work/output"
}

failed=
commands=0
tab=$(printf '\t')
for step in "$work"/steps/*; do
    IFS=$tab read -r kind line what <"$step"
    tail -n +2 "$step" >"$work/text"
    file=$work/here/${what##* }
    case $kind in
    file) mkdir -p "$(dirname "$file")" && cp "$work/text" "$file" ;;
    append) cat "$work/text" >>"$file" ;;
    after)
        awk -v begin="${what% *}" -v text="$work/text" '
            { print }
            !put && index($0, begin) == 1 { while ((getline added < text) > 0) print added; put = 1 }
            END { exit !put }' "$file" >"$work/changed" || fail "$file: no line begins with ${what% *}"
        cp "$work/changed" "$file"
        ;;
    run) run "$what" ;;
    esac
    [ -z "$failed" ] || exit 1
done
[ "$commands" -ge 6 ] || { echo "only $commands commands found"; exit 1; }
