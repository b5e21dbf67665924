#!/bin/sh
# sides.sh CUDACPU FOLDER - checks that each case of FOLDER/sides.txt either compiles and runs, or
# is refused, as nvcc would refuse it: the message names the line that ends in "// here" and the
# function or variable. A case begins with a line "== compiles TITLE" or "== refused NAME TITLE";
# main() is added to it.
set -u
command=$1
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

awk -v work="$work" '
/^== / { file = work "/" ++count ".cu"; print > (file ".case"); next }
count { print > file }
END { for (i = 1; i <= count; i++) print "int main() {\n    return 0;\n}" > (work "/" i ".cu") }' "$2/sides.txt"

one() { # FILE.cu
    read -r _ wanted name _ <"$1.case"
    "$command" "$1" >"$1.said" 2>&1 </dev/null
    status=$?
    if [ "$wanted" = compiles ]; then
        [ $status = 0 ] && return
    else
        line=$(grep -n '// here$' "$1" | cut -d: -f1)
        [ $status != 0 ] && grep -qE "$(basename "$1"):$line: error: (.*[^a-zA-Z_0-9])?$name([^a-zA-Z_0-9]|$)" "$1.said" && return
    fi
    {
        cat "$1.case"
        head -5 "$1.said"
    } >"$1.failed"
}

count=0
for file in "$work"/*.cu; do
    one "$file" &
    count=$((count + 1))
    [ $((count % 3)) -ne 0 ] || wait
done
wait
cat "$work"/*.failed 2>/dev/null
failed=$(ls "$work" | grep -c '\.failed$')
echo "$count cases, $failed failed"
[ "$failed" = 0 ] && [ "$count" -gt 20 ]
