#!/bin/sh
# picture.sh - takes a screenshot of a program.
#
#   tests/term/picture.sh OUTPUT.png COLUMNS ROWS "KEYS" COMMAND...
#
# KEYS are tmux's names, separated by spaces ("Right Right w 2"). PICTURE_TERM and COLORTERM set TERM and
# COLORTERM for the program. Needs tmux, aha and chromium (or google-chrome). BACKGROUND=light draws black
# on white.
#
# These commands make the pictures in the README; lines-dark.svg needs --background dark, too:
#
#   tests/term/picture.sh docs/images/screen.png 112 38 "Right Right Right j j j j j" \
#       build/shflviz xor --mask 3 --width 16 --background dark
#   build/shflviz run examples/butterfly_max.cu --show all -o max.svt
#   build/shflviz export max.svt -o docs/images/lines.svg --view variables --animate \
#       --size 100x22 --step 0-2
set -eu

if [ $# -lt 5 ]; then
    echo "usage: picture.sh OUTPUT.png COLUMNS ROWS \"KEYS\" COMMAND..." >&2
    exit 2
fi
output=$1 columns=$2 rows=$3 keys=$4
shift 4

directory=$(mktemp -d)
socket=picture-$$
trap 'tmux -L "$socket" kill-server 2>/dev/null || true; rm -rf "$directory"' EXIT

tmux_do() { tmux -u -L "$socket" -f /dev/null "$@"; }

# Returns when the screen shows something and has stayed the same for a while.
settle() {
    same=0 before=
    while [ "$same" -lt 20 ]; do
        now=$(tmux_do capture-pane -p -e)
        if [ -n "$now" ] && [ "$now" = "$before" ]; then same=$((same + 1)); else same=0; fi
        before=$now
    done
}

COLORTERM=${COLORTERM-truecolor} tmux_do new-session -d -x "$columns" -y "$rows" \
    "TERM=${PICTURE_TERM:-tmux-256color} LC_ALL=C.UTF-8 $*"
settle
for key in $keys; do
    tmux_do send-keys "$key"
    settle
done
tmux_do capture-pane -p -e >"$directory/screen.ansi"

# One cell is 10 x 20 pixels at this size; the page is as large as the screen and its margin.
if [ "${BACKGROUND:-dark}" = light ]; then theme= colors='background:#ffffff;color:#000000'
else theme=--black colors='background:#101418;color:#e6e6e6'; fi
# The font has no Braille and no Chinese, and glyphs of other fonts have different widths: each of them
# is drawn as wide as one or two cells.
aha $theme --no-header <"$directory/screen.ansi" |
    LC_ALL=C sed -e 's/\xe2[\xa0-\xa3][\x80-\xbf]/<i>&<\/i>/g' \
        -e 's/[\xe3-\xe9\xef][\x80-\xbf][\x80-\xbf]/<i class=wide>&<\/i>/g' \
        >"$directory/body.html"
cat >"$directory/screen.html" <<END
<meta charset="utf-8"><style>
body { margin: 0; padding: 16px; $colors; }
pre { margin: 0; font: 16.6px/20px "DejaVu Sans Mono", monospace; }
i { display: inline-block; width: 10px; height: 20px; overflow: hidden; vertical-align: top;
    font-style: normal; }
i.wide { width: 20px; }
</style><pre>$(cat "$directory/body.html")</pre>
END
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
"$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 \
    --window-size="$((columns * 10 + 32)),$((rows * 20 + 32))" \
    --screenshot="$output" "file://$directory/screen.html" >"$directory/browser.log" 2>&1 ||
    { cat "$directory/browser.log" >&2; exit 1; }
