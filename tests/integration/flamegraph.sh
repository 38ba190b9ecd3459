#!/bin/sh
# Flame graphs: client and server are in one well-formed picture, with the names of their functions; errors are reported in
# one line; only the picture is left.
. "$(dirname "$0")/lib.sh"
need perf perl python3 setpriv setsid timeout
[ -r /usr/share/perl5/Devel/NYTProf/flamegraph.pl ] || skip 'flamegraph.pl (libdevel-nytprof-perl) is not installed'

export NFSBENCH="$nfsbench" HOME="$scratch/home" TMPDIR="$scratch/tmp"
mkdir "$HOME" "$TMPDIR" "$scratch/pictures"
cd "$scratch/pictures"

# graph STATUS ARGUMENT...: scripts/flamegraph
graph() {
    expected=$1
    shift
    ends "$expected" "$top/scripts/flamegraph" "$@"
}

# shows NAME...: the picture is well-formed, and has a frame for each NAME
shows() {
    python3 - getattr.svg "$@" <<'EOS' || fail "the picture lacks something of: $*"
import sys
import xml.etree.ElementTree as tree
titles = [t.text or "" for t in tree.parse(sys.argv[1]).iter("{http://www.w3.org/2000/svg}title")]
missing = [name for name in sys.argv[2:] if not any(t.startswith(name + " (") for t in titles)]
sys.exit(f"no frame of {', '.join(missing)}" if missing else 0)
EOS
}

graph 0 -o getattr.svg -- self: getattr 20k --launches 1 --no-model --allow-suspect -j '../a<&b.json'
shows 'client nfsbench' 'server nfsbench serve' channel_exchange thread_pool_run
grep -q '^flamegraph: getattr.svg: .* samples of .*client .* server ' "$scratch/err" || fail 'no summary'
[ "$(ls -A)" = getattr.svg ] || fail "more than the picture was left: $(ls -A)"
left_nothing "$TMPDIR"
left_nothing "$HOME"
rm getattr.svg

# With --server-pid, the server may have been running before.
start "$nfsbench" serve
graph 0 -o getattr.svg --server-pid $server_pid -- "nfs://127.0.0.1:$port/export" getattr 20k --no-model --allow-suspect
shows 'client nfsbench' channel_exchange thread_pool_run
kill -0 $server_pid 2>/dev/null || fail 'the server ended when it was watched'
stop
rm getattr.svg

# A file with a name that others can foresee is not used. If the output is a link, it is followed and kept; the mode is kept.
echo precious >../victim
ln -s ../victim getattr.svg.partial
echo old >../drawn.svg
chmod 640 ../drawn.svg
ln -s ../drawn.svg getattr.svg
graph 0 -o getattr.svg -- self: getattr 20k --no-model --allow-suspect
[ "$(cat ../victim)" = precious ] || fail 'the target of a link was overwritten'
[ -L getattr.svg ] && [ "$(stat -c %a ../drawn.svg)" = 640 ] || fail 'the link was replaced, or the mode has changed'
shows channel_exchange
rm getattr.svg getattr.svg.partial ../victim ../drawn.svg

# Recording frame pointers takes less data than recording copies of the stack.
graph 0 --methods -- self: getattr 2k --no-model --launches 1 --allow-suspect -q
[ "$(cut -d , -f 1 "$scratch/out" | tr '\n' ' ')" = 'method fp dwarf-4096 dwarf-8192 dwarf-16384 dwarf-32768 ' ] || fail 'the methods'
[ "$(sed 1d "$scratch/out" | sort -t , -k 2n | head -n 1 | cut -d , -f 1)" = fp ] || fail 'the sizes of the data'
left_nothing .

# Nothing is drawn for a command that failed, and its status is returned.
graph 3 -o getattr.svg -- nfs://127.0.0.1:1/export getattr 10
graph 2 -o getattr.svg -- self: no-such-op 10
graph 2 -o getattr.svg
graph 2 -F 0 -o getattr.svg self: getattr 10
graph 2 -o nowhere/getattr.svg self: getattr 10
graph 2 --server-pid 4194305 -o getattr.svg self: getattr 10
[ "$(wc -l <"$scratch/err")" -eq 1 ] || fail 'not one line of error'
left_nothing .
left_nothing "$TMPDIR"
finish
