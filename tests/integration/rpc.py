"""RPC and XDR (RFC 5531, RFC 4506) for the tests' clients, servers and proxies. Written apart from the project's own C code,
so that the two don't share a mistake."""

import contextlib
import os
import socket
import struct
import threading
import time


NFS, MOUNT = 100003, 100005


class Malformed(Exception):
    """A message that RFC 1813, 5531 or 4506 does not allow."""


# XDR


def u32(*values):
    return struct.pack(f">{len(values)}I", *values)


def u64(value):
    return struct.pack(">Q", value)


def opaque(data):
    return u32(len(data)) + data + bytes(-len(data) % 4)


def opaque_at(message, at):
    """Return the opaque or string at AT, and where it ends."""
    length = struct.unpack_from(">I", message, at)[0]
    return message[at + 4:at + 4 + length], at + 4 + (length + 3 & ~3)


class Reader:
    """Decodes a message from its beginning."""

    def __init__(self, data):
        self.data = data

    def fixed(self, length):
        if length > len(self.data):
            raise Malformed(f"{length} bytes wanted, {len(self.data)} left")
        taken, self.data = self.data[:length], self.data[length:]
        return taken

    def u32(self):
        return struct.unpack(">I", self.fixed(4))[0]

    def u64(self):
        return struct.unpack(">Q", self.fixed(8))[0]

    def boolean(self):
        value = self.u32()
        if value > 1:
            raise Malformed(f"a boolean of {value}")
        return value == 1

    def opaque(self, maximum=1 << 30):
        length = self.u32()
        if length > maximum:
            raise Malformed(f"{length} bytes where {maximum} are allowed")
        data = self.fixed(length)
        if self.fixed(-length % 4).strip(b"\0"):
            raise Malformed("padding that isn't zero")
        return data

    def time(self):
        seconds, nanoseconds = self.u32(), self.u32()
        if nanoseconds >= 1000000000:
            raise Malformed(f"a time of {nanoseconds} nanoseconds")
        return (seconds, nanoseconds)

    def end(self):
        if self.data:
            raise Malformed(f"{len(self.data)} bytes after the result")


# Messages


AUTH_NONE = u32(0, 0)
STARTTLS = u32(0) + opaque(b"STARTTLS")  # the verifier of a reply to AUTH_TLS (RFC 9289)


def call(xid, program, procedure, arguments=b"", credential=AUTH_NONE, version=3, rpc_version=2):
    return u32(xid, 0, rpc_version, program, version, procedure) + credential + AUTH_NONE + arguments


def reply(xid, results=b"", status=0, verifier=AUTH_NONE):
    """Return an accepted reply with the accept_stat STATUS."""
    return u32(xid, 1, 0) + verifier + u32(status) + results


def arguments_at(message):
    """Return where a call's arguments begin, after credential and verifier."""
    _, at = opaque_at(message, 28)
    return opaque_at(message, at + 4)[1]


# Over TCP (RFC 5531 section 11)


def record(message):
    return u32(0x80000000 | len(message)) + message


def read_exactly(connection, length):
    data = b""
    while len(data) < length:
        more = connection.recv(length - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def receive(connection):
    """Return the next message, with any number of fragments."""
    message, last = b"", False
    while not last:
        mark = struct.unpack(">I", read_exactly(connection, 4))[0]
        message += read_exactly(connection, mark & 0x7FFFFFFF)
        last = bool(mark >> 31)
    return message


def send(connection, message):
    connection.sendall(record(message))


def answering(answer):
    """Return a function that serves a connection by answering each message with ANSWER(message)."""
    def serve(connection):
        while True:
            send(connection, answer(receive(connection)))
    return serve


def listen(serve, seconds, port=0, answers=None):
    """Call SERVE(connection) for each connection, in its own thread; answer datagrams with ANSWERS, if given. Prints the
    ready line, and exits after SECONDS."""
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    while True:
        listener = socket.create_server(("127.0.0.1", port))
        try:
            if answers:
                udp.bind(listener.getsockname())
            break
        except OSError:
            listener.close()
            if port:
                raise

    def connection(client):
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with client, contextlib.suppress(EOFError, OSError):
            serve(client)

    def connections():
        while True:
            threading.Thread(target=connection, args=listener.accept()[:1], daemon=True).start()

    def datagrams():
        while answers:
            message, peer = udp.recvfrom(65536)
            for answer in answers(message) or []:
                udp.sendto(answer, peer)

    for work in (connections, datagrams):
        threading.Thread(target=work, daemon=True).start()
    port = listener.getsockname()[1]
    print(f"ready port={port} mountport={port}", flush=True)
    time.sleep(seconds)
    os._exit(1)


def forward(port, exchange):
    """Return a function that connects to PORT for each connection, and replies to each message with EXCHANGE(server,
    message)."""
    def serve(client):
        with socket.create_connection(("127.0.0.1", port), timeout=60) as server:
            while True:
                send(client, exchange(server, receive(client)))
    return serve
