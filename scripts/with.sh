# Functions that most scripts with-... and chroot.sh share. They source this file before they do anything else.
script=$(basename "$0")

# usage: print the comment at the beginning of the script, and exit with status 2.
usage() {
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

# fail REASON...: print REASON, and exit with status 1.
fail() {
    echo "$script: $*" >&2
    exit 1
}

# skip REASON...: print REASON, and exit with status 77, because something that the script needs is missing.
skip() {
    echo "$script: $*" >&2
    exit 77
}

# need TOOL...: skip if one of the tools is not installed.
need() {
    for tool in "$@"; do
        command -v "$tool" >/dev/null || skip "$tool is not installed; see scripts/install-packages"
    done
}

# private_scratch: inside a mount namespace, mount a file system in memory as $scratch, over a directory that is not needed.
# It is removed with the namespace.
private_scratch() {
    scratch=/proc/fs
    mount -t tmpfs tmpfs $scratch
}

# give_up REASON...: print the errors of processes in $scratch/*.err, then fail.
give_up() {
    cat "$scratch"/*.err >&2 || true
    fail "$@"
}

# ready FILE PID: wait up to ten seconds until the process PID has written to FILE that it is ready. Returns 1 if it has not.
ready() {
    for _ in $(seq 200); do
        ! grep -q ready "$1" 2>/dev/null || return 0
        kill -0 "$2" 2>/dev/null || return 1
        sleep 0.05
    done
    return 1
}
