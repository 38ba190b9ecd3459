#!/usr/bin/env python3
"""A server of NFS version 4 only, at port 2049 over TCP: it answers NULL of version 4, and other versions with
PROG_MISMATCH. Ends after a minute."""

import struct

from rpc import answering, listen, reply, u32

VERSION, MISMATCH = 4, 2


def answer(message):
    xid, _, _, _, version = struct.unpack(">5I", message[:20])
    return reply(xid) if version == VERSION else reply(xid, u32(VERSION, VERSION), status=MISMATCH)


listen(answering(answer), 60, 2049)
