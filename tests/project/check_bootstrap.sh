#!/bin/sh
# check_bootstrap.sh SOURCE BUILD - tests bootstrap's messages and actions around a build.
#
# A PATH with only the test's programs simulates a machine, with a package manager that records its
# calls and a CMake that only prints a build's output.
set -u
source=$1
built=$2
[ "$(uname -s)" != Darwin ] || exit 77 # on macOS bootstrap looks only for Homebrew

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
status=0
fail() {
    echo "bootstrap: $*"
    status=1
}
sh=$(command -v sh)

# A separate checkout, because bootstrap may write to build/ beside it.
mkdir "$work/tree" "$work/bin"
cp "$source/bootstrap" "$work/tree/"

# Tools that every system has, on which bootstrap may rely.
for tool in sh id uname cat env mktemp rm mkdir ls sed grep readlink getconf awk diff cmp find tmux git; do
    path=$(command -v "$tool") && ln -s "$path" "$work/bin/$tool"
done

# run_on ARGS: runs bootstrap on the simulated machine; its output goes to $work/out and $work/err.
run_on() { (cd "$work" && unset CC CXX && PATH=$work/bin "$sh" tree/bootstrap "$@") >"$work/out" 2>"$work/err" </dev/null; }

expect() { # status, then a pattern for stderr
    [ "$result" = "$1" ] || fail "exit $result instead of $1; it said: $(cat "$work/err")"
    grep -q -- "$2" "$work/err" || fail "stderr lacks \"$2\"; it said: $(cat "$work/err")"
    [ ! -s "$work/out" ] || fail "stdout is not empty: $(cat "$work/out")"
}

run_on
result=$?
expect 2 '^bootstrap: no command was given'
expect 2 '^usage: ./bootstrap run ARGS'

run_on frobnicate
result=$?
expect 2 '^bootstrap: unknown command "frobnicate"; known are'

run_on build now
result=$?
expect 2 '^bootstrap: build takes no arguments, but was given: now'

run_on test quick
result=$?
expect 2 '^bootstrap: test takes slow, all or nothing, but was given: quick'
expect 2 '^       ./bootstrap test slow '

# No package manager at all.
run_on run xor
result=$?
expect 3 '^bootstrap: missing here: a C compiler, a C++ compiler, CMake 3.22 or later, ninja or make, pkg-config'
expect 3 'no package manager that bootstrap knows was found: apt-get, dnf, pacman or brew'

succeeds() { printf '#!/bin/sh\n' >"$work/bin/$1" && chmod +x "$work/bin/$1"; }

# As root, with a manager that installs nothing: one call, the right names, and a correct report at the
# end.
play() { # manager
    rm -f "$work/bin/apt-get" "$work/bin/dnf" "$work/bin/pacman" "$work/calls"
    printf '#!/bin/sh\necho %s $* >>"%s/calls"\n' "$1" "$work" >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}
rm "$work/bin/id" # it is a link, through which the next line would write
printf '#!/bin/sh\necho 0\n' >"$work/bin/id"
chmod +x "$work/bin/id"

called() { # the expected calls, one per line
    [ "$(cat "$work/calls")" = "$1" ] || fail "called
$(cat "$work/calls")
instead of
$1"
}

play apt-get
run_on test
result=$?
expect 3 '^bootstrap: apt-get reported no error, but this is still missing: a C compiler'
called 'apt-get update
apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=120 gcc libc6-dev g++ cmake ninja-build pkg-config clang llvm-dev libncurses-dev libjson-c-dev libcmocka-dev libmicrohttpd-dev libqrencode-dev'

play dnf
run_on run xor
result=$?
expect 3 '^bootstrap: dnf reported no error, but'
called 'dnf install -y gcc gcc-c++ cmake ninja-build pkgconf-pkg-config clang llvm-devel ncurses-devel json-c-devel libmicrohttpd-devel qrencode-devel'

