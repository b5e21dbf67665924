# shellcheck shell=sh
# panes.sh - sourced by the scripts here: terminals in a separate tmux server. Sets $work, a folder that is
# removed when the script ends. The script exits with 77 if there is no tmux.
command -v tmux >/dev/null || { echo 'no tmux: nothing can be tested on a terminal here'; exit 77; }

work=$(mktemp -d) || exit 2
pane() { tmux -u -S "$work/socket" -f /dev/null "$@"; }
trap 'pane kill-server 2>/dev/null; rm -rf "$work"' EXIT

# shows_on TMUX PANE TEXT: waits until TEXT is on that pane. There is no sleep, because each capture takes a while.
shows_on() {
    left=6000
    while [ "$left" -gt 0 ]; do
        left=$((left - 1))
        "$1" capture-pane -p -t "$2" 2>/dev/null | grep -qF -- "$3" && return 0
    done
    echo "$1's $2 never showed: $3"
    "$1" capture-pane -p -t "$2"
    exit 1
}
# shows TEXT: waits until TEXT is on the pane that $where names.
where=work
shows() { shows_on pane "$where" "$1"; }
keys() { pane send-keys -t work "$@"; }

# A bare chroot may have no /dev/pts: then no terminal can be opened.
if ! complaint=$(pane new-session -d -s probe cat 2>&1); then
    case $complaint in
    *'fork failed'*) echo 'this system gives out no pseudo-terminals (is /dev/pts mounted?)'; exit 77 ;;
    *) echo "$complaint"; exit 2 ;;
    esac
fi
