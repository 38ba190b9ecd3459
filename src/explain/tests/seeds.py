"""What tests/fuzz/seeds.py makes for this unit: command lines, and a corpus for each of its targets."""

import json

OPTIONS = ["explain self: getattr 100 --ladder --xdr --no-server --slowest 3", "explain self: null 9 --echo h:1"]


def prediction(write):
    write("good", b"# expected\nserver-work 0.5us-2us\nnetwork 0-1ms\n")
    write("mounted", b"before-rpc 1us-2us\nreturned 0-1us\nlife 1us..1s\n")
    write("sums", b"[2] kernel = encode+send+before-rpc 11us-30us 35us\n[1] = life 73us-180us 126us\n")
    write("twice", b"send 1us-2us\nsend 1us-2us\n")
    write("wrong", b"no-such-phase 1us-2us\n")
    write("reversed", b"send 2us-1us\n")


def far_side(write):
    watch = {"schema": "nfsbench-agent/1"}
    ready = json.dumps({**watch, "ready": True}) + "\n"
    residences = json.dumps({**watch, "events_lost": 1, "residences": [[7, 0] + [None] * 7 + [9], [8] + [1] * 9]}) + "\n"
    names = ["interrupts", "net_rx", "net_tx", "cpu_ns", "voluntary", "involuntary"]
    counters = json.dumps({"schema": "nfsbench-agent/1", "at_ns": 5, "counters": dict.fromkeys(names, 2.5),
                           "interfaces": {"lo": {"rx_bytes": 1, "tx_packets": None}}}) + "\n"
    for name, text in {"ready": ready, "block": ready + ready + residences, "residences": residences, "counters": counters,
                       "counters-twice": counters * 2, "shell": "sh: 1: nfsbench: not found\n",
                       "missing": json.dumps({**watch, "missing": "no BTF"}) + "\n"}.items():
        write(name, text.encode())
        write(name + "-odd", text.encode() + b"\n")


TARGETS = [prediction, far_side]
