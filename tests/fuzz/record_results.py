#!/usr/bin/env python3
"""Make fuzz_result's corpus and the dictionary: runs of several kinds on the embedded
server, their results cut down to a few rounds, buckets and entries each.

usage: record_results.py NFSBENCH TESTS_FUZZ_DIRECTORY    (writes corpus/result/* and result.dict there)
"""

import json
import os
import subprocess
import sys
import tempfile

LISTED = 2  # of each array
UNREAD = {"slowest", "load", "cost_histogram", "points", "p9999", "relative_error", "unmatched_replies",
          "call_ns_per_byte", "reply_ns_per_byte", "rx_ns_per_packet", "pause_ns_per_ns", "min", "stddev",
          "net_tx", "machine_switches", "steal_ns", "rx_bytes", "tx_bytes", "reconnects", "retransmits",
          "precision", "auth_offered", "address", "clocksource", "machine", "calls_per_pass", "client_idle_per_ns",
          "server_idle_per_ns", "client_per_call", "timeout_ns", "retrans", "verify"}  # in a series, by anything
RUNS = {
    "plain": ["getattr", "60", "--no-ledger"],
    "ledger": ["getattr", "60", "--no-model"],
    "no-baseline": ["getattr", "60", "--no-baseline", "--no-ledger"],
    "udp-spin": ["getattr", "60", "--proto", "udp", "--spin", "--no-model", "--no-ledger"],
    "load": ["getattr", "60", "--clients", "2", "--depth", "2", "--no-model", "--no-ledger"],
    "open-loop": ["getattr", "60", "--rate", "2000", "--no-model", "--no-ledger"],
    "read": ["read", "60", "--size", "64KiB", "--no-model", "--no-ledger"],
    "errors": ["getattr", "60", "--error", "getattr=NFS3ERR_IO:0.1", "--no-model", "--no-ledger"],
    "launches": ["getattr", "60", "--launches", "3", "--no-model", "--no-ledger"],
    "versus": ["getattr", "60", "--versus", "self:", "--no-model", "--no-ledger"],
}
SIDE = {"schema", "kind", "target", "config", "rounds", "ops"}  # what is kept of each of two sides
INPUT_MAXIMUM = 4096  # bytes of CSV
# Of other kinds: the words before the target, and those after it.
KINDS = {
    "sweep-depth": (["sweep", "--allow-suspect"], ["getattr", "60", "--depth", "1,2", "--repeat", "2"]),
    "sweep-size": (["sweep", "--allow-suspect"], ["read", "60", "--size", "1k,4k,16k", "--repeat", "2"]),
    "explanation": (["explain", "--no-server"], ["getattr", "60"]),
    "explanations": (["explain", "--no-server"], ["getattr,read", "60", "--depth", "2"]),
    "ladder": (["explain", "--ladder"], ["getattr", "60", "--no-ledger"]),
}
# Of a sweep's points: figures that nothing but its reader looks at.
FIGURES_LEFT_OUT = {"turn_around_ns", "p90_ns", "p999_ns", "max_ns", "client_cpu_share", "client_thread_share",
                    "server_cpus", "server_cpu_share", "server_thread_share", "both_cpus", "link_share",
                    "client_cpu_ns_per_call", "lateness_p99_ns", "rx_packets_per_call", "rx_bytes_per_call",
                    "interrupts_per_call", "net_rx_per_call"}
# Parts that are measurements, which are cut down as those are.
PARTS = {"run"}


def cut(value):
    if isinstance(value, dict):
        return {key: cut(item) for key, item in value.items() if key not in UNREAD or key == "load" and
                "depth" in item}
    if isinstance(value, list):
        # All series and buckets are kept, but not all of their contents.
        whole = value and isinstance(value[0], dict) and "op" in value[0] and "blocks" in value[0]
        return [cut(item) for item in (value if whole else value[:LISTED])]
    return round(value, 1) if isinstance(value, float) else value


def measure(program, name, words):
    """The result of a command, cut down."""
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "result.json")
        subprocess.run([program, *words, "-q", "-j", path], check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
    if name.startswith("sweep"):
        for point in result["points"]:  # all trials of a point, as their number is checked
            for figure in [key for key in point if key in FIGURES_LEFT_OUT]:
                del point[figure]
        return {key: item for key, item in result.items() if key not in ("host", "tool")}
    if name.startswith("expl"):
        phases = [result, *result.get("ops", [])]
        for op in phases:
            op.pop("examples", None)
            op.pop("slow", None)
            for phase in op.get("phases", []):
                del phase["meaning"]
        return result
    return {key: cut(item) if key in PARTS else item for key, item in result.items()}


def keys_of(value):
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from keys_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from keys_of(item)


def run(program, arguments, form):
    """What a run of the embedded server writes in FORM."""
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "result")
        subprocess.run([program, "self:", *arguments, "-q", "--allow-suspect", form, path], check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()


def make_anonymous(result):
    result["host"]["cpu"], result["host"]["kernel"] = "a processor", "6.1"
    result["skipped"] = [{"op": "link", "reason": "it is not there"}]
    result["validity"] = {"verdict": "suspect",
                          "reasons": [{"name": "steal", "verdict": "suspect", "text": "9 %"}]}


def record_result(program, name, folder):
    result = cut(json.loads(run(program, RUNS[name], "--json")))
    if "first" in result:  # an input has 8192 bytes at most
        for side in ("first", "second"):
            result[side] = {key: value for key, value in result[side].items() if key in SIDE}
    else:
        make_anonymous(result)
    path = os.path.join(folder, name)
    with open(path, "w", encoding="ascii") as file:
        json.dump(result, file, separators=(",", ":"))
    print(name, os.path.getsize(path))
    return set(keys_of(result))


def main():
    program, directory = sys.argv[1], sys.argv[2]
    keys = set()
    os.makedirs(os.path.join(directory, "corpus", "result"), exist_ok=True)
    for name in RUNS:
        keys |= record_result(program, name, os.path.join(directory, "corpus", "result"))
    for name, (before, after) in KINDS.items():
        result = measure(program, name, [*before, "self:", *after])
        keys.update(keys_of(result))
        with open(os.path.join(directory, "corpus", "result", name), "w", encoding="ascii") as file:
            json.dump(result, file, separators=(",", ":"))
        print(name, os.path.getsize(os.path.join(directory, "corpus", "result", name)))
    with open(os.path.join(directory, "result.dict"), "w", encoding="ascii") as file:
        file.write("# Keys and values of result files. Made by record_results.py.\n")
        file.writelines(f'"\\"{key}\\":"\n' for key in sorted(keys))
        for word in ("null", "true", "false", "-1", "1e300", "1e18", "[]", "{}", "\\\"\\\"", "poisson",
                     "null_control", "\\\\u001b[31m", "\\\\u202e", "\\\\u009b", "=1+1", "`|`", "<b>"):
            file.write(f'"{word}"\n')


main()
