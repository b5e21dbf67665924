#!/bin/sh
# run.sh SHFLVIZ FOLDER [NAME.cu] - each program of a folder, or the one, by `shflviz run`: what it prints is NAME.out, its
# status that of the line "// status N" (else 0), and its standard error has the lines of NAME.err, if
# there is one, with long addresses as ADDRESS. A line "// run: OPTIONS" has options of the command.
# Three at a time.
set -u
shflviz=$1
folder=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$folder" || exit 2

one() {
    name=${1%.cu}
    wanted=$(sed -n 's|^// status \([0-9]*\).*|\1|p' "$1")
    options=$(sed -n 's|^// run: ||p' "$1")
    # shellcheck disable=SC2086 # options are words
    "$shflviz" run "$1" $options -o "$work/$name.svt" --lang en >"$work/$name.out" 2>"$work/$name.err" </dev/null
    status=$?
    sed 's/0x[0-9a-f]\{9,\}/ADDRESS/g' "$work/$name.err" >"$work/$name.told"
    cat "$name.err" >"$work/$name.lines" 2>/dev/null
    missing=$(grep -c . "$work/$name.lines")
    while IFS= read -r line; do
        grep -qxF -- "$line" "$work/$name.told" && missing=$((missing - 1))
    done <"$work/$name.lines"
    if [ "$status" != "${wanted:-0}" ] || [ "$missing" != 0 ] ||
        ! diff "$name.out" "$work/$name.out" >"$work/$name.diff"; then
        {
            echo "$1: status $status, wanted ${wanted:-0}; $missing lines missing of standard error"
            cat "$work/$name.diff" "$work/$name.err"
        } >"$work/$name.failed"
    fi
}

count=0
for program in ${3:-*.cu}; do
    one "$program" &
    count=$((count + 1))
    [ $((count % 3)) -ne 0 ] || wait
done
wait
cat "$work"/*.failed 2>/dev/null
failed=$(ls "$work" | grep -c '\.failed$')
echo "$count programs, $failed failed"
[ "$failed" = 0 ] && [ "$count" -gt 0 ]
