#!/bin/sh
# check_fragments.sh SHFLVIZ - compares `shflviz mma` with data/fragment.csv, taken from the PTX ISA,
# and, for wmma, with data/wmma.csv, measured on GPUs. If there is a compiler, compares the CPU warp's
# wmma with data/wmma.csv, too.
cd "$(dirname "$0")" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# said INSTRUCTION TYPE - prints matrix, lane, element, row and column of each cell, as shflviz gives them, sorted.
said() { "$shflviz" mma "$1" --type "$2" --format csv | tr -d '\r' | tail -n +2 | cut -d, -f1,3,4,8,9 | sort; }

shflviz=$1
status=0
for row in $(tail -n +2 data/fragment.csv | cut -d, -f1,2 | sort -u); do
    shape=${row%,*} type=${row#*,}
    grep "^$row," data/fragment.csv | cut -d, -f3- | sort >"$work/wanted"
    said "$shape" "$type" | diff "$work/wanted" - >/dev/null || { echo "$shape $type differs"; status=1; }
done
for row in $(grep '^a,' data/wmma.csv | cut -d, -f2,3 | sort -u); do
    shape=${row%,*} type=${row#*,}
    case $type in s8 | u8) sum=s32 ;; f64) sum=f64 ;; *) sum=f32 ;; esac
    grep -E "^([ab],$row|c,$shape,$sum)," data/wmma.csv | awk -F, '{
        split("", seen)
        count = split($5, cell, " ")
        for (i = 1; i <= count; i++) # a lane may hold a cell twice
            if (!seen[cell[i]]++) {
                split(cell[i], at, ":")
                printf "%s,%d,%s%d,%d,%d\n", toupper($1), $4, $1, i - 1, at[1], at[2]
            }
    }' | sort >"$work/wanted"
    said "wmma.$shape" "$type" | diff "$work/wanted" - || { echo "wmma $shape $type differs"; status=1; }
done
"$shflviz" run -o /dev/null wmma.cu >"$work/wmma.csv" 2>"$work/err"
case $? in
0) diff "$work/wmma.csv" data/wmma.csv || { echo 'wmma on the CPU warp differs'; status=1; } ;;
3) cat "$work/err" ;; # something is missing on this machine
*) cat "$work/err" && status=1 ;;
esac
exit $status
