#!/bin/sh
# steps_are_small.sh SHFLVIZ: checks that a step takes at most 64 bytes on disk, on average over the
# kernels with random inputs and over whole files; a record takes 512.
set -eu
shflviz=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bytes=0 steps=0 kernels=0
for kernel in $("$shflviz" kernel | sed 's/ .*//'); do
    takes=$("$shflviz" kernel "$kernel" --help | sed -n 's/^  takes//p')
    set --
    case $takes in *--threads*) set -- "$@" --threads 1024 ;; esac
    case $takes in *--blocks*) set -- "$@" --blocks 8 ;; esac
    case $takes in *--in*) set -- "$@" --in random:7 ;; esac
    # Only the last line of the output matters; two of the kernels do not finish.
    "$shflviz" kernel "$kernel" "$@" --format csv -o "$work/one.svt" 2>"$work/errors" |
        tail -n 1 >"$work/last"
    [ -f "$work/one.svt" ] || {
        grep -q 'does not finish' "$work/errors" || cat "$work/errors"
        continue
    }
    last=$(sed 's/,.*//' "$work/last")
    size=$(wc -c <"$work/one.svt")
    rm "$work/one.svt"
    bytes=$((bytes + size)) steps=$((steps + last + 1)) kernels=$((kernels + 1))
done
echo "$kernels kernels, $steps steps: $((bytes * 10 / steps)) tenths of a byte per step"
[ "$kernels" -ge 40 ] && [ "$steps" -ge 20000 ] && [ "$bytes" -le $((64 * steps)) ]
