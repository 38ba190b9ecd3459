#!/usr/bin/env python3
"""Calls of all procedures, for a server whose instructions are counted, and a comparison of the counts.

same_server.py call PORT: make the calls of each kind, and after each kind an EXPORT, before which the server
writes its counts.
same_server.py compare NAME...: print the instructions per call of each kind for the server NAME, whose counts are NAME.1,
NAME.2 and so on. Fail unless a server's counts exceed the first server's by about the same number for all kinds."""

import os
import random
import re
import sys

import nfs3_client as nfs

CALLS = 16    # calls of each kind
BOUND = 60     # greatest variation of the differences, in instructions per call: drawing whether a fault happens takes 40
SHARE = 0.005  # further variation, as a share of a call's instructions: servers hash names to different buckets
AT_ONCE = 16  # READs in flight


def together(client, handle, count):
    """Send READs that arrive at the same time, and receive all replies."""
    connection = client.connection
    messages = []
    for _ in range(AT_ONCE):
        connection.xid += 1
        arguments = nfs.opaque(handle) + nfs.u64(0) + nfs.u32(count)
        messages.append(nfs.record(nfs.call(connection.xid, nfs.NFS, 6, arguments, client.user.credential())))
    connection.socket.sendall(b"".join(messages))
    for _ in messages:
        connection.record(nfs.time.monotonic() + nfs.TIMEOUT)


def make_kinds(client, root):
    """Return a function for each kind of call that makes call number I."""
    file = client.lookup(root, "file")[1].handle
    link = client.lookup(root, "link")[1].handle
    return {
        "null": lambda i: client.null(),
        "getattr": lambda i: client.getattr(file),
        "setattr": lambda i: client.setattr(file, mode=0o600 + i),
        "lookup": lambda i: client.lookup(root, "file"),
        "access": lambda i: client.access(file, 63),
        "readlink": lambda i: client.readlink(link),
        "read 512": lambda i: client.read(file, 0, 512),
        "read 4k": lambda i: client.read(file, 0, 4096),
        "read 64k": lambda i: client.read(file, 0, 65536),
        "reads 4k": lambda i: together(client, file, 4096),
        "reads 64k": lambda i: together(client, file, 65536),
        "write": lambda i: client.write(file, 0, bytes(4096)),
        "create": lambda i: client.create(root, f"c{i}", mode=0o644),
        "mkdir": lambda i: client.mkdir(root, f"d{i}", mode=0o755),
        "symlink": lambda i: client.symlink(root, f"s{i}", "file"),
        "mknod": lambda i: client.mknod(root, f"n{i}", nfs.FIFO, mode=0o644),
        "link": lambda i: client.link(file, root, f"l{i}"),
        "rename": lambda i: client.rename(root, f"c{i}", root, f"r{i}"),
        "remove": lambda i: client.remove(root, f"r{i}"),
        "rmdir": lambda i: client.rmdir(root, f"d{i}"),
        "readdir": lambda i: client.readdir(root),
        "readdirplus": lambda i: client.readdirplus(root),
        "fsstat": lambda i: client.fsstat(root),
        "fsinfo": lambda i: client.fsinfo(root),
        "pathconf": lambda i: client.pathconf(root),
        "commit": lambda i: client.commit(file),
    }


def call(port):
    random.seed(1)
    user = nfs.User(os.geteuid(), os.getegid())
    client, root = nfs.mount(int(port), user)
    mount, kinds = nfs.Mount3(client.connection, user), make_kinds(client, root)
    mount.export()
    with open("kinds", "w") as names:
        for name, make in kinds.items():
            for i in range(CALLS):
                result = make(i)
                assert not result or result[0] == "OK", (name, result)
            mount.export()
            print(name, file=names)


def counts(name):
    """Return the instructions of a call by kind. The first file has the instructions before the first kind."""
    with open("kinds") as names:
        kinds = names.read().splitlines()
    found = {}
    for number, kind in enumerate(kinds, 2):
        with open(f"{name}.{number}") as file:
            total = int(re.search(r"^(?:totals|summary): (\d+)", file.read(), re.M).group(1))
        found[kind] = total / CALLS / (AT_ONCE if kind.startswith("reads") else 1)
    return found


def compare(names):
    table = {name: counts(name) for name in names}
    plain = table[names[0]]
    assert min(plain.values()) > 100, "nothing was counted"
    wrong = []
    for kind in plain:
        print(f"{kind:12}" + "".join(f"{table[name][kind]:10.0f}" for name in names))
        for name in names[1:]:
            common = table[name]["null"] - plain["null"]
            if abs(table[name][kind] - plain[kind] - common) > BOUND + SHARE * plain[kind]:
                wrong.append(f"{kind} by {name}")
    assert not wrong, "not the same server: " + ", ".join(wrong)


{"call": lambda: call(sys.argv[2]), "compare": lambda: compare(sys.argv[2:])}[sys.argv[1]]()
