#!/bin/sh
# check_programs.sh SHFLVIZ FOLDER OPTIONS... [ROOM/NAME.cu] - compares the findings of `shflviz
# check` in each program below a folder, or in the given program, with the program's comments: after
# "// finds RULE RULE..." exactly these rules must be found at that line, or at the next line if the
# comment is alone on its line; "// notes RULE" is the same for notes, which are not failures;
# "// says TEXT" means that the report must contain the text.
set -u
shflviz=$1
folder=$2
shift 2
programs=*/*.cu
options=
for word; do
    case $word in
    *.cu) programs=$word ;;
    *) options="$options $word" ;;
    esac
done
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$folder" || exit 2
failed=0
count=0
for program in $programs; do
    count=$((count + 1))
    name=${program##*/} # the name in the report
    awk -v name="$name" '{ if (!match($0, /\/\/ (finds|notes) /)) next
           n = split(substr($0, RSTART + RLENGTH), rule, " ")
           line = FNR + ($0 ~ /^ *\/\/ (finds|notes)/)
           for (i = 1; i <= n; i++) print rule[i] ": " name ":" line }' "$program" | sort >"$work/wanted"
    # shellcheck disable=SC2086 # options are separate words
    NO_COLOR=1 "$shflviz" check "$program" --lang en $options >"$work/said" 2>&1
    status=$?
    sed -n "s/^ *\([a-z_]*: $name:[0-9]*\).*/\1/p" "$work/said" | sort >"$work/found"
    wanted_status=0
    grep -q '// finds ' "$program" && wanted_status=1
    # A program that breaks no rule must also run to its end.
    [ "$wanted_status" = 1 ] || ! grep -q 'cut short' "$work/said" || status=unfinished
    sed -n 's/.*\/\/ says //p' "$program" >"$work/says"
    : >"$work/missing"
    while IFS= read -r text; do
        grep -qF -e "$text" "$work/said" || echo "missing: $text" >>"$work/missing"
    done <"$work/says"
    # Each finding has a line, and a kernel unless it is about the host's access or call.
    said=$(sed -n 's/^\([0-9]*\) findings*\(, \([0-9]*\) notes*\)* in .*/\1 + 0\3/p' "$work/said")
    of_host='error_ignored|call_failed|launch_refused|memory_not_freed|memory_unused'
    [ "$name" != host_access.cu ] || of_host=wrong_memory_space
    placed=$(grep -cE "^ *([a-z_]*: $name:[0-9]*  [^ ]|($of_host): $name:[0-9]*(  \(note\))?\$)" "$work/said")
    [ "$((${said:-0}))" = "$placed" ] || echo "$said findings, $placed with line and kernel" >>"$work/missing"
    if [ -s "$work/missing" ] || ! cmp -s "$work/wanted" "$work/found" || [ "$status" != "$wanted_status" ]; then
        echo "$program: exit $status, wanted $wanted_status; wanted and found:"
        diff "$work/wanted" "$work/found"
        cat "$work/missing"
        cat "$work/said"
        failed=$((failed + 1))
    fi
done
echo "$count programs, $failed failed"
[ "$failed" = 0 ] && [ "$count" -gt 0 ]
