# Functions for check-archive and check-deb, which source this file as root in the project's directory. They make chroots with
# Debian 12 by debootstrap, as directories of $scratch, which is removed at the end.
. scripts/with.sh

PATH=$PATH:/usr/sbin:/sbin
[ "$(id -u)" -eq 0 ] || skip 'it needs root'
need debootstrap unshare
unshare --mount --pid --fork true 2>/dev/null || skip 'namespaces are not permitted'
scratch=$(mktemp -d)
trap 'rm -rf --one-file-system "$scratch"' EXIT
trap 'exit 130' INT TERM

# inside ROOT COMMAND...: run COMMAND in the chroot ROOT, in a separate mount namespace, so that no mount is left
inside() {
    # shellcheck disable=SC2016
    unshare --mount --pid --fork sh -c '
        mount --bind "$1" "$1" # so that the root is in /proc/self/mountinfo
        mount -t proc proc "$1/proc"
        mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts"
        [ ! -d "$1/ccache" ] || mount --bind "$cache/ccache" "$1/ccache"
        root=$1
        shift
        exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root \
            DEBIAN_FRONTEND=noninteractive "$@"' sh "$@"
}

export cache="${XDG_CACHE_HOME:-$HOME/.cache}/nfsbench-check-deb"
mkdir -p "$cache/ccache"
find "$cache" -maxdepth 1 -name '*.tar*' -mtime +6 -delete

# kept NAME: print the name of the tar file for $scratch/NAME. keep NAME: write this file. restore NAME: unpack it, if it exists.
kept() {
    echo "$cache/$1-$(cat scripts/chroot.sh scripts/check-deb scripts/packaging/debian/control | sha256sum | cut -c1-16).tar"
}
keep() {
    tar -C "$scratch" --one-file-system -cf "$(kept "$1").$$" "$1" && mv "$(kept "$1").$$" "$(kept "$1")"
}
restore() {
    [ ! -e "$(kept "$1")" ] || tar -C "$scratch" -xpf "$(kept "$1")"
}

# make_bare: make $scratch/bare, which has only debootstrap's minimal packages
make_bare() {
    restore bare
    [ -d "$scratch/bare" ] || {
        debootstrap --variant=minbase bookworm "$scratch/bare" >"$scratch/log" 2>&1 ||
            skip "debootstrap: $(tail -n 1 "$scratch/log")"
        echo force-unsafe-io >"$scratch/bare/etc/dpkg/dpkg.cfg.d/unsafe" # the chroot is temporary, so dpkg need not sync files
        echo 'APT { Get::Assume-Yes "true"; Install-Recommends "false"; };' >"$scratch/bare/etc/apt/apt.conf.d/90nfsbench"
        sed -i 'p; s/^deb /deb-src /' "$scratch/bare/etc/apt/sources.list"
        keep bare
    }
    inside "$scratch/bare" apt-get update -q || skip 'apt-get update fails'
}
