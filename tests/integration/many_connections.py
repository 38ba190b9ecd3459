"""Open many TCP connections to a server's port, call NULL over each of them, several times.

usage: many_connections.py PORT COUNT
"""

import resource
import socket
import struct
import sys

ROUNDS = 3


def main():
    port, count = int(sys.argv[1]), int(sys.argv[2])
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    count = min(count, hard - 50)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    connections = [socket.create_connection(("127.0.0.1", port), timeout=30) for _ in range(count)]
    for xid in range(ROUNDS):
        call = struct.pack(">11I", 0x80000028, xid, 0, 2, 100003, 3, 0, 0, 0, 0, 0)
        for connection in connections:
            connection.sendall(call)
        for connection in connections:
            reply = b""
            while len(reply) < 28:
                more = connection.recv(28 - len(reply))
                if not more:
                    sys.exit("a connection was closed")
                reply += more
            if reply[4:8] != struct.pack(">I", xid):
                sys.exit("a reply to another call")
    print(f"{count} connections, {ROUNDS} calls over each")


main()
