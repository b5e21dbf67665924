#!/bin/sh
# check_fragments.sh SHFLVIZ - what `shflviz mma` says is what data/fragment.csv has from the PTX ISA.
cd "$(dirname "$0")" || exit 2
tail -n +2 data/fragment.csv | cut -d, -f1,2 | sort -u | {
    status=0
    while IFS=, read -r shape type; do
        grep "^$shape,$type," data/fragment.csv | cut -d, -f3- | sort >"${TMPDIR:-/tmp}/wanted.$$"
        "$1" mma "$shape" --type "$type" --format csv | tr -d '\r' | tail -n +2 | cut -d, -f1,3,4,8,9 | sort |
            diff "${TMPDIR:-/tmp}/wanted.$$" - >/dev/null || { echo "$shape $type differs"; status=1; }
    done
    rm -f "${TMPDIR:-/tmp}/wanted.$$"
    exit $status
}
