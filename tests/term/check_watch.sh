#!/bin/sh
# check_watch.sh SHFLVIZ - a lesson on a terminal while it is written: `lesson watch`.
#
# Saved, it is read again at the beat where one was; with errors it shows them at the file's lines, and comes
# back when they are mended; a lesson that cannot even be begun is no reason to leave.
set -u
program=$1
. "$(dirname "$0")/panes.sh"

# lesson TEXT SHOW: a lesson of two beats, saved by a rename as some editors do.
lesson() {
    printf -- '---\ntitle: Mine\nkernel: xor\nlaunch: --mask 1\n---\n\n## First {#one}\n\nAlpha.\n\n## Second {#two}\n\n```show\n%s\n```\n\n%s\n' \
        "$2" "$(printf "$1")" >"$work/new" && mv "$work/new" "$work/mine.md"
}

# Not there yet what it needs: the error, not the end.
echo 'no lesson' >"$work/mine.md"
pane new-session -d -x 90 -y 30 -s work -c "$work" \
    "env XDG_STATE_HOME=$work/state LC_ALL=C.UTF-8 TERM=tmux-256color '$program' lesson watch mine.md --lang en; echo status \$?; exec cat"
shows 'mine.md:1:'
lesson 'Beta.' 'lane: 5'
shows 'Alpha.'
keys Right
shows 'Beta.'

# The same beat, another text, saved in place as well.
lesson 'Gamma.' 'lane: 5'
shows 'Gamma.'
sed -i 's/Gamma/Delta/' "$work/mine.md"
shows 'Delta.'

# Two errors at once, at their lines.
lesson 'Delta.\n\n### Qestion\n\nWhich?' 'lane: 40'
shows '2 things to mend'
shows "mine.md:14: '40' is not a value for lane"
shows "mine.md:19: '### Qestion' is not a part of a beat"
lesson 'Epsilon.' 'lane: 6'
shows 'Epsilon.'

# What can be read and is not right comes first, and Enter looks at it all the same.
lesson '{{in 99}}.' 'lane: 6'
shows '1 thing to mend'
keys Enter
shows 'Second'
keys q
shows 'status 0'
