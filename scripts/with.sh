# What the scripts with-... have in common. Each sources it as its first command after 'set -eu'.
script=$(basename "$0")

# usage: print the comment that the script begins with.
usage() {
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

# fail REASON...: something went wrong.
fail() {
    echo "$script: $*" >&2
    exit 1
}

# skip REASON...: something that the script needs is missing here.
skip() {
    echo "$script: $*" >&2
    exit 77
}

# need TOOL...
need() {
    for tool in "$@"; do
        command -v "$tool" >/dev/null || skip "$tool is not installed; see scripts/install-packages"
    done
}

# Inside a mount namespace: have $scratch in memory, mounted over a directory that is not needed there. It is removed
# with the namespace.
private_scratch() {
    scratch=/proc/fs
    mount -t tmpfs tmpfs $scratch
}

# give_up REASON...: fail, after what processes wrote to $scratch/*.err.
give_up() {
    cat "$scratch"/*.err >&2 || true
    fail "$@"
}

# ready FILE PID: has the process written to FILE that it is ready, within ten seconds?
ready() {
    for _ in $(seq 200); do
        ! grep -q ready "$1" 2>/dev/null || return 0
        kill -0 "$2" 2>/dev/null || return 1
        sleep 0.05
    done
    return 1
}
