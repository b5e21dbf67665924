#!/bin/sh
# check_package.sh SOURCE BUILD - checks that the packages that cpack makes from the build folder are
# complete: the program of an archive runs where it is unpacked, a Debian package passes lintian, an RPM
# can be installed into a folder and removed. tests/systems/package installs a Debian package.
set -u
build=$2

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
status=0
pack() { # GENERATOR
    cpack -G "$1" --config "$build/CPackConfig.cmake" -B "$work/$1" >"$work/log" 2>&1 || {
        cat "$work/log"
        exit 1
    }
}

pack TGZ
mkdir "$work/unpacked" && tar -xzf "$work"/TGZ/shflviz-*.tar.gz -C "$work/unpacked" --strip-components 1 || exit 1
# Lane 5 reads lane 5 ^ 3 = 6.
"$work/unpacked/bin/shflviz" xor --mask 3 --width 16 --format json </dev/null >"$work/out" 2>&1 &&
    tr -d ' \n' <"$work/out" | grep -q '"lane":5,[^}]*"source":6' || {
    echo 'the program in the archive does not run where it is unpacked:'
    head -n 5 "$work/out"
    status=1
}

if command -v dpkg-shlibdeps >/dev/null; then
    pack DEB
    dpkg-deb -c "$work"/DEB/shflviz_*.deb >"$work/files" || exit 1
    for file in usr/bin/shflviz usr/share/doc/shflviz/copyright usr/share/doc/shflviz/changelog.gz \
        usr/share/man/man1/shflviz.1.gz usr/share/man/zh_CN/man1/shflviz.1.gz; do
        grep -q " \./$file\$" "$work/files" || {
            echo "the Debian package has no $file"
            status=1
        }
    done
    if grep -q '/libshflviz_class\.' "$work/files" &&
        ! dpkg-deb -f "$work"/DEB/shflviz_*.deb Depends | grep -q libmicrohttpd; then
        echo 'the Debian package does not depend on libmicrohttpd, to which its module for a class links'
        status=1
    fi
    if command -v lintian >/dev/null; then
        # A real package gets its packager from DEBFULLNAME and DEBEMAIL and its folders from the prefix
        # /usr, neither of which this test sets.
        lintian --allow-root --fail-on error,warning --suppress-tags \
            bogus-mail-host,bogus-mail-host-in-debian-changelog,maintscript-calls-ldconfig,pkg-config-unavailable-for-cross-compilation "$work"/DEB/shflviz_*.deb >"$work/log" 2>&1 || {
            cat "$work/log"
            status=1
        }
    else
        echo 'no lintian on this machine: it does not check the Debian package'
    fi
else
    echo 'no dpkg-dev on this machine: no Debian package is made'
fi

if command -v rpmbuild >/dev/null; then
    pack RPM
    rpm -qpl "$work"/RPM/shflviz-*.rpm >"$work/files" 2>/dev/null || exit 1
    grep -q '/bin/shflviz$' "$work/files" || {
        echo 'the RPM has no bin/shflviz'
        status=1
    }
    # System folders belong to the system's packages.
    grep -xE '/usr(/(bin|lib|lib64|include|share))?|/usr/share/(man|man/man1|man/zh_CN|man/zh_CN/man1|doc|zsh|fish)' "$work/files" && {
        echo 'the RPM claims folders of the system'
        status=1
    }
    # rpm installs it into a folder used as /, verifies it, and removes it. Dependencies are not
    # checked.
    by_rpm() { unshare -r rpm --root "$work/root" --dbpath /db "$@" 2>"$work/log"; }
    mkdir "$work/root"
    if unshare -r true 2>/dev/null; then
        by_rpm -i --nodeps "$work"/RPM/shflviz-*.rpm && by_rpm -V --nodeps shflviz &&
            "$(find "$work/root" -path '*/bin/shflviz')" xor --mask 3 --width 16 --format csv </dev/null >"$work/out" &&
            [ "$(wc -l <"$work/out")" = 33 ] && by_rpm -e --nodeps shflviz || {
            echo 'the RPM does not install into a folder, does not run there, or is not removed:'
            cat "$work/log"
            status=1
        }
        find "$work/root" ! -type d ! -path "$work/root/db/*" | grep . && {
            echo 'these files are left after the RPM was removed'
            status=1
        }
    else
        echo 'no user namespaces on this machine: the RPM is not installed'
    fi
else
    echo 'no rpmbuild on this machine: no RPM is made'
fi
exit $status
