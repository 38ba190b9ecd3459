"""RPC messages over TCP (RFC 5531 section 11), for the tests' servers and proxies."""

import contextlib
import os
import socket
import struct
import threading
import time


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


def answering(reply):
    """Serve a connection by answering each message with REPLY(message)."""
    def serve(connection):
        while True:
            send(connection, reply(receive(connection)))
    return serve


def listen(serve, seconds, port=0, reply=None):
    """SERVE(connection) each connection in a thread of its own and, if there is a REPLY, the datagrams with its messages.
    Print that it is ready; after so many seconds all ends."""
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    while True:
        listener = socket.create_server(("127.0.0.1", port))
        try:
            if reply:
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
        while reply:
            message, peer = udp.recvfrom(65536)
            for answer in reply(message) or []:
                udp.sendto(answer, peer)

    for work in (connections, datagrams):
        threading.Thread(target=work, daemon=True).start()
    port = listener.getsockname()[1]
    print(f"ready port={port} mountport={port}", flush=True)
    time.sleep(seconds)
    os._exit(1)


def forward(port, exchange):
    """Serve a connection with EXCHANGE(server, message), which returns the reply, and a connection to PORT."""
    def serve(client):
        with socket.create_connection(("127.0.0.1", port), timeout=60) as server:
            while True:
                send(client, exchange(server, receive(client)))
    return serve
