#!/usr/bin/env python3
"""Make the corpora that are generated at each build: scripts, texts for parsers, result files and their dictionary.

usage: seeds.py DIRECTORY   (writes TARGET/NAME there)
"""

import glob
import itertools
import json
import os
import re
import runpy
import shutil
import struct
import sys

# Units may have a tests/seeds.py with OPTIONS, a list of command lines, and TARGETS, functions like those below.
UNITS = [runpy.run_path(path)
         for path in sorted(glob.glob(os.path.join(os.path.dirname(__file__), "../../src/*/tests/seeds.py")))]


def calls(write):
    """Write scripts for fuzz_calls.c: two bytes for the server, then steps of procedure, caller and arguments."""
    mkdir, create, rename, remove, rmdir, link = (bytes([i, 0]) for i in range(6))
    a, b, c = b"\0\0", b"\0\1", b"\0\2"  # names in the root
    in_a = b"\1\0"
    plain = b"\0"  # no attributes
    write("remove", b"\0\0" + create + a + b"\0" + plain + remove + a)
    write("rmdir", b"\0\0" + mkdir + a + plain + rmdir + a)
    write("rename", b"\0\0" + create + a + b"\0" + plain + rename + a + b)
    write("rename-over", b"\0\0" + (create + a + b"\0" + plain) + (create + b + b"\0" + plain) + rename + a + b)
    write("rename-into", b"\0\0" + mkdir + a + plain + create + b + b"\0" + plain + rename + b + in_a)
    write("rename-into-itself", b"\0\0" + mkdir + a + plain + rename + a + in_a)
    write("rename-directory-over", b"\0\0" + mkdir + a + plain + mkdir + b + plain + rename + a + b)
    write("rename-other-kind", b"\0\0" + mkdir + a + plain + create + b + b"\0" + plain + rename + a + b + rename + b + a)
    write("not-empty", b"\0\0" + mkdir + a + plain + create + in_a + b"\0" + plain + rmdir + a)
    write("link", b"\0\0" + create + a + b"\0" + plain + link + b"\1" + c + rename + a + c + remove + c)
    write("sticky", b"\0\0\x0b\0\0\1\2" + create + a + b"\0" + plain + b"\3\xa1" + a + b"\4\xa1" + a)
    for step in range(33):
        write(f"step-{step}", b"\0\0" + mkdir + a + plain + bytes([step, 0]) + bytes(12))


def client(write):
    """Write scripts for fuzz_client.c: PLAN_SIZE bytes (mount, find, scratch, procedures), and the script of the server."""
    scratch = {"plain": 0, "named": 1, "verified": 22, "files": 10, "more": 0xf4}
    for name, how in scratch.items():
        for first in range(0, 45, 9):
            write(f"{name}-{first}", bytes([0, 0, 0, 0, how, *range(first, first + 9)]))
    for transport, path in itertools.product(range(0, 16, 3), range(6)):
        write(f"mount-{transport}-{path}", bytes([transport, path, transport << 2, path, 0]))
    for deed, call in itertools.product(range(128, 256, 3), (1, 3, 6, 10, 17)):
        plan = bytes([0, 0, 0, 0, 20, 0, 1, 2]).ljust(32, b"\1")
        write(f"deed-{deed}-{call}", plan + bytes(call) + bytes([deed, 5, 3, 200, 7]))
    for what, call in itertools.product(range(4), range(10, 60, 3)):  # actions of another user
        write(f"others-{what}-{call}", bytes([0, 0, 0, 0, 0]).ljust(32, b"\1") + bytes(call) + bytes([120, what]))


def stream(write):
    """Write scripts for fuzz_stream.c: one byte of set-up, then steps."""
    for kind, fragment, repeat in itertools.product(range(6), (0, 20), (0, 160)):
        call = bytes([0, kind, repeat, fragment]) + (b"\0\0\x40\0" if kind in (2, 3, 4) else b"")
        for how in (0, 9, 7, 240):
            write(f"call-{kind}-{fragment}-{repeat}-{how}",
                  bytes([how]) + call + b"\3\0\x50\5\4\5\6\0\x20\5")


RESULTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden")
MAXIMUM = 8192  # longest input of libFuzzer, in bytes
BULKY = {"slowest", "points", "cost_histogram", "examples", "slow", "meaning", "launches", "model", "ledger", "host"}


