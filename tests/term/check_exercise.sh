#!/bin/sh
# check_exercise.sh SHFLVIZ - tests an exercise on a terminal: a saved file is judged, however it is
# saved. Follows README.md in tmux: the file is created and judged; hints open one by one; the first
# wrong lane is shown in a replay; the editor opens in place of the screen, or beside it; an answer
# passes, and only then is the solution shown.
set -u
program=$1
. "$(dirname "$0")/panes.sh"
environment="env -u TMUX XDG_STATE_HOME=$work/state LC_ALL=C.UTF-8 TERM=tmux-256color"

# One editor writes the answer, and another breaks the file.
cat >"$work/right" <<EOF
#!/bin/sh
"$program" exercise warp-sum-down --solution >"\$1.new" && mv "\$1.new" "\$1" # saved by renaming
EOF
printf '#!/bin/sh\necho "int (" >>"$1"\n' >"$work/wrong"
chmod +x "$work/right" "$work/wrong"

mkdir "$work/here"

# The list of exercises: the second exercise is opened, q returns, and finished exercises are marked.
mkdir -p "$work/state/shflviz"
printf 'exercise/broadcast\t\t1\t1\t1\t0\t0\t2026-11-20T12:00:00Z\n' >"$work/state/shflviz/progress"
pane new-session -d -x 100 -y 30 -s list -c "$work/here" \
    "$environment '$program' exercise --lang en; echo status \$?; exec cat"
where=list
exercises=$(grep -vc '^#' "$(dirname "$0")/../../exercises/order")
shows "1 of $exercises done"
shows '__shfl_sync: every lane reads one lane'
pane send-keys -t list j
shows '__shfl_sync with a different source in'
pane send-keys -t list Enter
shows 'rotate.cu'
shows 'Wrong: '
pane send-keys -t list q
shows "1 of $exercises done"
pane send-keys -t list q
shows 'status 0'
where=work
pane new-session -d -x 90 -y 30 -s work -c "$work/here" \
    "$environment VISUAL='$work/right' '$program' exercise warp-sum-down sum.cu --lang en; echo status \$?; exec cat"
shows 'lane 0 of warp 0 in block 0'
shows 'Sum of a warp, down a tree'
[ -s "$work/here/sum.cu" ] || { echo 'no skeleton was written'; exit 1; }

# The solution is not shown; hints are shown, one by one.
keys s
shows 'solve the exercise first'
keys Tab
shows 'Hint 1 of 2'
keys Tab
shows 'Hint 2 of 2'
keys Tab
shows 'there are no more hints'

# The compiler's messages name the learner's line.
printf '\n__device__ int warp_sum(int value) { return valeu; }\n' >"$work/here/sum.cu"
shows 'sum.cu:2'

# An answer with one round too few, saved in place: the wrong lane is shown, and q returns.
"$program" exercise warp-sum-down --solution | sed 's/delta = 16/delta = 8/' >"$work/here/sum.cu"
shows 'element 0'
keys Enter
shows 'lane 0: the result is'
shows '__shfl_down_sync(0xffffffff, value, delta)'

# Shows the answer line by line, with its variables, and the origins of lane 0's value: half of the lanes.
keys 7
shows 'warp_sum  line'
keys o
shows 'lane 0: in[0..15];'
keys q
shows 'Hint 2 of 2'

# A file that disappears and returns.
rm "$work/here/sum.cu"
shows 'no file yet'
printf '__device__ int warp_sum(int value) { return value; }\n' >"$work/here/sum.cu"
shows 'Wrong: '

# The editor opens in place of the screen, and saves by renaming: the answer passes, and the
# exercise is remembered as passed.
keys e
shows 'passed: 12 cases in 4 lane orders'
shows 'Only lane 0 is right at the end'
keys s
shows 'A solution'
keys '?'
shows 'open a hint, then the next'
keys '?' q
shows 'status 0'
grep -q '^exercise/warp-sum-down' "$work/state/shflviz/progress" || { echo 'it is not remembered'; exit 1; }

# Inside tmux the editor opens beside the exercise.
pane new-session -d -x 120 -y 30 -s beside -c "$work/here" \
    "env XDG_STATE_HOME=$work/state LC_ALL=C.UTF-8 VISUAL='$work/wrong' '$program' exercise warp-sum-down sum.cu --lang en"
where=beside
shows 'passed: 12 cases'
pane send-keys -t beside e
shows 'sum.cu:'
shows 'does not compile'
pane send-keys -t beside q
