#!/bin/sh
# check_header_cache.sh SHFLVIZ CLANG - checks that the compiled header is made in the background of the
# first program, is used by all kinds of builds, and never gets in the way.
set -u
shflviz=$1
clang=$2
work=$(mktemp -d) || exit 2
trap 'await 0 temporary; rm -rf "$work"' EXIT
cd "$work" || exit 2
export XDG_CACHE_HOME="$work/cache"
unset SHFLVIZ_HEADERS SHFLVIZ_CLANG
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}

# expect TEXT COMMAND... - the command must print TEXT.
expect() {
    wanted=$1
    shift
    got=$("$@" 2>err </dev/null)
    [ "$got" = "$wanted" ] || fail "$*: '$got', not '$wanted'; $(cat err)"
}

# compiled - prints the number of compiled headers.
compiled() {
    find cache -name host.pch 2>/dev/null | wc -l | tr -d ' '
}

cat >sum.cu <<'END'
#include <cstdio>
#include <vector>
__global__ void sum(int *out) {
    int value = threadIdx.x;
    for (int distance = 16; distance; distance /= 2)
        value += __shfl_xor_sync(0xffffffff, value, distance);
    out[threadIdx.x] = value;
}
int main() {
    int *out;
    cudaMallocManaged(&out, 32 * sizeof *out);
    sum<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    std::vector<int> values(out, out + 32);
#ifdef TWICE
    values[7] *= 2;
#endif
    printf("%d\n", values[7]);
}
END
sed 's/int value/volatile int value/' sum.cu >volatile.cu
sed 's/int main() {/int main() {\n    undeclared = 1;/' sum.cu >wrong.cu

# await NUMBER COMMAND - waits until the command prints NUMBER, for four minutes at most: background
# work yields to all other work on the machine.
await() {
    tries=0
    while [ "$($2)" != "$1" ]; do
        tries=$((tries + 1))
        [ $tries -lt 2400 ] || { fail "$2: not $1 after four minutes"; break; }
        sleep 0.1
    done
}

# temporary - prints the number of headers being made.
temporary() {
    find cache -name 'headers-*.??????' ! -name '*.unable' 2>/dev/null | wc -l | tr -d ' '
}

# The header does not delay the first program, nor those that are built while it is being made.
expect 496 "$shflviz" run sum.cu
expect 496 "$shflviz" run sum.cu
await 1 compiled
await 0 temporary

# The header is kept as long as its inputs are unchanged.
header=$(find cache -name host.pch)
before=$(ls -i "$header")
expect 496 "$shflviz" run sum.cu
[ "$before" = "$(ls -i "$header")" ] || fail "the header was made again, although nothing has changed"

# doctor also makes a header, which the next program uses.
rm -r cache
"$shflviz" doctor >out 2>&1 </dev/null || fail "doctor: $(cat out)"
await 1 compiled
await 0 temporary
before=$(find cache -name 'headers-*')
expect 496 "$shflviz" run sum.cu
[ "$(find cache -name 'headers-*')" = "$before" ] || fail "doctor's header is not the one that a program needs"
rm -r cache

# From here on the header is made in the foreground. A damaged header is made again.
export SHFLVIZ_HEADERS=now
expect 496 "$shflviz" run sum.cu
[ "$(compiled)" = 1 ] || fail "the header was not made in the foreground"
header=$(find cache -name host.pch)
printf 'damaged' >>"$header"
expect 496 "$shflviz" run sum.cu
[ "$(tail -c 7 "$header" | tr -d '\0')" != damaged ] || fail "the header was not made again, although it was damaged"

# A header that clang rejects, or crashes on, is not used, and no program fails because of it.
for damage in 'bs=64 count=4' 'bs=1000 count=100' 'bs=1000 seek=300 count=2000'; do
    for side in device host; do
        rm -rf cache
        expect 496 "$shflviz" run sum.cu
        header=$(find cache -name $side.pch)
        dd if=/dev/zero of="$header" conv=notrunc $damage 2>/dev/null
        expect 496 "$shflviz" run sum.cu
        expect 496 "$shflviz" run sum.cu
    done
done
rm -r cache

# clang reads the header.
cat >compiler <<END
#!/bin/sh
case " \$* " in *' -include-pch '*) echo "\$*" >>"$work/used" ;; esac
exec "$clang" "\$@"
END
chmod 700 compiler
expect 496 env SHFLVIZ_CLANG="$work/compiler" XDG_CACHE_HOME=/dev/null "$shflviz" run sum.cu
[ ! -e used ] || fail "a header was used without a cache"
expect 496 env SHFLVIZ_CLANG="$work/compiler" "$shflviz" run sum.cu
grep -q cuda-host-only used && grep -q cuda-device-only used || fail "the header is not used for both sides"
rm -f used
SHFLVIZ_CLANG="$work/compiler" "$shflviz" check sum.cu >out 2>&1 </dev/null || fail "check: $(cat out)"
grep -q cuda-host-only used && grep -q cuda-device-only used || fail "check does not use the header"

