#!/bin/sh
# check_watch.sh SHFLVIZ - tests `lesson watch`, which shows a lesson on a terminal while it is written.
#
# A saved lesson is reread and shown at the current beat. Errors are shown with the file's line numbers,
# and the lesson returns once they are fixed. Even a lesson that cannot begin does not end the program.
set -u
program=$1
. "$(dirname "$0")/panes.sh"

# lesson TEXT SHOW: writes a lesson of two beats, saved by renaming, as some editors do.
lesson() {
    printf -- '---\ntitle: Mine\nkernel: xor\nlaunch: --mask 1\n---\n\n## First {#one}\n\nAlpha.\n\n## Second {#two}\n\n```show\n%s\n```\n\n%s\n' \
        "$2" "$(printf "$1")" >"$work/new" && mv "$work/new" "$work/mine.md"
}

# If something that the lesson needs is missing, the error is shown and the program continues.
echo 'no lesson' >"$work/mine.md"
pane new-session -d -x 90 -y 30 -s work -c "$work" \
    "env XDG_STATE_HOME=$work/state LC_ALL=C.UTF-8 TERM=tmux-256color '$program' lesson watch mine.md --lang en; echo status \$?; exec cat"
shows 'mine.md:1:'
lesson 'Beta.' 'lane: 5'
shows 'Alpha.'
keys Right
shows 'Beta.'

# The same beat with a different text, which is then edited in place.
lesson 'Gamma.' 'lane: 5'
shows 'Gamma.'
sed -i 's/Gamma/Delta/' "$work/mine.md"
shows 'Delta.'

# Two errors are shown together, with their lines.
lesson 'Delta.\n\n### Qestion\n\nWhich?' 'lane: 40'
shows '2 problems to fix'
shows "mine.md:14: '40' is not a value for lane"
shows "mine.md:19: '### Qestion' is not a section of a part"
lesson 'Epsilon.' 'lane: 6'
shows 'Epsilon.'

# Errors in a readable lesson are shown first, and Enter shows the lesson nevertheless.
lesson '{{in 99}}.' 'lane: 6'
shows '1 problem to fix'
keys Enter
shows 'Second'
keys q
shows 'status 0'

# Starts at a beat, given by its name or number; with an unknown name it starts at the first beat.
begins() {
    where=begins
    pane new-session -d -x 90 -y 30 -s begins -c "$work" \
        "env XDG_STATE_HOME=$work/state LC_ALL=C.UTF-8 TERM=tmux-256color '$program' lesson watch mine.md --beat $1 --lang en; exec cat"
    shows "$2"
    pane kill-session -t begins
    where=work
}
lesson 'Zeta.' 'lane: 6'
begins two Zeta.
begins 2 Zeta.
begins one Alpha.
begins nowhere Alpha.

# With more errors than rows, and no lesson to show, Enter does nothing, and J scrolls by one.
{
    printf -- '---\ntitle: Mine\nkernel: nothing\nlaunch: --mask 1\n---\n'
    for i in $(seq 50); do printf '\n## Beat {#b%s}\n\nText.\n\n### Wrong%s\n\nx\n' "$i" "$i"; done
} >"$work/mine.md"
# hides TEXT: waits until TEXT has disappeared.
hides() {
    left=6000
    while [ "$left" -gt 0 ]; do
        left=$((left - 1))
        pane capture-pane -p -t "$where" | grep -qF -- "$1" || return 0
    done
    echo "$where never hid: $1"
    exit 1
}
where=many
pane new-session -d -x 90 -y 30 -s many -c "$work" \
    "env XDG_STATE_HOME=$work/state LC_ALL=C.UTF-8 TERM=tmux-256color '$program' lesson watch mine.md --lang en; exec cat"
shows "'### Wrong1'"
for key in Enter Enter Enter Enter Enter Enter Enter Enter J; do pane send-keys -t many "$key"; done
hides "'### Wrong1'"
pane send-keys -t many K
shows "'### Wrong1'"
