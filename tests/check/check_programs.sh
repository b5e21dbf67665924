#!/bin/sh
# check_programs.sh SHFLVIZ FOLDER OPTIONS... [ROOM/NAME.cu] - what `shflviz check` finds in each program
# of a folder's rooms, or the one, against what its lines say: "// finds RULE RULE..." means these rules
# there, or on the next line where it is a line of its own, and no others.
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
    name=${program##*/} # as it is said
    awk -v name="$name" '{ at = index($0, "// finds ")
           if (!at) next
           n = split(substr($0, at + 9), rule, " ")
           line = FNR + ($0 ~ /^ *\/\/ finds/)
           for (i = 1; i <= n; i++) print rule[i] ": " name ":" line }' "$program" | sort >"$work/wanted"
    # shellcheck disable=SC2086 # options are words
    NO_COLOR=1 "$shflviz" check "$program" --lang en $options >"$work/said" 2>&1
    status=$?
    sed -n "s/^ *\([a-z_]*: $name:[0-9]*\).*/\1/p" "$work/said" | sort >"$work/found"
    wanted_status=0
    [ -s "$work/wanted" ] && wanted_status=1
    # What breaks no rule must have run to its end, too.
    [ "$wanted_status" = 1 ] || ! grep -q 'cut short' "$work/said" || status=unfinished
    if ! cmp -s "$work/wanted" "$work/found" || [ "$status" != "$wanted_status" ]; then
        echo "$program: exit $status, wanted $wanted_status; wanted and found:"
        diff "$work/wanted" "$work/found"
        cat "$work/said"
        failed=$((failed + 1))
    fi
done
echo "$count programs, $failed failed"
[ "$failed" = 0 ] && [ "$count" -gt 0 ]
