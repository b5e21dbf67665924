#!/bin/sh
# check_readme.sh SOURCE SHFLVIZ BUILD CMAKE - every command in the ```sh blocks of the README and of
# docs/TOUR.md and docs/RECIPES.md works.
#
# How each is run (stdout is never a terminal here, so tables and not screens come out):
#   shflviz ARGS             by a shell, in one folder for all of them, which contains only
#                            examples/, with this build's program; it must exit with 0, or with N after a comment "exit N"
#   ./bootstrap run ARGS     the same with the same ARGS
#   ./bootstrap test, build  bootstrap must know the command; doing it would build this very build
#   cmake, ctest --preset P  the preset P must exist
#   cmake --install          into a folder of its own, for real
#   .ci/run, bench/run       must be there, executable, and free of syntax errors
# A command of any other kind fails the test: add it here.
set -u
source=$1
shflviz=$2
build=$3
cmake=$4
cd "$source" || exit 2

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/here"
ln -s "$shflviz" "$work/bin/shflviz"
ln -s "$source/examples" "$work/here/examples"
PATH=$work/bin:$PATH

fail() {
    echo "README, TOUR or RECIPES: $line"
    printf '    %s\n' "$*"
    : >"$work/failed"
}

# run_program COMMAND: in the folder for all of them.
run_program() {
    expected=0
    case $line in
    *'# exit '*) expected=${line##*'# exit '} ;;
    esac
    (cd "$work/here" && sh -c "$1") >"$work/out" 2>"$work/err" </dev/null
    status=$?
    if [ "$status" = 3 ] && grep -q 'itself built with a sanitizer' "$work/err"; then
        echo "skipped, in a build with a sanitizer: $line"
        return
    fi
    if [ "$status" != "$expected" ]; then
        fail "exit $status instead of $expected"
        sed 's/^/    /' "$work/err"
    elif [ "$expected" = 0 ] && [ "${line#shflviz export }" != "$line" ]; then
        file=${line##* -o } # the only options of export
        [ -s "$work/here/${file%% *}" ] || fail 'wrote nothing'
    elif [ "$expected" = 0 ] && [ ! -s "$work/out" ]; then
        fail 'printed nothing'
    fi
}

preset_exists() { # the words of the list command, then the preset
    preset=$1
    shift
    "$@" 2>/dev/null | grep -q "\"$preset\"" || fail "no preset \"$preset\" in: $*"
}

awk '/^```sh$/ { inside = 1; next } /^```/ { inside = 0 } inside && NF && !/^#/' README.md docs/TOUR.md docs/RECIPES.md >"$work/commands"
count=0
while read -r line; do
    count=$((count + 1))
    case $line in
    shflviz*) run_program "$line" ;;
    './bootstrap run '*) run_program "shflviz ${line#./bootstrap run }" ;;
    ./bootstrap\ *)
        # Known commands refuse a further argument by name; unknown ones are refused themselves.
        command=${line#./bootstrap }
        command=${command%% *}
        ./bootstrap "$command" surplus 2>&1 | grep -qE "$command takes (no arguments|slow, all)" ||
            fail "bootstrap does not know \"$command\""
        ;;
    'cmake --build --preset '* | 'ctest --preset '* | 'cmake --preset '*)
        preset=${line#*--preset }
        preset=${preset%% *}
        case $line in
        'cmake --build'*) preset_exists "$preset" "$cmake" --build --list-presets ;;
        ctest*) preset_exists "$preset" "${cmake%cmake}ctest" --list-presets ;;
        *) preset_exists "$preset" "$cmake" --list-presets ;;
        esac
        ;;
    'cmake --install build'*)
        "$cmake" --install "$build" --prefix "$work/prefix" >"$work/out" 2>&1 || fail "$(cat "$work/out")"
        ;;
    .ci/run*) { [ -x .ci/run ] && bash -n .ci/run; } || fail 'not a runnable script' ;;
    bench/run*) { [ -x bench/run ] && sh -n bench/run; } || fail 'not a runnable script' ;;
    *) fail 'no test knows how to run this command' ;;
    esac
done <"$work/commands"

if [ "$count" -lt 8 ]; then
    echo "only $count commands found in README.md"
    exit 1
fi
# The picture and the first two commands come first.
head -1 "$work/commands" | grep -q '^\./bootstrap run xor --mask 3 --width 16$' || {
    echo 'the first command of README.md is not the one that newcomers are promised'
    exit 1
}
[ ! -e "$work/failed" ]
