#!/usr/bin/env python3
"""A server of NFS version 4 only, at port 2049 over TCP: it answers NULL of version 4, and any other
version with PROG_MISMATCH. Ends after a minute."""

import struct

from rpc_stream import answering, listen

VERSION, MISMATCH = 4, 2


def reply(message):
    xid, _, _, _, version = struct.unpack(">5I", message[:20])
    status = struct.pack(">I", 0) if version == VERSION else struct.pack(">3I", MISMATCH, VERSION, VERSION)
    return struct.pack(">5I", xid, 1, 0, 0, 0) + status


listen(answering(reply), 60, 2049)
