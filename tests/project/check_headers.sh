#!/bin/sh
# check_headers.sh SOURCE CC CXX BUILD - checks that every header compiles alone, in each language it is meant for.
set -u
source=$1
cc=$2
cxx=$3
cuda="-Ilib/cudacpu/include -I$4/cudacpu-headers"
# LLVM's headers, which only cudacpu-instrument includes.
llvm=$(sed -n 's|^SHFLVIZ_LLVM_INCLUDE:INTERNAL=\(..*\)|-isystem \1|p' "$4/CMakeCache.txt")
cd "$source" || exit 2

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# alone LANGUAGE COMPILER STANDARD HEADER INCLUDE-DIRECTORIES...
alone() {
    language=$1
    compiler=$2
    standard=$3
    header=$4
    shift 4
    # Uses -include, because compilers treat a header differently if it is the main file.
    if ! said=$("$compiler" -x "$language" "-std=$standard" -D_GNU_SOURCE -Wall -Wextra -Werror \
        -fsyntax-only -Isrc -Ilib -Ilib/trace/include -Ilib/simt/include -Ilib/recorder/include "$@" -include "$header" /dev/null 2>&1); then
        echo "$header does not compile alone as $language:"
        printf '%s\n' "$said" | sed 's/^/    /'
        : >"$work/failed"
    fi
}

# Headers for kernels: those of the recorder, and the CUDA headers for the host.
cuda_alone() {
    alone c++ "$cxx" c++17 "$1" $cuda -Ilib/recorder/include/shflviz/groups
}

# A header that only includes another one compiles if that one compiles, so all of these are compiled
# together.
only_includes() {
    awk '{ gsub(/\/\*[^*]*\*\//, "") }
        /\/\*/ { inside = 1 }
        inside { if (/\*\//) inside = 0; next }
        /^#(include|ifndef|endif|pragma once|define [A-Za-z0-9_]+$)/ || /^[ \t]*$/ { next }
        { more = 1; exit }
        END { exit more }' "$1"
}

for header in $(find src lib -name '*.h' | sort); do
    case $header in
    lib/cudacpu/include/* | lib/simt/*/warp_operations.h | lib/recorder/*/groups/*) ;; # C++, below
    lib/cudacpu/instrument/*) [ -z "$llvm" ] || echo alone c "$cc" gnu17 "$header" $cuda "$llvm" ;;
    lib/*) echo alone c "$cc" gnu17 "$header" $cuda ;;
    *) echo alone c "$cc" gnu17 "$header" ;;
    esac
done >"$work/list"
# C headers that C++ and CUDA C++ also include.
echo alone c++ "$cxx" c++17 lib/trace/record.h >>"$work/list"
for header in $(find lib/cudacpu/include lib/simt/include lib/recorder -name '*.h' -o -name '*.cuh' | sort); do
    case $header in
    */warp_operations.h | */record_gpu.cuh) continue ;; # the two halves of record.cuh, which only it includes
    */both_sides.h | */allocation.h | */program.cuh) continue ;; # for clang's CUDA mode
    esac
    if only_includes "$header"; then
        echo "#include \"$PWD/$header\"" >>"$work/together.h"
    else
        echo cuda_alone "$header" >>"$work/list"
    fi
done
[ ! -e "$work/together.h" ] || echo cuda_alone "$work/together.h" >>"$work/list"

for part in 0 1 2 3; do
    awk "NR % 4 == $part" "$work/list" >"$work/list.$part"
    (while read -r line; do $line; done <"$work/list.$part") &
done
wait
count=$(grep -c . "$work/list")
echo "$count headers"
[ "$count" -ge 100 ] && [ ! -e "$work/failed" ]
