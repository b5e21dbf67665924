#!/bin/sh
# check_class.sh SHFLVIZ - tests a presentation, its notes on a second terminal, and a student who
# watches. Follows docs/TEACHING.md in tmux: the notes follow, the student's copy shows the same as the
# teacher's screen, a student's keys change nothing, a beat is reached by its number, the screen goes
# black and comes back, and followers are informed of the end.
set -u
program=$1
. "$(dirname "$0")/panes.sh"
teacher() { tmux -u -S "$work/teacher" -f /dev/null "$@"; }
student() { pane "$@"; }
trap 'teacher kill-server 2>/dev/null; student kill-server 2>/dev/null; rm -rf "$work"' EXIT
mkdir -m 700 "$work/run"
environment="env XDG_RUNTIME_DIR=$work/run XDG_STATE_HOME=$work/state LC_ALL=C.UTF-8 TERM=tmux-256color"

shows() { shows_on "$@"; }
shows_nothing() {
    left=4000
    while [ "$left" -gt 0 ]; do
        left=$((left - 1))
        teacher capture-pane -p -t class | grep -q . || return 0
    done
    echo 'the screen did not go black'
    exit 1
}

# The teacher was last in the middle of this lesson; a presentation starts at its beginning anyway.
mkdir -p "$work/state/shflviz"
printf 'xor\ttrade\t0\t7\t3\t2\t1\t2026-11-20T12:00:00Z\n' >"$work/state/shflviz/progress"
cp "$work/state/shflviz/progress" "$work/before"

student kill-session -t probe
teacher new-session -d -x 100 -y 30 -s class "$environment '$program' lesson xor --present --lang en" || exit 2
shows teacher class '1/8'
teacher new-session -d -x 80 -y 24 -s notes \
    "$environment '$program' lesson --notes --lang en; echo status \$?; exec cat"
shows teacher notes 'Put 0 to 7 in binary on the board'
student new-session -d -x 100 -y 31 -s looks \
    "TERM=tmux-256color tmux -u -S '$work/teacher' attach -r -t class -f ignore-size"
shows student looks '1/8'

# A student's keys change nothing: the teacher's next key has its usual effect.
student send-keys -t looks Right Right q
teacher send-keys -t class Right
shows student looks 'So write lanes in binary'
shows teacher class '1/8'

# The teacher goes to a beat by its number; both followers go there, too.
teacher send-keys -t class : 3 Enter
shows student looks '3/8'
shows teacher notes '3/8'
shows teacher notes 'Compare with'

teacher send-keys -t class .
shows_nothing
teacher send-keys -t class Space
shows teacher class '3/8'

teacher send-keys -t class q
shows teacher notes 'the presentation is over'
shows teacher notes 'status 0'
cmp "$work/before" "$work/state/shflviz/progress" || { echo 'a presentation was saved as progress'; exit 1; }

# A presentation that begins in the middle: its notes are there immediately, before the presenter moves.
teacher new-session -d -x 100 -y 30 -s later "$environment '$program' lesson xor --present --beat 3 --lang en" || exit 2
shows teacher later '3/8'
teacher new-session -d -x 80 -y 24 -s midway "$environment '$program' lesson --notes --lang en"
shows teacher midway '3/8'
teacher send-keys -t later q
shows_gone() {
    left=4000
    while [ "$left" -gt 0 ]; do
        left=$((left - 1))
        teacher has-session -t "$1" 2>/dev/null || return 0
    done
    echo "$1 does not end"
    exit 1
}
shows_gone midway

# A lesson with its own program: the notes build it only with --trust, and never ask.
mkdir "$work/own"
cat >"$work/own/en.md" <<'LESSON'
---
title: Mine
kernel: mine.cu
---

## Who? {#who}

Lane 5 gets {{out 5}}.

### Notes

Say that lane 5 got {{out 5}}.
LESSON
cat >"$work/own/mine.cu" <<'PROGRAM'
__global__ void trade() { __shfl_xor_sync(~0u, (int)threadIdx.x, 1); }
int main() {
    trade<<<1, 32>>>();
    cudaDeviceSynchronize();
}
PROGRAM
teacher new-session -d -x 100 -y 30 -s own "$environment '$program' lesson '$work/own' --present --trust --lang en" || exit 2
shows teacher own 'Lane 5 gets 4.'
teacher new-session -d -x 80 -y 24 -s wary "$environment '$program' lesson --notes --lang en"
shows teacher wary 'not built and run without your consent'
teacher new-session -d -x 80 -y 24 -s trusting "$environment '$program' lesson --notes --trust --lang en; echo status \$?; exec cat"
shows teacher trusting 'Say that lane 5 got 4.'

# The notes can be closed before the end; the presentation continues, and its notes can be opened
# again.
teacher send-keys -t trusting J K x q
shows teacher trusting 'status 0'
if teacher capture-pane -p -t trusting | grep 'is over'; then exit 1; fi
teacher send-keys -t own .
teacher send-keys -t own Space
shows teacher own 'Lane 5 gets 4.'
teacher new-session -d -x 80 -y 24 -s again "$environment '$program' lesson --notes --trust --lang en"
shows teacher again 'Say that lane 5 got 4.'
