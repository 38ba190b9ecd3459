#!/usr/bin/env python3
"""A peer for RPC-with-TLS (RFC 9289) by Python's ssl, independent of the project's code.

tls_peer.py PORT DIRECTORY: probe the server at PORT, check its certificate, protocol and ALPN, make calls
over TLS, and break the protocol in ways that the server must refuse.
tls_peer.py PORT DIRECTORY in-order: probe the server right after a NULL call, whose reply is delayed.
tls_peer.py serve DIRECTORY: a MOUNT server that answers the probe, and then speaks TLS without ALPN. Prints
its port; ends after a minute."""

import socket
import ssl
import struct
import sys

import rpc
from rpc import MOUNT, NFS, STARTTLS, receive, record, send, u32

def call(xid, flavor=0, procedure=0, program=NFS, arguments=b""):
    return record(rpc.call(xid, program, procedure, arguments, u32(flavor, 0)))


def starttls(xid):
    return rpc.reply(xid, verifier=STARTTLS)


def connect(port):
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    connection.sendall(call(1, flavor=7))
    assert receive(connection) == starttls(1), "the reply to the probe"
    return connection


def context(directory, protocols=("sunrpc",)):
    made = ssl.create_default_context(cafile=directory + "/ca.pem")
    if protocols:
        made.set_alpn_protocols(protocols)
    return made


def ends(connection):
    """Does the peer end the connection, by a close or a reset?"""
    try:
        return connection.recv(1) == b""
    except OSError:
        return True


def look_at(port, directory):
    with context(directory).wrap_socket(connect(port), server_hostname="localhost") as tls:
        assert tls.version() == "TLSv1.3", tls.version()
        assert tls.selected_alpn_protocol() == "sunrpc", tls.selected_alpn_protocol()
        names = tls.getpeercert()["subjectAltName"]
        assert ("DNS", "localhost") in names and ("IP Address", "127.0.0.1") in names, names
        # One call in many TLS records, and many calls in one write, are answered in order.
        for byte in call(2):
            tls.send(bytes([byte]))
        assert receive(tls) == rpc.reply(2)
        tls.sendall(b"".join(call(xid) for xid in range(3, 503)))
        replies = b""
        while len(replies) < 500 * 28:
            replies += tls.recv(65536)
        assert replies == b"".join(record(rpc.reply(xid)) for xid in range(3, 503))
        # MOUNT can be called over TLS, too.
        tls.sendall(call(503, program=MOUNT, procedure=1, arguments=rpc.opaque(b"/export")))
        assert receive(tls)[:28] == rpc.reply(503, u32(0)), "MNT"
        # A probe over TLS is refused.
        tls.sendall(call(504, flavor=7))
        assert receive(tls) == u32(504, 1, 1, 1, 1), "AUTH_BADCRED"


def break_rules(port, directory):
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    connection.sendall(call(1, flavor=7, procedure=1))
    assert receive(connection) == u32(1, 1, 1, 1, 1), "AUTH_TLS of another procedure than NULL"
    # The server refuses another ALPN protocol or none, TLS 1.2, bytes right after the probe, and a garbage handshake.
    for protocols in (["http/1.1"], None):
        try:
            with context(directory, protocols).wrap_socket(connect(port), server_hostname="localhost") as tls:
                assert ends(tls), f"ALPN {protocols} is accepted"
        except ssl.SSLError as error:
            assert "no application protocol" in str(error).lower().replace("_", " "), error
    old = context(directory)
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    try:
        old.wrap_socket(connect(port), server_hostname="localhost")
        assert False, "TLS 1.2 is accepted"
    except ssl.SSLError:
        pass
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    connection.sendall(call(1, flavor=7) + b"\x16\x03\x01\x02\x00\x01")
    receive(connection)
    assert ends(connection), "bytes right after the probe are accepted"
    connection = connect(port)
    connection.sendall(b"\x80\0\0\x28" + b"\xff" * 400)
    connection.shutdown(socket.SHUT_WR)
    while connection.recv(4096):
        pass
    # A record that was changed after its encryption must end the connection.
    connection = connect(port)
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = context(directory).wrap_bio(incoming, outgoing, server_hostname="localhost")
    while True:
        try:
            tls.do_handshake()
            break
        except ssl.SSLWantReadError:
            connection.sendall(outgoing.read())
            incoming.write(connection.recv(65536))
    connection.sendall(outgoing.read())
    tls.write(call(2))
    record = bytearray(outgoing.read())
    record[-1] ^= 1
    connection.sendall(record)
    while not ends(connection):
        pass


def probe_behind_a_call(port):
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    connection.sendall(call(1) + call(2, flavor=7))
    assert receive(connection) == starttls(2), "the probe waits for the call before it"


def serve(connection):
    tls_context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls_context.load_cert_chain(sys.argv[2] + "/server.pem", sys.argv[2] + "/server.key")
    while True:
        message = receive(connection)
        xid, _, _, program, _, procedure, flavor = struct.unpack(">7I", message[:28])
        results = u32(0) + rpc.opaque(b"12345678") + u32(1, 1) if program == MOUNT and procedure == 1 else b""
        send(connection, starttls(xid) if flavor == 7 else rpc.reply(xid, results))
        if flavor == 7:
            connection = tls_context.wrap_socket(connection, server_side=True)


if sys.argv[1] == "serve":
    rpc.listen(serve, 60)
elif sys.argv[3:] == ["in-order"]:
    probe_behind_a_call(int(sys.argv[1]))
else:
    look_at(int(sys.argv[1]), sys.argv[2])
    break_rules(int(sys.argv[1]), sys.argv[2])