def cut(value, items, series, without):
    """Return VALUE with SERIES entries of lists of series or points, and ITEMS of other lists. Numbers are rounded."""
    if isinstance(value, dict):
        return {key: cut(item, items, series, without) for key, item in value.items() if key not in without}
    if isinstance(value, list):
        whole = value and isinstance(value[0], dict) and value[0].keys() & {"op", "trials"}
        return [cut(item, items, series, without) for item in value[:series if whole else items]]
    return round(value, 1) if isinstance(value, float) else value


def keys_of(value):
    if isinstance(value, dict):
        return set(value).union(*map(keys_of, value.values()))
    return set().union(*map(keys_of, value)) if isinstance(value, list) else set()


def result(write):
    """Write shortened results of scripts/golden, and a minimal one of each kind. The dictionary gets the results' keys, and
    values that the reader distinguishes."""
    keys = {"NFS3ERR_IO", "fixed_ns", "ns_per_byte", "misfit_ns"}
    kinds = {"functions"}  # not a kind
    for path in sorted(glob.glob(RESULTS + "/results/*.json") + glob.glob(RESULTS + "/expected/*-*.json")):
        with open(path, encoding="utf-8") as file:
            whole = json.load(file)
        keys |= keys_of(whole)
        kinds.add(whole["kind"])
        for i, size in enumerate(((2, 99, set()), (2, 99, BULKY), (1, 3, BULKY - {"launches", "model", "ledger"}),
                                  (1, 3, BULKY | {"histogram", "validity", "latency_ns", "clock", "tool"}))):
            text = json.dumps(cut(whole, *size), separators=(",", ":")).encode()
            if len(text) <= MAXIMUM:
                write(f"{os.path.basename(path)}-{i}", text)
    for kind in sorted(kinds):
        write(kind, json.dumps({"schema": "nfsbench-result/2", "kind": kind, "ops": "read" if kind == "experiment" else [], "first": {}, "second": {},
                                "differences": []}).encode())
    for schema in ("nfsbench-result/1", "nfsbench-result/3"):
        write(schema.replace("/", "-"), json.dumps({"schema": schema}).encode())
    words = ["null", "true", "false", "-1", "1e300", "1e18", "[]", "{}", '\\"\\"', "poisson", "null_control",
             "\\\\u001b[31m", "\\\\u202e", "\\\\u009b", "=1+1", "`|`", "<b>"]
    with open(os.path.join(sys.argv[1], "result.dict"), "w", encoding="ascii") as file:
        file.writelines(f'"{word}"\n' for word in [f'\\"{key}\\":' for key in sorted(keys)] + words)


def connection(write):
    """Write scripts for fuzz_connection.c: depth and transport, then connecting, then steps."""
    for transport, cut, how in itertools.product((0, 1), (0, 3, 233), (0, 4, 230)):
        write(f"{transport}-{cut}-{how}",
              bytes([20 + transport, 0, 0x38, 1]) + bytes([2, 1, cut | how, 0, 200]) * 4 + b"\4\5\4")
    write("lost", bytes([20, 0, 0x38, 1, 0xe6, 4, 5, 0, 1, 2, 0, 0, 0, 9, 4]))
    write("late", bytes([21, 0, 0x38, 1, 0xfd, 0xfd, 1, 2, 0, 0, 0, 9, 4, 0xfd, 0xfd, 0xfd]))


def target(write):
    for i, text in enumerate(["host:/export", "[::1]:/export/", "self:", "self:/dir", "nfs://host/export",
                              "nfs://[::1]:2049/a%20b?mountport=1&nfsport=2&proto=udp&version=3"]):
        write(str(i), text.encode())


def numbers(write):
    for i, text in enumerate(["1.5k", "64KiB", "1..64", "10%..100%,50%", "1,2,8..32", "2us", "0.25min",
                              "18446744073709551616", "getattr=2us:1%", "read=NFS3ERR_IO:0.5", "5ms/8", "1000/50",
                              "0.01", "1%", "1000", "null=1us", "readdirplus=1ms:50%", "write=NFS3ERR_NOSPC"]):
        write(str(i), text.encode())


def unit_examples():
    """Yield the command lines in the help of all units."""
    for path in sorted(glob.glob(os.path.join(os.path.dirname(__file__), "../../src/*/command.c"))):
        with open(path, encoding="utf-8") as file:
            yield from re.findall(r'"  nfsbench (.+)\\n"', file.read())


