#!/usr/bin/env python3
"""A TCP proxy of the embedded server on loopback that changes all handles and fileids each time it starts, as a function of
START, and keeps the data. A handle of another START is answered by NFS3ERR_BADHANDLE or, with "reused", is used as that
of /export/file1. Ends after five minutes.

usage: changed_marks.py SERVER_PORT PORT START [reused]
"""

import re
import struct
import sys

from nfs3_client import User, mount
from rpc import NFS, arguments_at, forward, listen, opaque, opaque_at, receive, send, u32

HANDLE_SIZE = 20
MAGIC = u32(HANDLE_SIZE) + b"nfsb"  # length and first bytes of the embedded server's handles
FILEID = re.compile(rb"\0{8}(nfsbench)(.{8})", re.DOTALL)  # part of a fattr3: zero rdev, fsid, fileid

server_port, port, start = (int(word) for word in sys.argv[1:4])
own_magic = MAGIC[:-1] + bytes([start])
other = None
if "reused" in sys.argv:
    server, root = mount(server_port, User(0, 0))
    other = server.lookup(root, b"file1")[1].handle


def changed_fileid(match):
    fileid = struct.unpack(">Q", match[2])[0] + (start << 32)
    return bytes(8) + match[1] + struct.pack(">Q", fileid)


def inwards(message):
    """Return a call as the embedded server must see it. Arguments of all NFS procedures but NULL begin with a handle."""
    program, _, procedure = struct.unpack_from(">3I", message, 12)
    if program == NFS and procedure and other:
        at = arguments_at(message)
        if not message.startswith(own_magic, at):
            message = message[:at] + opaque(other) + message[opaque_at(message, at)[1]:]
    return message.replace(own_magic, MAGIC)


def exchange(server, message):
    send(server, inwards(message))
    return FILEID.sub(changed_fileid, receive(server).replace(MAGIC, own_magic))


listen(forward(server_port, exchange), 300, port)