play pacman
run_on build
result=$?
expect 3 '^bootstrap: pacman reported no error, but'
called 'pacman -S'"$([ -n "$(ls -A /var/lib/pacman/sync 2>/dev/null)" ] || echo y)"' --needed --noconfirm gcc cmake ninja pkgconf clang llvm ncurses json-c libmicrohttpd qrencode'

# A manager that fails: its messages are shown, and instructions for installing by hand.
play apt-get
printf 'echo "E: no network" >&2\nexit 100\n' >>"$work/bin/apt-get"
run_on run xor
result=$?
expect 3 '^E: no network$'
expect 3 '^    apt-get install -y --no-install-recommends gcc'

# Neither root nor sudo: nothing is called.
play apt-get
printf '#!/bin/sh\necho 1000\n' >"$work/bin/id"
run_on run xor
result=$?
expect 3 'installing needs root'
expect 3 '^    apt-get update$'
[ ! -e "$work/calls" ] || fail 'called the package manager without being root'

# With sudo, the manager is called through it.
cat >"$work/bin/sudo" <<'END'
#!/bin/sh
while [ "$1" = -n ]; do shift; done
exec "$@"
END
chmod +x "$work/bin/sudo"
succeeds true
run_on run xor
result=$?
expect 3 '^bootstrap: installing with sudo -n apt-get: gcc'
[ "$(wc -l <"$work/calls")" = 2 ] || fail 'sudo: not one update and one install'

# Everything is there, but the compiler fails: its messages are shown.
for tool in cc c++ pkg-config ninja; do
    succeeds "$tool"
done
mkdir -p "$work/llvm/include/llvm-c" "$work/llvm/bin"
: >"$work/llvm/include/llvm-c/Core.h"
succeeds llvm-config
printf 'echo "%s/llvm/${1#--}" | sed s/dir$//\n' "$work" >>"$work/bin/llvm-config"
ln -s "$work/bin/cc" "$work/llvm/bin/clang++"
cat >"$work/bin/cmake" <<'END'
#!/bin/sh
case $1 in
--version) echo 'cmake version 3.25.1' ;;
*) echo "CMake Error: $*" && exit 1 ;;
esac
END
chmod +x "$work/bin/cmake"
run_on run xor
result=$?
expect 1 '^CMake Error: --preset release -GNinja -DBUILD_TESTING=OFF'
expect 1 '^bootstrap: the build failed'

# A CMake that is too old counts as missing.
sed 's/3\.25\.1/3.18.4/' "$work/bin/cmake" >"$work/cmake" && cat "$work/cmake" >"$work/bin/cmake"
rm -rf "$work/tree/build"
run_on build
result=$?
expect 3 '^bootstrap: missing here: CMake 3.22 or later$'
expect 3 '^bootstrap: cmake here is version 3.18'

# With a current build nothing is printed, and the program gets its arguments unchanged.
mkdir -p "$work/tree/build"
: >"$work/tree/build/CMakeCache.txt"
: >"$work/tree/build/build.ninja"
printf '#!/bin/sh\necho "ninja: no work to do."\n' >"$work/ninja"
rm "$work/bin/ninja" && cp "$work/ninja" "$work/bin/ninja" && chmod +x "$work/bin/ninja"
printf '#!/bin/sh\nprintf "<%%s>" "$@"\nexit 7\n' >"$work/tree/build/shflviz"
chmod +x "$work/tree/build/shflviz"
expect_handed_over() {
    [ "$result" = 7 ] || fail "the program's exit status became $result"
    [ "$(cat "$work/out")" = '<xor><--in><lane * 2><><--mask>' ] || fail "arguments arrived as $(cat "$work/out")"
    [ ! -s "$work/err" ] || fail "not quiet: $(cat "$work/err")"
}
run_on run xor --in 'lane * 2' '' --mask
result=$?
expect_handed_over

# The same with make, which has no quick check; here no file is newer than the last build.
rm "$work/bin/ninja" "$work/tree/build/build.ninja"
succeeds make
ln -s "$(command -v head)" "$work/bin/head"
: >"$work/tree/build/Makefile"
mkdir "$work/tree/src"
: >"$work/tree/build/bootstrap.shflviz"
run_on run xor --in 'lane * 2' '' --mask
result=$?
expect_handed_over

