"""Requests that come twice: a client that sends one again gets the first one's reply, and nobody else
does.

usage: repeated.py PORT
"""

import os
import socket
import struct
import sys

import nfs3_client as nfs

CREDENTIAL = nfs.User(os.geteuid(), os.getegid()).credential()
CREATE = 8


def source_of(connection):
    return connection.socket.getsockname()[1]


def connect_again(connection, port):
    """From the same port, as a Linux client does after its connection broke."""
    source = source_of(connection)
    connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
    connection.socket = socket.socket()
    connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    connection.socket.settimeout(nfs.TIMEOUT)
    connection.socket.bind(("", source))
    connection.socket.connect(("127.0.0.1", port))


def main():
    port = int(sys.argv[1])
    connection = nfs.Connection("127.0.0.1", port, "tcp")
    mounted = connection.call(nfs.MOUNT, 3, 1, nfs.opaque(b"/export"), CREDENTIAL)
    assert mounted.u32() == 0
    root = mounted.opaque()

    def create(connection, name):
        """CREATE, GUARDED, always by the same xid: the status and what follows."""
        connection.xid = 1
        result = connection.call(nfs.NFS, 3, CREATE, nfs.opaque(root) + nfs.opaque(name) +
                                 nfs.u32(1) + nfs.u32(0) * 6, CREDENTIAL)
        return nfs.STATUS[result.u32()], result.data

    for transport in ("tcp", "udp"):
        name = transport.encode()
        first, second = (nfs.Connection("127.0.0.1", port, transport) for _ in range(2))
        made = create(first, name)
        assert made[0] == "OK", made
        assert create(second, name)[0] == "EXIST", "another program got the reply of the first"
        assert create(first, name) == made, "the request was carried out twice"
    by_tcp = nfs.Connection("127.0.0.1", port, "tcp")
    made = create(by_tcp, b"again")
    assert made[0] == "OK", made
    connect_again(by_tcp, port)
    assert create(by_tcp, b"again") == made, "the request was carried out twice after reconnecting"


main()
