# chroot.sh - sets up a bare Debian system in a folder, for the scripts beside this one. To be sourced; needs root,
# Linux and debootstrap.
#
# Everything is in $SHFLVIZ_CHROOTS (default /var/tmp/shflviz-chroots):
#   SUITE.bare   debootstrap's result, kept between calls and never changed; delete it to get a newer one
#   NAME.debs    the packages that were downloaded for NAME, also kept
#   NAME         a copy of SUITE.bare, made again by each call and kept for inspection
# All mounts are made in a separate mount namespace, so none remains, however the script ends.

chroots=${SHFLVIZ_CHROOTS:-/var/tmp/shflviz-chroots}
mirror=${SHFLVIZ_MIRROR:-http://deb.debian.org/debian}
program=${0##*/}

say() { printf '%s: %s\n' "$program" "$*"; }
die() {
    say "$*" >&2
    exit 2
}

# Runs this script again in separate namespaces: when the script ends, so does every process that it has started.
in_namespaces() { # ARGS...
    if [ -n "${SHFLVIZ_IN_NAMESPACES-}" ]; then
        trap 'exit 130' HUP INT TERM # the first process of a namespace ignores signals that it does not trap
        return
    fi
    [ "$(uname -s)" = Linux ] || die 'needs Linux'
    [ "$(id -u)" = 0 ] || die "needs root: sudo $0 $*"
    for tool in debootstrap unshare mount chroot git; do
        command -v "$tool" >/dev/null || die "needs $tool; on Debian: apt-get install debootstrap util-linux mount git"
    done
    SHFLVIZ_IN_NAMESPACES=yes exec unshare --mount --propagation private --pid --fork --kill-child "$0" "$@"
}

# Makes the folder $root from SUITE.bare, with the mounts of a running system.
fresh_chroot() { # SUITE NAME
    bare=$chroots/$1.bare
    root=$chroots/$2
    mkdir -p "$chroots/$2.debs"
    if [ ! -d "$bare" ]; then
        say "making $bare with debootstrap, from $mirror"
        rm -rf "$bare.part"
        debootstrap --variant=minbase "$1" "$bare.part" "$mirror" >"$bare.log" 2>&1 || {
            tail -5 "$bare.log" >&2
            die "debootstrap failed; its output is in $bare.log"
        }
        rm -f "$bare.part"/var/cache/apt/archives/*.deb
        mv "$bare.part" "$bare"
    fi
    say "copying $bare to $root"
    rm -rf "$root"
    cp -a "$bare" "$root"
    mount -t proc proc "$root/proc"
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
    rm -f "$root/dev/ptmx" && ln -s pts/ptmx "$root/dev/ptmx"
    mkdir -p "$root/dev/shm"
    mount -t tmpfs tmpfs "$root/dev/shm"
    mount --bind "$chroots/$2.debs" "$root/var/cache/apt/archives"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
}

# Clones the last commit of this checkout to /checkout in the chroot.
clone_into_chroot() {
    source=$(cd "$(dirname "$0")/../.." && pwd -P)
    git clone -q --no-hardlinks "$source" "$root/checkout" || die "cannot clone $source"
    say "testing $(git -C "$root/checkout" log -1 --format='%h %s')"
    [ -z "$(git -C "$source" status --porcelain --untracked-files=no)" ] || say 'uncommitted changes are not tested'
}

# Runs a shell command in the chroot, without this machine's environment.
inside() { # COMMAND
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM="${TERM:-dumb}" \
        CC="${CC-}" CXX="${CXX-}" nice chroot "$root" sh -c "
            [ -n \"\$CC\" ] || unset CC; [ -n \"\$CXX\" ] || unset CXX; cd /checkout 2>/dev/null || cd /; $1"
}

install_inside() { # PACKAGE...
    inside "apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $*" >"$root/install.log" 2>&1 </dev/null || {
        tail -20 "$root/install.log" >&2
        die "cannot install $*"
    }
}