def options(write):
    """Write command lines, one word per line: plain ones, then some for each kind of option."""
    common = ["run self: getattr 1000", "self: getattr", "run host:/export all 1M",
              "run self: read 1k --size 64KiB --pattern zipf:1.2 --files 10 --file-size 1MiB --working-set 50%",
              "run self: read,write 1k --pattern stride:4 --cold --verify",
              "run self: null 10k --clients 4 --connections 2 --depth 64 --threads 2 --cpus 0-1",
              "run self: null 10k --rate 5k --arrival poisson", "run self: null 1k --depth 64 --batch 8",
              "run self: getattr 1k --launches 2x3 --seed 7", "run self: getattr --precision 2% --max-time 1s",
              "run self: getattr 1k --versus self: --versus proto=udp", "run self: getattr 1k --versus engine=tirpc",
              "run a:/b getattr 1k --proto udp --port 1 --mount-port 2 --uid 1 --gid 2 --sec none --no-resvport",
              "run self: mix:sfs2008 1k --strict --allow-suspect -q --wide --color never",
              "run self: getattr 1k --self-args --read-only", "serve --cost getattr=2us:1% --error null=NFS3ERR_IO:0.5 --delay read=1ms --device 5ms/8 --call-rate 1k/50 --byte-rate 10M/64Ki --lock getattr=50us",
              "run self: create 1k --scratch d --keep-scratch --dir-size 100 --cleanup-timeout 1s",
              "run self: getattr 1k --json a --csv - --markdown b --openmetrics c --hdr d",
              "run self: getattr 1k --engine libnfs --clock monotonic --spin --let-sleep --timeout 1s --retrans 3",
              "run self: getattr 1k --no-baseline --no-model --no-ledger --no-warmup --block 10",
              "sweep self: getattr --clients 1..8 --repeats 2 --trial 1s", "sweep self: read --size 4KiB..64KiB",
              "sweep self: getattr --rate 10%..100%", "sweep self: getattr --find-max p99=1ms",
              *itertools.chain.from_iterable(unit["OPTIONS"] for unit in UNITS),
              "compare a.json b.json --threshold 5% --op read", "compare a.json -- b.json --threshold 1%,2us --hist",
              *unit_examples(), "report a.json -o a.svg --kind cdf --op read",
              "report a.json b.json -o c.html", "clean host:/export --yes", "doctor host:/export",
              "serve --port 0 --threads 2 --files 9 --memory 1GiB --held 1MiB --stall 1s --address ::1 --register",
              "serve --echo --user nobody --read-only --root-squash --service-times", "agent --counters --port 1 --proto tcp",
              "agent --events --pid 1 --client-port 2", "run --help", "run --version", "run --completion bash",
              "run self: getattr 1k --nosuch", "run self:", "run self: frobnicate 1", "run self: getattr 0"]
    for i, line in enumerate(common):
        write(str(i), line.replace(" ", "\n").encode())


def mix(write):
    write("good", b"# a comment\ngetattr 26\nread 18 # reads\n\nlookup 1000000\n")
    write("twice", b"read 1\nread 1\n")
    write("no-op", b"null 1\n")
    ops = ("getattr setattr lookup access readlink read write create mkdir symlink mknod remove rmdir rename link "
           "readdir readdirplus fsstat fsinfo pathconf commit").split()
    write("all", "".join(f"{op} 1\n" for op in ops).encode())


def lease(write):
    write("good", b"nfsbench scratch directory, format 1\nnonce 0000000000000007\nhost far\npid 7\n"
                  b"started 2026-11-21T23:41:36Z\ndirectory 000000000000000a\nname .nfsbench-far-7-0000000a\n")
    write("cut", b"nfsbench scratch directory, format 1\nnonce 0000000000000007\nhost far\n")


def proc(write):
    write("stat", b"cpu  1 2 3 4 5 6 7 8 9 10\nintr 99 1 2\nctxt 77\nsoftirq 10 1 2 3 4 5\n")
    write("dev", b"Inter-| Receive\n face |bytes\n  eth0: 1 2 0 0 0 0 0 0 3 4 0 0 0 0 0 0\n    lo: 1 2 0 0 0 0 0 0 3 4\n")
    write("status", b"voluntary_ctxt_switches:\t12\nnonvoluntary_ctxt_switches:\t3\n")


