#!/usr/bin/env python3
"""A TCP proxy of an NFSv3 server on loopback that records each NFS call but NULL: a line with the procedure's number, the
handle in hexadecimal and, if there are any, a name (LOOKUP), or offset and count (READ, WRITE, COMMIT). Ends after five
minutes.

usage: places_proxy.py SERVER_PORT FILE
"""

import socket
import struct
import sys
import threading

from rpc import NFS, arguments_at, listen, opaque_at, receive, send

LOOKUP, READ, WRITE, COMMIT = 3, 6, 7, 21


def describe(message):
    program, _, procedure = struct.unpack_from(">3I", message, 12)
    if program != NFS or procedure == 0:
        return ""
    handle, at = opaque_at(message, arguments_at(message))
    words = [str(procedure), handle.hex()]
    if procedure == LOOKUP:
        words.append(opaque_at(message, at)[0].decode())
    if procedure in (READ, WRITE, COMMIT):
        words += [str(word) for word in struct.unpack_from(">QI", message, at)]
    return " ".join(words) + "\n"


def answers(server, client):
    try:
        while True:
            client.sendall(server.recv(1 << 16) or exit())
    except OSError:
        pass


def serve(client):
    with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=60) as server:
        server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=answers, args=(server, client), daemon=True).start()
        while True:
            message = receive(client)
            log.write(describe(message))
            log.flush()
            send(server, message)


log = open(sys.argv[2], "w")
listen(serve, 300)