# Builds of all kinds work with the header.
expect 992 "$shflviz" run sum.cu -D TWICE
expect 496 "$shflviz" run sum.cu -D NDEBUG -D CPU_WARP_LANES=32
expect 496 "$shflviz" run sum.cu -D _GLIBCXX_DEBUG
expect 496 "$shflviz" run volatile.cu
expect 496 "$shflviz" run sum.cu --std c++20
expect 496 "$shflviz" run sum.cu --sandbox
(sed 's/#include <cstdio>/#include <cstdio>\n#include <omp.h>/' sum.cu) >parallel.cu
expect 496 "$shflviz" run parallel.cu

# check has the same findings with the header: calls to the C library's functions remain calls.
cat >copied.cu <<'END'
#include <cstring>
__global__ void fill(int *v) {
    v[threadIdx.x] = 1;
}
int main() {
    int *v, copy[32];
    cudaMalloc(&v, sizeof copy);
    fill<<<1, 32>>>(v);
    memcpy(copy, v, sizeof copy);
    return copy[0] != 1;
}
END
XDG_CACHE_HOME=/dev/null "$shflviz" check copied.cu >without 2>&1 </dev/null
"$shflviz" check copied.cu >with 2>&1 </dev/null
grep -q 'wrong_memory_space: copied.cu:9' without || fail "check of a copy: $(cat without)"
diff without with || fail "check has other findings with a compiled header"

# Errors are reported as they are without the header.
"$shflviz" run wrong.cu >/dev/null 2>with </dev/null
XDG_CACHE_HOME=/dev/null "$shflviz" run wrong.cu >/dev/null 2>without </dev/null
diff with without || fail "a compiler's error differs"
grep -q 'wrong.cu:10:' with || fail "the error names no line: $(cat with)"

# A user's file that replaces one of the files in the header is read.
mkdir own
cp sum.cu own/
echo '#pragma once
static int mine = 3;
#include_next <limits>' >own/limits
sed 's/values\[7\] \*= 2/values[7] = mine/' sum.cu >own/sum.cu
expect 3 "$shflviz" run own/sum.cu -D TWICE
mkdir -p own/bits
mv own/limits own/bits/functexcept.h
echo '#include_next <bits/functexcept.h>' >>own/bits/functexcept.h
sed -i '/#include_next <limits>/d' own/bits/functexcept.h
sed 's/#ifdef TWICE/#if 1/' own/sum.cu >own/below.cu
expect 3 "$shflviz" run own/below.cu

# Neither a folder that others may write to nor a cache that is not a folder makes a program fail.
chmod 777 cache/shflviz/headers-*/
expect 496 "$shflviz" run sum.cu
chmod 700 cache/shflviz/headers-*/
rm -r cache
echo >cache
expect 496 "$shflviz" run sum.cu
rm cache

# A cache that cannot be written to is not an error. Skipped if another user cannot read the program.
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --clear-groups cat "$shflviz" >/dev/null 2>&1; then
    chmod 755 "$work"
    mkdir -m 755 cache cache/shflviz
    expect 496 setpriv --reuid 65534 --clear-groups "$shflviz" run sum.cu
    expect 496 env -u SHFLVIZ_HEADERS setpriv --reuid 65534 --clear-groups "$shflviz" run sum.cu
    [ "$(find cache | wc -l)" = 2 ] || fail "something was made where nothing may be: $(find cache)"
    rm -r cache
fi

# With two programs at the same time, one of them makes the header, in the foreground or the background.
for when in now behind; do
    rm -rf cache
    SHFLVIZ_HEADERS=$when "$shflviz" run sum.cu >one 2>&1 </dev/null &
    SHFLVIZ_HEADERS=$when "$shflviz" run sum.cu >two 2>&1 </dev/null &
    wait
    grep -qx 496 one && grep -qx 496 two || fail "two programs at the same time: $(cat one two)"
    await 1 compiled
    await 0 temporary
    [ "$(find cache/shflviz -type d -name 'headers-*' | wc -l | tr -d ' ')" = 1 ] || fail "something was left behind"
done

"$shflviz" doctor --format json | grep -q "$work/cache/shflviz" || fail "doctor does not say where the header is"
[ "$failed" = 0 ] && echo "a compiled header is used and never in the way"
exit "$failed"
