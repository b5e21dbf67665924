#!/bin/sh
# check_readme.sh SOURCE SHFLVIZ BUILD CMAKE - checks that every command in the ```sh blocks of the
# README, docs/TOUR.md and docs/RECIPES.md works.
#
# How each is tested (stdout is never a terminal here, so the output is a table and not a screen):
#   shflviz ARGS             run by a shell with this build's program, all in the same folder, which at first contains
#                            only examples/; must exit with 0, or with N if it ends in a comment "exit N"
#   ./bootstrap run ARGS     the same, as `shflviz ARGS`
#   ./bootstrap test, build  bootstrap must know the command; running it would build the build under test
#   cmake, ctest --preset P  the preset P must exist
#   cmake --install          is run, with a temporary folder
#   .ci/run, bench/run       must exist, be executable, and have no syntax errors
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

# run_program COMMAND: runs it in the common folder.
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
        file=${line##* -o } # -o FILE is the only option of export that the documents use
        [ -s "$work/here/${file%% *}" ] || fail 'wrote nothing'
    elif [ "$expected" = 0 ] && [ ! -s "$work/out" ]; then
        fail 'printed nothing'
    fi
}

preset_exists() { # the preset, then the words of the command that lists presets
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
        # A known command's error message names the command; an unknown command is itself refused.
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
# The first command must be the one that newcomers are promised.
head -1 "$work/commands" | grep -q '^\./bootstrap run xor --mask 3 --width 16$' || {
    echo 'the first command of README.md is not the one that newcomers are promised'
    exit 1
}
[ ! -e "$work/failed" ]