# If a file is newer, the program is built, here by a cmake that fails.
touch -t 200001010000 "$work/tree/build/bootstrap.shflviz"
run_on run xor
result=$?
expect 1 '^bootstrap: building$'

# A first build shows its progress, with a line for each fifth; all of its output is in the log.
rm -rf "$work/tree/build"
cat >"$work/bin/cmake" <<'END'
#!/bin/sh
case $1 in
--version) echo 'cmake version 3.25.1' ;;
--preset) echo '-- Configuring done' && : >build/CMakeCache.txt && : >build/Makefile ;;
--build)
    for i in 1 2 3 4 5 6 7 8 9 10; do
        echo "[$i/10] Building C object $i"
    done
    [ ! -e fail ] || { echo 'error: 7' && exit 1; }
    ;;
esac
END
mkdir -p "$work/tree/build"
printf '#!/bin/sh\nexit 7\n' >"$work/tree/build/shflviz" && chmod +x "$work/tree/build/shflviz"
run_on run xor
result=$?
expect 7 '^bootstrap: first build'
[ "$(grep -c . "$work/err")" = 5 ] || fail "there is not one line for each fifth: $(cat "$work/err")"
for percent in 20 40 60 80; do
    expect 7 "^bootstrap: building: $percent %$"
done
[ "$(grep -c '^\[.*/10\] Building C object' "$work/tree/build/bootstrap.log")" = 10 ] || fail 'the log lacks lines of the build'

# On a terminal the progress is a single line, which is removed at the end.
if command -v script >/dev/null && script --version 2>/dev/null | grep -q util-linux; then
    touch -t 200001010000 "$work/tree/build/bootstrap.shflviz"
    (cd "$work" && unset CC CXX && SHELL=$sh script -qec "PATH=$work/bin '$sh' tree/bootstrap run xor" typescript) \
        >"$work/terminal" 2>&1 </dev/null
    tr '\r' '\n' <"$work/terminal" >"$work/lines"
    grep -q 'bootstrap: building: 50 %$' "$work/lines" || fail "no progress on a terminal: $(cat "$work/lines")"
    [ "$(tail -1 "$work/lines")" = "$(printf '\033[K')" ] || fail "a line of progress is left: $(cat "$work/lines")"
fi

# A build that fails: its messages are shown, and the exit status is 1.
touch -t 200001010000 "$work/tree/build/bootstrap.shflviz"
: >"$work/fail"
run_on run xor
result=$?
expect 1 '^error: 7$'
expect 1 '^bootstrap: the build failed; its output is above'

# The real build, which is complete when this test runs: a second run finds nothing to do, prints
# nothing and starts the program immediately. (Tools that could build or install something are replaced
# by a program that fails.)
if [ -f "$built/build.ninja" ] && [ -x "$built/shflviz" ]; then
    mkdir "$work/real" "$work/first"
    cp "$source/bootstrap" "$work/real/"
    ln -s "$built" "$work/real/build"
    for tool in cmake apt-get dnf pacman brew sudo; do
        printf '#!/bin/sh\necho "called: %s $*" >&2\nexit 1\n' "$tool" >"$work/first/$tool" && chmod +x "$work/first/$tool"
    done
    before=$(ls -l "$built/bootstrap.log" 2>&1)
    PATH=$work/first:$PATH sh "$work/real/bootstrap" run --version >"$work/out" 2>"$work/err" </dev/null ||
        fail "the second run of a real build fails: $(cat "$work/err")"
    [ ! -s "$work/err" ] || fail "the second run of a real build is not silent: $(cat "$work/err")"
    grep -q '^shflviz ' "$work/out" || fail "the second run of a real build printed: $(cat "$work/out")"
    [ "$before" = "$(ls -l "$built/bootstrap.log" 2>&1)" ] || fail 'the second run of a real build writes its log'
fi

exit $status