def mounts(write):
    info = "29 1 0:25 / /mnt rw,relatime shared:7 - nfs server:/two\\040words rw,vers=3,proto=tcp,addr=127.0.0.1\n"
    names = ("NULL GETATTR SETATTR LOOKUP ACCESS READLINK READ WRITE CREATE MKDIR SYMLINK MKNOD REMOVE RMDIR RENAME "
             "LINK READDIR READDIRPLUS FSSTAT FSINFO PATHCONF COMMIT").split()
    stats = ("device server:/export mounted on /mnt with fstype nfs statvers=1.1\n"
             "\tRPC iostats version: 1.1  p/v: 100003/3 (nfs)\n"
             + "".join(f"\t{name}: 1 2 3 4 5 6 7 8 9\n" for name in names))
    write("info", info.encode() * 3)
    write("stats", stats.encode())
    write("both", (info + stats + stats).encode())


def gss(write):
    """Write scripts for fuzz_gss.c: contexts of each service, with calls in order, out of order, repeated and changed."""
    for service in range(3):
        token = bytes([3, 9, 0, service])
        calls = bytes([0, 0, 0] * 3)
        write(f"plain-{service}", token + calls + bytes([5]) + calls)
        write(f"again-{service}", token + calls + bytes([6, 6]))
        write(f"numbers-{service}", token + bytes([0, 20, 0, 0, 16, 1, 0, 16, 0, 0, 19, 255, 0, 255, 255]))
        write(f"changed-{service}", token + bytes(b for at in range(0, 200, 8) for b in (2, 0, 0, 0, at, 1)))
        write(f"two-steps-{service}", bytes([3, 9, 1, service]) + calls + bytes([4, 9, 0]) + calls + bytes([4, 1, 0]))
        write(f"several-{service}", token + bytes([11, 8, 0, 1, 19, 7, 0, 2]) + bytes([0, 0, 0, 8, 0, 0, 16, 0, 0] * 4))
    write("no-token", bytes([3, 0, 0, 0, 0, 0, 0, 4, 9, 0]))
    for procedure in range(5):
        body = b"".join(word.to_bytes(4, "big") for word in (1, procedure, 7, 2, 8)) + bytes(8)
        write(f"credential-{procedure}", bytes([7, len(body), 0]) + body + bytes([0, 0, 0, 2, 9, 0, 0, 0]) + bytes(56))


def tls(write):
    """Write scripts for fuzz_tls.c: a handshake and messages, complete, in pieces, and with each fault."""
    shake, talk = [0, 1] * 12, [4, 0, 99, 1, 5, 156, 64, 0, 0, 0]
    write("whole", bytes([0] + shake + talk * 3))
    write("other-host", bytes([1] + shake))
    write("pieces", bytes([0] + [byte for choice in shake * 6 for byte in (choice | 2, 50)] + talk + [2, 7] * 90))
    for fault in range(4):
        for when in range(0, 30, 6):
            steps = shake + talk
            write(f"fault-{fault}-{when}", bytes([0] + steps[:when] + [192 + when % 4 // 2, 9, 0, 60, fault] + steps[when:] + talk))


def workload(write):
    write("whole", json.dumps({
        "schema": "nfsbench-result/2", "kind": "workload",
        "ops": [{"op": "getattr", "weight": 20, "next": {"read": 9}}, {"op": "read", "weight": 10, "calls": 10, "p50_us": 1.5}],
        "clients": 2, "in_flight": {"mean": 1.5, "p99": 8}, "rate_per_s": 1200.25, "files": {"count": 30, "zipf_exponent": 0.9},
        "read_sizes": [{"bytes": 4096, "calls": 9}], "own_clients": [{"calls": 30, "think_us": {"p50": 2}}],
        "most_used": [{"calls": 3, "bytes": 1, "name": "file-1"}], "interval_s": 0.5, "arrivals": [10, 20]}).encode())


def main():
    for make in (calls, client, stream, result, connection, target, numbers, options, mix, lease, proc, mounts, gss, tls, workload,
                 *itertools.chain.from_iterable(unit["TARGETS"] for unit in UNITS)):
        folder = os.path.join(sys.argv[1], make.__name__)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)

        def write(name, data, folder=folder):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)

        make(write)


main()
