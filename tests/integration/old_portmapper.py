#!/usr/bin/env python3
"""A port mapper of version 2 only (RFC 1833 section 3), on port 111 over TCP and UDP: it says that
NFS and MOUNT version 3 are at the port that its argument names, and answers rpcbind's versions 3 and
4 with PROG_MISMATCH. Ends after a minute."""

import socket
import struct
import sys
import threading
import time

from rpc_stream import serve

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


def datagrams(udp, reply):
    while True:
        message, peer = udp.recvfrom(4096)
        udp.sendto(reply(message), peer)


listener = socket.create_server(("127.0.0.1", 111))
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
udp.bind(("127.0.0.1", 111))
for target, argument in ((serve, listener), (datagrams, udp)):
    threading.Thread(target=target, args=(argument, reply), daemon=True).start()
print(f"old_portmapper: ready port={PORT} mountport=111", flush=True)
time.sleep(60)
