#!/usr/bin/env python3
"""Send NULL calls without pause on many connections to the port in the argument, and discard the replies,
so that the server always has work. Ends with the server, or after half a minute."""

import selectors
import socket
import sys
import time

from rpc import NFS, call, record

BATCH = record(call(1, NFS, 0)) * 1000

selector = selectors.DefaultSelector()
for _ in range(16):
    connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    connection.setblocking(False)
    selector.register(connection, selectors.EVENT_READ | selectors.EVENT_WRITE, [b""])
end = time.monotonic() + 30
try:
    while time.monotonic() < end:
        for key, events in selector.select(1):
            if events & selectors.EVENT_READ and not key.fileobj.recv(1 << 20):
                sys.exit()
            if events & selectors.EVENT_WRITE:
                rest = key.data[0] or BATCH
                key.data[0] = rest[key.fileobj.send(rest):]
except OSError:
    pass
