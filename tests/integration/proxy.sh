# For scripts that use a proxy that changes the replies of the server on $server_port: to be sourced when that server
# ($server_pid) runs.

others=$server_pid
proxy_pid=

# with HABIT...: a proxy with these habits ($proxy; habits_proxy.py if that is not set); sets $target.
with() {
    [ -z "$proxy_pid" ] || {
        kill $proxy_pid
        wait $proxy_pid 2>/dev/null || true
    }
    server_pid=
    start python3 "$here/${proxy-habits_proxy.py}" "$server_port" "$@"
    proxy_pid=$server_pid
    target="nfs://127.0.0.1:$port/export"
}
