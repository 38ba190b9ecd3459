#!/usr/bin/env python3
"""A port mapper of version 2 only (RFC 1833 section 3), on port 111 over TCP and UDP. It says that NFS and MOUNT version 3
are at the port that its argument names, and answers rpcbind's versions 3 and 4 with PROG_MISMATCH. Ends after a minute."""

import struct
import sys

from rpc import MOUNT, NFS, answering, listen, reply, u32

PORT = int(sys.argv[1])


def answer(message):
    xid, _, _, program, version, procedure = struct.unpack(">6I", message[:24])
    if version != 2:
        return reply(xid, u32(2, 2), status=2)
    if procedure == 0:
        return reply(xid)
    if procedure == 4:  # DUMP
        entries = [(program, 3, proto, PORT) for program in (NFS, MOUNT) for proto in (6, 17) if PORT]
        return reply(xid, b"".join(u32(1, *entry) for entry in entries) + u32(0))
    wanted, wanted_version = struct.unpack(">2I", message[-16:-8])
    return reply(xid, u32(PORT if wanted in (NFS, MOUNT) and wanted_version == 3 else 0))


listen(answering(answer), 60, 111, lambda message: [answer(message)])
