#!/usr/bin/env python3
"""A server of NFS version 4 only, at port 2049 over TCP: it answers NULL of version 4, and any other
version with PROG_MISMATCH. Ends after a minute."""

import socket
import struct
import threading
import time

VERSION, MISMATCH = 4, 2


def reply(message):
    xid, _, _, _, version = struct.unpack(">5I", message[:20])
    status = struct.pack(">I", 0) if version == VERSION else struct.pack(">3I", MISMATCH, VERSION, VERSION)
    return struct.pack(">5I", xid, 1, 0, 0, 0) + status


def serve(listener):
    while True:
        connection, _ = listener.accept()
        with connection:
            data = connection.recv(4096)
            while data:
                answer = reply(data[4:])
                connection.sendall(struct.pack(">I", 0x80000000 | len(answer)) + answer)
                data = connection.recv(4096)


listener = socket.create_server(("127.0.0.1", 2049))
threading.Thread(target=serve, args=(listener,), daemon=True).start()
print("nfs4_only: ready port=2049 mountport=2049", flush=True)
time.sleep(60)
