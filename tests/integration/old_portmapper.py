#!/usr/bin/env python3
"""A port mapper of version 2 only (RFC 1833 section 3), on port 111 over TCP and UDP: it says that
NFS and MOUNT version 3 are at the port that its argument names, and answers rpcbind's versions 3 and
4 with PROG_MISMATCH. Ends after a minute."""

import struct
import sys

from rpc_stream import answering, listen

PORT = int(sys.argv[1])


def reply(message):
    xid, _, _, program, version, procedure = struct.unpack(">6I", message[:24])
    head = struct.pack(">5I", xid, 1, 0, 0, 0)
    if version != 2:
        return head + struct.pack(">3I", 2, 2, 2)
    if procedure == 0:
        return head + struct.pack(">I", 0)
    if procedure == 4:  # DUMP
        entries = [(program, 3, proto, PORT) for program in (100003, 100005) for proto in (6, 17) if PORT]
        return head + struct.pack(">I", 0) + b"".join(struct.pack(">5I", 1, *entry) for entry in entries) + bytes(4)
    wanted, wanted_version = struct.unpack(">2I", message[-16:-8])
    known = wanted in (100003, 100005) and wanted_version == 3
    return head + struct.pack(">2I", 0, PORT if known else 0)


listen(answering(reply), 60, 111, lambda message: [reply(message)])
