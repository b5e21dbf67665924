#!/bin/sh
# check_install.sh SOURCE BUILD CMAKE - checks that what `cmake --install` installs is complete and runs.
set -u
source=$1
build=$2
cmake=$3
. "$(dirname "$0")/links.sh"

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix
"$cmake" --install "$build" --prefix "$prefix" >"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
}

status=0
for file in bin/shflviz share/man/man1/shflviz.1 share/man/zh_CN/man1/shflviz.1 share/doc/shflviz/LICENSE \
    share/doc/shflviz/README.md share/doc/shflviz/docs/TRACE_FORMAT.md \
    share/shflviz/kernels/shuffle_xor.cu share/bash-completion/completions/shflviz \
    share/zsh/site-functions/_shflviz share/fish/vendor_completions.d/shflviz.fish; do
    [ -s "$prefix/$file" ] || {
        echo "not installed: $file"
        status=1
    }
done

# The installed program does not name the build folder. (Debug information and the data for
# AddressSanitizer's reports may.)
cp "$prefix/bin/shflviz" "$work/stripped" && strip --strip-debug "$work/stripped" 2>/dev/null
if ! grep -q __asan_init "$work/stripped" && strings "$work/stripped" | grep -F -e "$build" -e "$(cd "$source" && pwd -P)/" \
    >"$work/named"; then
    echo 'the installed program names the folder that it was built in:'
    head -n 3 "$work/named"
    status=1
fi

# The programs are hardened if the compiler and the linker support it (lib/cmake/Hardening.cmake).
has() {
    grep -q "^$1:.*=$2\$" "$build/CMakeCache.txt"
}
if has CMAKE_BUILD_TYPE Release && has SHFLVIZ_SANITIZE '' && has SHFLVIZ_HAS_LINKER__z_now 1; then
    for program in "$prefix/bin/shflviz" "$prefix"/lib*/shflviz/cudacpu-instrument; do
        [ -x "$program" ] || continue
        readelf -dlW "$program" >"$work/elf"
        readelf --dyn-syms -W "$program" >"$work/symbols"
        for sign in 'NOW.* PIE' GNU_RELRO; do
            grep -q "$sign" "$work/elf" || {
                echo "$program has no $sign"
                status=1
            }
        done
        for sign in __stack_chk_fail '__[a-z]*printf_chk'; do
            grep -q "$sign" "$work/symbols" || {
                echo "$program does not call $sign"
                status=1
            }
        done
    done
fi

# No installed document has a broken link.
find "$prefix" -name '*.md' | sort >"$work/documents"
[ "$(wc -l <"$work/documents")" -ge 10 ] || {
    echo "only $(wc -l <"$work/documents") documents are installed"
    status=1
}
dangling_links <"$work/documents" | sed "s|$prefix/||" >"$work/dangling"
[ ! -s "$work/dangling" ] || {
    cat "$work/dangling"
    status=1
}

# The installed program runs without access to its sources: lane 5 reads lane 5 ^ 3 = 6.
cd "$work" || exit 2
PATH=$prefix/bin:$PATH
if ! shflviz xor --mask 3 --width 16 --format csv >csv 2>err </dev/null; then
    echo 'the installed program does not run:'
    cat err
    exit 1
fi
# The text of the call is quoted, because it contains commas.
sed 's/"[^"]*"/call/' csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
         $column["lane"] == 5 { found = 1; if ($column["out"] != 6) wrong = 1 }
         END { exit !found || wrong }' || {
    echo 'the installed program gave a wrong answer for lane 5 of xor 3:'
    cat csv
    status=1
}
[ "$(shflviz --version)" = "shflviz $(sed -n 's/^project(shflviz VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")" ] || {
    echo "--version says \"$(shflviz --version)\", not what CMakeLists.txt says"
    status=1
}

# The libraries for a class are only loaded when one is served, so nothing else waits
# for them at startup.
{ ldd "$prefix/bin/shflviz" || otool -L "$prefix/bin/shflviz"; } 2>/dev/null | grep -E 'microhttpd|qrencode|gnutls' && {
    echo 'these libraries are loaded at every start of the program'
    status=1
}
class() { LANGUAGE=en LC_ALL=C shflviz doctor | grep '^class'; }
if ! class | grep -q 'only if shflviz is built with libmicrohttpd'; then
    if command -v python3 >/dev/null; then
        python3 - "$prefix/bin/shflviz" "$source/tests/serve" <<'END' || status=1
import asyncio, sys
sys.path.insert(0, sys.argv[2])
from presented import Presentation, Student
shown = Presentation(sys.argv[1], "xor")
asyncio.run(Student(shown.host, shown.port, shown.code).join())
shown.end()
END
    else
        echo 'no python3 on this machine: the installed program does not serve a class'
    fi
    rm "$(find "$prefix" -name 'libshflviz_class.*')"
    class | grep -q 'no .*/shflviz/libshflviz_class' || {
        echo "without the module for a class doctor says: $(class)"
        status=1
    }
fi
exit $status
