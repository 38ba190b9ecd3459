# Functions to kill the server of scripts/with-ganesha, and to start it again. To be sourced.

# wait_for PATTERN FILE: wait until FILE has a matching line, for a minute at most
wait_for() {
    for _ in $(seq 600); do
        ! grep -q "$1" "$2" || return 0
        sleep 0.1
    done
    echo "nothing like '$1' in $2: $(cat "$2")" >&2
    return 1
}

kill_ganesha() {
    kill -9 "$(cat /run/ganesha/pid)"
    rm /run/ganesha/pid
}

start_ganesha() {
    ganesha.nfsd -F -f /run/ganesha/ganesha.conf -L /run/ganesha/log -p /run/ganesha/pid &
    # with-ganesha ends only the server that it has started
    trap "kill -9 $!; ! command -v cleanup >/dev/null || cleanup" EXIT
}
