# Functions to run a proxy in front of the server at $server_port. To be sourced while the server ($server_pid) runs.

others=$server_pid
proxy_pid=

# with HABIT...: start the proxy ($proxy; default: habits_proxy.py) with these habits; sets $target
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
