"""RPC messages over TCP (RFC 5531 section 11), for the tests' servers and proxies."""

import contextlib
import struct


def read_exactly(connection, length):
    data = b""
    while len(data) < length:
        more = connection.recv(length - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def receive(connection):
    """The next message, of however many fragments."""
    message, last = b"", False
    while not last:
        mark = struct.unpack(">I", read_exactly(connection, 4))[0]
        message += read_exactly(connection, mark & 0x7FFFFFFF)
        last = bool(mark >> 31)
    return message


def send(connection, message):
    connection.sendall(struct.pack(">I", 0x80000000 | len(message)) + message)


def serve(listener, reply):
    """Answer each message of one connection after the other with REPLY(message), for ever."""
    while True:
        connection, _ = listener.accept()
        with connection, contextlib.suppress(EOFError, ConnectionError):
            while True:
                send(connection, reply(receive(connection)))
