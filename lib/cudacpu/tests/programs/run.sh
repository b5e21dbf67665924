#!/bin/sh
# run.sh COMMAND FOLDER - runs each program in the folders of FOLDER with `shflviz run` or with
# `cudacpu`. Its output must be that in NAME.out, its status that in the line "// status N" (0 if
# there is none), and its standard error must contain the lines of NAME.err, if there is one, with
# long addresses as ADDRESS. A line "// run: OPTIONS" has options for shflviz run. cudacpu has no
# options, no special status for a failed kernel, and no line numbers in its messages: with it,
# programs with `// status` or `// run:` are skipped, and standard error is not checked.
set -u
command=$1
folder=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$folder" || exit 2

one() { # FOLDER/NAME.cu
    name=$(basename "$1" .cu)
    cd "${1%/*}" || exit 2
    wanted=$(sed -n 's|^// status \([0-9]*\).*|\1|p' "$name.cu")
    options=$(sed -n 's|^// run: ||p' "$name.cu")
    case $command in
    */cudacpu) set -- "$command" "$name.cu" ;;
    *) set -- "$command" run "$name.cu" $options -o "$work/$name.svt" --lang en ;; # options are separate words
    esac
    "$@" >"$work/$name.out" 2>"$work/$name.said" </dev/null
    status=$?
    sed 's/0x[0-9a-f]\{9,\}/ADDRESS/g' "$work/$name.said" >"$work/$name.told"
    case $command in
    */cudacpu) : >"$work/$name.lines" ;;
    *) cat "$name.err" >"$work/$name.lines" 2>/dev/null ;;
    esac
    missing=$(grep -c . "$work/$name.lines")
    while IFS= read -r line; do
        grep -qxF -- "$line" "$work/$name.told" && missing=$((missing - 1))
    done <"$work/$name.lines"
    if [ "$status" != "${wanted:-0}" ] || [ "$missing" != 0 ] ||
        ! diff "$name.out" "$work/$name.out" >"$work/$name.diff"; then
        {
            echo "$name.cu: status $status, wanted ${wanted:-0}; $missing lines of standard error missing"
            cat "$work/$name.diff" "$work/$name.said"
        } >"$work/$name.failed"
    fi
}

# Runs three at a time.
count=0
for program in */*.cu; do
    case $command in */cudacpu) grep -qE '^// (status|run:)' "$program" && continue ;; esac
    one "$program" &
    count=$((count + 1))
    [ $((count % 3)) -ne 0 ] || wait
done
wait
cat "$work"/*.failed 2>/dev/null
failed=$(ls "$work" | grep -c '\.failed$')
echo "$count programs, $failed failed"
[ "$failed" = 0 ] && [ "$count" -gt 50 ]
