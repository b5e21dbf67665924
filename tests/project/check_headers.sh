#!/bin/sh
# check_headers.sh SOURCE CC CXX - every header compiles alone, in each language it is meant for.
set -u
source=$1
cc=$2
cxx=$3
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
    # Through -include, because the compiler has its own opinion about a header as the main file.
    if ! "$compiler" -x "$language" "-std=$standard" -D_GNU_SOURCE -Wall -Wextra -Werror \
        -fsyntax-only -Isrc -Isrc/recorder/include "$@" -include "$header" /dev/null 2>"$work/said"; then
        echo "$header does not compile alone as $language:"
        sed 's/^/    /' "$work/said"
        : >"$work/failed"
    fi
}

count=0
for header in $(find src -name '*.h' | sort); do
    count=$((count + 1))
    case $header in
    src/device/cuda/* | src/recorder/*/cpu/small_*.h | src/recorder/*/record_cpu.h | src/recorder/*/groups/*) ;; # C++, below
    src/recorder/* | src/device/* | src/measure/*) alone c "$cc" gnu17 "$header" -Isrc/device/cuda ;;
    *) alone c "$cc" gnu17 "$header" ;;
    esac
done
[ "$count" -ge 10 ] || {
    echo "only $count headers found under $source/src"
    exit 1
}

# Shared with C++ and with CUDA C++.
alone c++ "$cxx" c++17 src/trace/record.h

# What a kernel includes: the recorder, and the CUDA headers for the host.
for header in $(find src/device/cuda src/recorder -name '*.h' -o -name '*.cuh' | sort); do
    case $header in
    */record_cpu.h | */record_gpu.cuh) continue ;; # the two halves of record.cuh, its alone
    esac
    grep -q '^#error .*docs/CUDA.md lists what is' "$header" && continue # refuses a library by name
    alone c++ "$cxx" c++17 "$header" -Isrc/device/cuda -Isrc/recorder/include/shflviz/groups
done

[ ! -e "$work/failed" ]
