#!/bin/sh
# run.sh SHFLVIZ FOLDER: each NAME.cu of the folder is run as a program of somebody's own. What it
# prints must be NAME.out. Its first lines may say more: "// run: OPTIONS" of the command,
# "// status: N" that it ends with.
shflviz=$1
failed=0
cd "$2" || exit 1
for source in *.cu; do
    name=${source%.cu}
    options=$(sed -n '1,2s/^\/\/ run: *//p' "$source")
    expected=$(sed -n '1,2s/^\/\/ status: *//p' "$source")
    # shellcheck disable=SC2086 # options are words
    got=$("$shflviz" run "$source" $options 2>&1 </dev/null)
    status=$?
    got=$(printf '%s\n' "$got" | grep -v -e '^shflviz: [0-9]* launch' -e '^qemu: ')
    if [ "$status" != "${expected:-0}" ] || [ "$got" != "$(cat "$name.out")" ]; then
        printf '%s: status %s\n%s\n' "$name" "$status" "$got"
        failed=1
    fi
done
exit $failed
