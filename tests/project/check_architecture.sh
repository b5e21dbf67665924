#!/bin/sh
# check_architecture.sh SOURCE ARROWS - checks that the code is structured as described in
# docs/ARCHITECTURE.md.
#
# The table between "<!-- arrows -->" and "<!-- /arrows -->" in that document lists, for each folder of
# src/ and lib/ and for kernels/, the folders that it may include, in addition to those that they may
# include. The checks:
#  - every #include "..." follows the table; "shflviz/..." is the recorder's;
#  - the link graph follows it, too: ARROWS has a line "LIBRARY DEPENDENCY..." for each shflviz_library()
#    of CMake, and a library must reach exactly the folders that its own folder may include;
#  - there are no cycles between files, where FILE.c and FILE.h count as one, nor between folders;
#  - only certain files name ncurses, json-c, cmocka or CUDA, or end the program;
#  - a key is looked up only once: in a function ..._press(), which the loops of the front ends call.
set -u
source=$1
arrows=$2
cd "$source" || exit 2

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
complain() { sed 's/^/architecture: /' | tee -a "$work/complaints"; }

# "FOLDER MAY MAY ...", one line per folder, from rows such as "| `trace` | `warp` `base` | ... |": the folders that the
# row names and, unless it says "alone", those that they may include.
awk '/<!-- arrows -->/ { inside = 1; next } /<!-- \/arrows -->/ { inside = 0 }
     inside && /^\| `/ {
         split($0, column, "|")
         folder = column[2]; may = column[3]
         gsub(/[` ]/, "", folder); gsub(/[`,]/, " ", may)
         alone = sub(/ alone/, " ", may); gsub(/nothing/, "", may)
         order[++count] = folder
         names[folder] = may
         only[folder] = alone
     }
     function reach(of, from,    n, list, i) {
         n = split(names[from], list, " ")
         for (i = 1; i <= n; i++)
             if (!((of, list[i]) in reached)) {
                 reached[of, list[i]]
                 all[of] = all[of] " " list[i]
                 if (!only[of]) reach(of, list[i])
             }
     }
     END { for (i = 1; i <= count; i++) { reach(order[i], order[i]); print order[i] all[order[i]] } }' \
    docs/ARCHITECTURE.md >"$work/table"
[ -s "$work/table" ] || echo 'docs/ARCHITECTURE.md has no table of arrows' | complain

# The table has exactly the folders that exist.
for folder in src/*/ lib/*/ kernels/; do
    folder=${folder#src/}
    folder=${folder#lib/}
    echo "${folder%/}"
done | grep -vx cmake | sort >"$work/folders"
awk '{ print $1 }' "$work/table" | sort >"$work/named"
comm -23 "$work/folders" "$work/named" | sed 's/.*/src\/& is not in the table/' | complain
comm -13 "$work/folders" "$work/named" | sed 's/.*/the table names src\/&, which does not exist/' | complain

# Includes: "FILE HEADER" for each #include "HEADER".
find src lib kernels -name '*.c' -o -name '*.h' -o -name '*.cc' -o -name '*.cpp' -o -name '*.cu' \
    -o -name '*.cuh' -o -name '*.S' | sort >"$work/files"
[ -s "$work/files" ] || echo 'no sources found' | complain
xargs awk '/^[ \t]*#[ \t]*include[ \t]*"/ { split($0, part, "\""); print FILENAME, part[2] }' \
    <"$work/files" >"$work/includes"
[ -s "$work/includes" ] || echo 'no includes found' | complain
awk 'NR == FNR { known[$1] = 1; for (i = 1; i <= NF; i++) may[$1, $i] = 1; next }
     {
         sub(/^shflviz\/(site|filter|run_settings)[.]h/, "trace/", $2)
         sub(/^shflviz\//, "recorder/", $2)
         sub(/^(src|lib)\//, "", $1)
         split($1, place, "/"); split($2, header, "/")
         if (header[1] in known && !((place[1], header[1]) in may))
             printf "%s includes \"%s\", but %s may not know %s/\n", $1, $2, place[1], header[1]
     }' "$work/table" "$work/includes" | complain

# src/ and kernels/ may include only one header from simt and one from cudacpu.
grep -E '^(src|kernels)/[^ ]* (simt|cudacpu)/' "$work/includes" | grep -vE ' (simt/simt|cudacpu/cudacpu)\.h$' |
    sed 's/ \(.*\)/ includes "\1"; it may only include simt\/simt.h and cudacpu\/cudacpu.h of these/' | complain

# Cycles. Each edge is a line "FROM TO", with file names without their suffix. Includes with <> count like those with
# "", if the file is the project's.
find src lib kernels -type f \( -name '*.c' -o -name '*.h' -o -name '*.cc' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.S' \) \
    >"$work/graph_files"
xargs awk '/^[ \t]*#[ \t]*include[ \t]*["<]/ { split($0, part, "[\"<>]"); print FILENAME, part[2] }' \
    <"$work/graph_files" >"$work/graph_includes"
awk 'FILENAME == ARGV[1] { there[$1] = 1; next }
     {
         folder = $1; sub(/[^\/]*$/, "", folder)
         count = split(folder "|src/|lib/|kernels/|lib/trace/include/|lib/simt/include/|lib/recorder/include/" \
             ($2 ~ /^cudacpu\// ? "|lib/cudacpu/include/" : ""), roots, "|")
         for (i = 1; i <= count; i++)
             if ((roots[i] $2) in there) {
                 from = $1; to = roots[i] $2
                 sub(/[.][a-z]+$/, "", from); sub(/[.][a-zS]+$/, "", to)
                 if (from != to) print from, to
                 break
             }
     }' "$work/graph_files" "$work/graph_includes" | sort -u >"$work/edges"
[ "$(wc -l <"$work/edges")" -gt 200 ] || echo "only $(wc -l <"$work/edges") includes between files found" | complain

# circles < EDGES: prints the shortest cycle through each node that is on a cycle, each cycle only once.
circles() {
    awk '{ out[$1] = out[$1] " " $2; node[$1]; node[$2] }
         END {
             for (start in node) {
                 delete before
                 queue[1] = start; first = last = 1; found = 0
                 while (first <= last && !found) {
                     at = queue[first++]
                     count = split(out[at], next_to, " ")
                     for (i = 1; i <= count && !found; i++) {
                         to = next_to[i]
                         if (to == start) { found = 1; before[start] = at }
                         else if (!(to in before)) { before[to] = at; queue[++last] = to }
                     }
                 }
                 if (!found) continue
                 circle = start; least = start
                 for (at = before[start]; at != start; at = before[at]) {
                     circle = at " -> " circle
                     if (at < least) least = at
                 }
                 if (least == start) print start " -> " circle
             }
         }' | sort
}
# A header without a .c file, such as one that the files of a module share, passes on its includes:
# a.c -> a_inside.h -> a.h is not a cycle.
awk 'NR == FNR { if ($1 !~ /[.](h|cuh)$/) { sub(/[.][a-zS]+$/, "", $1); body[$1] } next }
     { out[$1] = out[$1] " " $2; from[NR] = $1; to[NR] = $2 }
     function expand(start, at,    n, list, i) {
         if (at in body) { if (at != start) print start, at; return }
         if ((start, at) in seen) return
         seen[start, at]
         n = split(out[at], list, " ")
         for (i = 1; i <= n; i++) expand(start, list[i])
     }
     END { for (i in from) if (from[i] in body) expand(from[i], to[i]) }' \
    "$work/graph_files" "$work/edges" | sort -u >"$work/module_edges"
circles <"$work/module_edges" >"$work/circles"
# device/gpu and device/cpu belong to one folder; a folder is src/NAME or kernels.
sed -E 's,(^| )(src|lib)/([^/ ]*)/[^ ]*,\1\2/\3,g; s,(^| )kernels/[^ ]*,\1kernels,g' "$work/edges" | awk '$1 != $2' | sort -u |
    circles >"$work/folder_circles"
cat "$work/circles" "$work/folder_circles" | sed 's/^/a circle of includes: /' | complain

# The link graph: the libraries reached, compared with the folders that may be included.
awk 'function reach(from, start,    n, list, i) {
         n = split(depends[from], list, " ")
         for (i = 1; i <= n; i++)
             if (!((start, list[i]) in reached)) {
                 reached[start, list[i]] = 1
                 reach(list[i], start)
             }
     }
     NR == FNR { order[++folders] = $1; for (i = 2; i <= NF; i++) may[$1, $i] = 1; next }
     { built[$1] = 1; name = $1; $1 = ""; depends[name] = $0 }
     END {
         for (a = 1; a <= folders; a++) {
             from = order[a]
             if (!(from in built)) { # without SHFLVIZ_TERMINAL some folders are not built
                 continue
             }
             checked++
             reach(from, from)
             for (b = 1; b <= folders; b++) {
                 to = order[b]
                 if (((from, to) in may) && !((from, to) in reached))
                     printf "the table lets %s include %s, but shflviz_%s does not link to it\n", from, to, from
                 if (!((from, to) in may) && ((from, to) in reached))
                     printf "shflviz_%s links to %s, but the table has no such arrow\n", from, to
             }
         }
         if (checked < 3) print "no link graph to check"
     }' "$work/table" "$arrows" | complain

# only PATTERN WORDS FILE...: complains with WORDS about files that match PATTERN, except FILEs (shell patterns).
only() {
    pattern=$1
    words=$2
    shift 2
    xargs grep -lE "$pattern" <"$work/files" >"$work/found"
    while read -r file; do
        for allowed in "$@"; do
            # shellcheck disable=SC2254 # allowed is a pattern
            case $file in $allowed) continue 2 ;; esac
        done
        echo "$file $words"
    done <"$work/found" | complain
}

only '#[ \t]*include[ \t]*<(ncursesw?/)?n?cursesw?\.h>' 'includes ncurses; only src/term may' 'src/term/*.c'
[ "$(grep -lE '#[ 	]*include[ 	]*<(ncursesw?/)?n?cursesw?\.h>' src/term/*.c | wc -l)" = 1 ] ||
    echo 'ncurses is not included in exactly one file of src/term' | complain
only '#[ \t]*include[ \t]*<(json-c/.*|json)\.h>' 'includes json-c; only src/export and src/cli may' 'src/export/*' 'src/cli/*'
only '#[ \t]*include[ \t]*<(microhttpd|qrencode)\.h>' 'speaks HTTP or makes QR codes; only src/serve may' 'src/serve/*'
only '#[ \t]*include[ \t]*<cmocka\.h>' 'includes cmocka; only tests may' 'lib/*/tests/*'
only '#[ \t]*include[ \t]*[<"](cuda_|cuda\.h|cooperative_groups|nvrtc|device_launch)' \
    'includes a CUDA header' src/practice/host_side.hpp 'src/bring/*' 'kernels/*' 'lib/recorder/*' 'lib/cudacpu/*' 'src/device/gpu/*' 'src/measure/*.cu' 'src/measure/*.cuh'
only '(^|[^A-Za-z0-9_])(cuda[A-Z][A-Za-z]*|cu[A-Z][A-Za-z]*) *\(|<<<|__global__|__CUDACC__' \
    'speaks CUDA' 'lib/interpreter/*' 'src/practice/*' 'kernels/*' 'lib/recorder/*' 'lib/cudacpu/*' 'src/device/gpu/*' src/check/rule.c src/check/report.c src/check/advice.c src/check/host_call.c src/check/kernel_place.c 'src/bring/*' src/launch/call.c src/cli/option.c \
    'src/measure/*.cu' 'src/measure/*.cuh' src/measure/measure.h
only '(^|[^A-Za-z0-9_.>"])(exit|abort) *\(' 'ends the program; only main() and base/memory.c may' \
    src/cli/main.c lib/base/memory.c lib/cudacpu/guest/watched.c lib/cudacpu/instrument/main.c 'lib/*/tests/*' \
    'lib/cudacpu/include/*' # in these headers, assert() and CubDebugExit() of the user program do so

# A press is looked up once, then passed on: see struct press in src/replay/keys/action.h. cast.c presses
# keys itself.
for loop in src/term/run.c web/core/web.c; do
    [ "$(grep -c '[>]press(' $loop)" = 1 ] || echo "$loop does not look keys up in exactly one place" | complain
done
only '[>]press\(' 'looks a key up; the loop in src/term/run.c does' src/term/run.c
grep -v '^src/export/figures/cast.c$' "$work/files" | xargs awk '
     /^[a-z].*\(/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
     /^[ \t].*[^A-Za-z_](action_for_key|[a-z_]+_press)\(/ && name !~ /_press$/ {
         print FILENAME ": " name "() looks a key up; only a function ..._press() may"
     }' web/core/web.c | complain

# Sources are listed, so that stray files are not built. (lessons/ and exercises/ search their
# folders only to refuse unlisted files.)
find . -path './build*' -prune -o \( -name CMakeLists.txt -o -name '*.cmake' \) \
    -exec grep -nE 'GLOB(_RECURSE)?[ )]' /dev/null {} + | grep -vE '^./(lessons|exercises)/CMakeLists.txt:[0-9]*:file\(GLOB (lesson_files|exercise_folders) ' |
    sed 's/$/  (sources are listed, not globbed)/' | complain

[ ! -s "$work/complaints" ]
