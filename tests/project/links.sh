# shellcheck shell=sh
# links.sh - to be sourced: finds broken links in Markdown, [text](target) and ![text](target).

# Reads the names of Markdown files; prints a line for each link to a missing file or heading.
dangling_links() {
    while read -r file; do
        [ -f "$file" ] || continue
        folder=$(dirname "$file")
        awk '/^```/ { code = !code } !code {
                 line = $0
                 gsub(/`[^`]*`/, "", line)
                 while (match(line, /\]\([^)]*\)/)) {
                     print substr(line, RSTART + 2, RLENGTH - 3)
                     line = substr(line, RSTART + RLENGTH)
                 }
             }' "$file" | while read -r target; do
            case $target in
            http://* | https://* | mailto:*) continue ;;
            '#'*) path=$file ;;
            *) path=$folder/${target%%#*} ;;
            esac
            [ -e "$path" ] || echo "$file links to $target, which does not exist"
            case $target in
            *'#'*)
                # GitHub's anchors: lower case, hyphens instead of spaces, no punctuation.
                grep '^#' "$path" | sed 's/^#* *//' | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-' |
                    grep -qx -- "${target#*#}" || echo "$file links to $target, but there is no such heading"
                ;;
            esac
        done
    done
}
