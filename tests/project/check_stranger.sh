#!/bin/sh
# check_stranger.sh SOURCE BUILD CMAKE FLAGS - builds a separate project with the installed files, using
# find_package() and pkg-config. FLAGS: this build's options for instrumentation.
set -u
source=$1
build=$2
cmake=$3
flags=${4-}

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"
prefix=$work/prefix
"$cmake" --install "$build" --prefix "$prefix" >"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
}
# The files were installed to a folder other than the configured one, and are moved again: none of them
# may name its folder.
mv "$prefix" "$work/moved" && prefix=$work/moved

# If there is an nvcc, it also compiles the kernel for a GPU, but nothing is run there.
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
[ -n "$nvcc" ] || echo 'no nvcc on this machine: the kernel is compiled for the CPU warp only'

generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$build/CMakeCache.txt")
"$cmake" -G "$generator" -S "$source/tests/project/stranger" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" \
    -DNVCC="$nvcc" -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" >"$work/log" 2>&1 &&
    "$cmake" --build "$work/build" >>"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
}
[ -z "$nvcc" ] || [ -s "$work/build/warp_sum.o" ] || {
    echo "$nvcc left no object file"
    exit 1
}

# In the last of five rounds lane 0 gets the sum of the odd lanes, 16 * 100 + 256, and lane 31 gets that
# of the even lanes, 16 * 100 + 240.
status=0
expect() { # Arguments: the expected output, command...
    wanted=$1
    shift
    got=$("$@" 2>&1)
    [ "$got" = "$wanted" ] || {
        printf '%s: got "%s", not "%s"\n' "$*" "$got" "$wanted"
        status=1
    }
}
line='__shfl_xor_sync line 8: lane 0 got 1856 from lane 1, lane 31 got 1840'
expect "$line" "$work/build/last_values" "$work/build/warp_sum.svt"
expect '5 steps' "$work/build/count_steps" "$work/build/warp_sum.svt"
printf 'no recording\n' >"$work/text"
expect "cannot read '$work/text': it is not a shflviz recording" \
    sh -c '"$@" 2>&1 | head -n 1' sh "$work/build/last_values" "$work/text"

# The same reader, built with pkg-config.
export PKG_CONFIG_PATH="$(dirname "$(find "$prefix" -name shflviz.pc)")"
version=$(sed -n 's/^project(shflviz VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
expect "$version" pkg-config --modversion shflviz
# shellcheck disable=SC2046,SC2086 # options, each a word
${CC:-cc} $flags "$source/tests/project/stranger/last_values.c" -o "$work/by_pkg_config" \
    $(pkg-config --cflags --libs shflviz) && expect "$line" "$work/by_pkg_config" "$work/build/warp_sum.svt" || status=1
exit $status
