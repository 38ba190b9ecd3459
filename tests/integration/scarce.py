"""Peers that would use up the embedded server's memory, and honest clients at the same time.

usage: scarce.py CASE PORT [PID of the server [COMMAND of an honest client]]
"""

import os
import resource
import select
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from pipelined import NULL, SIZE, READ, WRITE, Replies, make_file, message, read, write
from rpc import NFS, call, receive, send, u32

WAIT = 100  # most seconds of any wait


def connect(port, received=0):
    """Connect, with a receive buffer of RECEIVED bytes if not 0."""
    connection = socket.socket()
    connection.settimeout(WAIT)
    if received:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, received)
    connection.connect(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def send_what_fits(connection, data):
    """Send DATA as far as the peer takes it. Returns how much was sent."""
    connection.setblocking(False)
    sent = 0
    try:
        while sent < len(data):
            sent += connection.send(data[sent:])
            poll = select.poll()
            poll.register(connection, select.POLLOUT)
            if not poll.poll(50):
                break
    except BlockingIOError:
        pass
    connection.settimeout(WAIT)
    return sent


def is_closed(connection):
    """Return whether the server closes the connection. Data before the end is discarded."""
    try:
        while connection.recv(1 << 20):
            pass
    except ConnectionResetError:
        pass
    except socket.timeout:
        return False
    return True


def peak(pid):
    """Return the process's largest resident memory, in bytes."""
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmHWM"))


def write_all(port, handle, count):
    """Make COUNT WRITEs of a mebibyte at once, each in two parts: all first parts first."""
    connections = [connect(port) for _ in range(count)]
    calls = [message(1000 + i, WRITE, write(handle, 0, bytes([i % 256]) * SIZE)) for i in range(count)]
    sent = [send_what_fits(connection, call[:SIZE // 2]) for connection, call in zip(connections, calls)]
    senders = [threading.Thread(target=connection.sendall, args=(call[start:],), daemon=True)
               for connection, call, start in zip(connections, calls, sent)]
    for sender in senders:
        sender.start()
    for i, connection in enumerate(connections):
        reply = receive(connection)
        assert reply[:4] == (1000 + i).to_bytes(4, "big") and reply[24:28] == bytes(4), i
        connection.close()


def residences(port, pid):
    """Thousands of connections send only the start of a request. Others are served, even if their requests come in parts."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    handle = make_file(port)
    before = peak(pid)
    idle = [connect(port) for _ in range(min(3000, hard - 100))]
    call = message(1, WRITE, write(handle, 0, bytes(SIZE)))
    for part in (call[:30], call[30:34]):
        for connection in idle:
            connection.sendall(part)
        time.sleep(0.2)  # each part is received separately
    write_all(port, handle, 4)
    client = connect(port)
    call = message(5, NULL)
    client.sendall(call[:20])
    time.sleep(0.1)
    client.sendall(call[20:])
    assert receive(client)[:4] == bytes([0, 0, 0, 5])
    idle[0].setblocking(False)
    try:
        assert idle[0].recv(1), "one that owes was closed at once"
    except BlockingIOError:
        pass
    report_growth("3,000 residence times", pid, before, 64)


def crowd(port, _):
    """If there is too little memory for all clients at once, all are served, and none is refused."""
    write_all(port, make_file(port), 64)


def hoard(port, pid):
    """Peers that hold all memory and stop sending are closed, and waiting clients are served."""
    handle = make_file(port)
    before = peak(pid)
    call = message(1, WRITE, write(handle, 0, bytes(SIZE)))
    hoarders = [connect(port) for _ in range(16)]
    for connection in hoarders:
        send_what_fits(connection, call[:-1])
    write_all(port, handle, 4)
    idle = connect(port)
    idle.sendall(message(1, NULL))
    receive(idle)
    assert all(is_closed(connection) for connection in hoarders), "one that owes was not closed"
    idle.sendall(message(2, NULL))
    receive(idle)
    report_growth("16 MiB of residence times", pid, before, 32)


def unread(port, pid):
    """Peers that send without reading are closed. Others are served meanwhile."""
    handle = make_file(port)
    before = peak(pid)
    calls = b"".join(message(i, READ, read(handle, 0, SIZE)) for i in range(64))
    # With half a mebibyte of receive buffer, the socket takes all replies that are sent at once, and is full.
    greedy = [connect(port, received) for received in (0, SIZE // 2) for _ in range(8)]
    for connection in greedy:
        connection.sendall(calls)
    write_all(port, handle, 4)
    poll = select.poll()
    for connection in greedy:
        poll.register(connection, select.POLLRDHUP)
    left = len(greedy)
    while left:
        ended = poll.poll(WAIT * 1000)
        assert ended, f"{left} connections that don't read were not closed"
        for fd, _ in ended:
            poll.unregister(fd)
            left -= 1
    report_growth("1 GiB of replies that nobody reads", pid, before, 32)


def fair(port, _, count=1000):
    """Very many connections queue long READs and never read a reply. Another client is served at the same time."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    handle = make_file(port)
    calls = b"".join(message(i, READ, read(handle, 0, SIZE)) for i in range(64))
    greedy = [connect(port) for _ in range(min(count, hard - 100))]
    for connection in greedy:
        connection.sendall(calls)
    started = time.monotonic()
    client = connect(port)
    for call in (message(1, NULL), message(2, READ, read(handle, 0, SIZE))):
        client.sendall(call)
        receive(client)
    waited = time.monotonic() - started
    print(f"beside {len(greedy)} that don't read, a client waited for {waited:.1f} s")
    assert waited < WAIT / 5, "others' unread replies held it up"  # --stall, which would end their connections, is longer


def fair_delayed(port, pid):
    fair(port, pid, 200)


def kept_back(port, pid):
    """Replies that --delay delays take limited memory, and all are sent in the end."""
    handle = make_file(port)
    before = peak(pid)
    clients = [Replies(port) for _ in range(12)]
    calls = b"".join(message(i, READ, read(handle, 0, SIZE)) for i in range(24))
    for client in clients:
        client.socket.sendall(calls)
    with ThreadPoolExecutor(len(clients)) as pool:
        list(pool.map(lambda client: client.expect(range(24)), clients))
    report_growth("288 MiB of replies kept back", pid, before, 100)


def idle(port, pid):
    """Thousands of silent connections take little memory, may stay, and are served when they call."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    before = peak(pid)
    peers = [connect(port) for _ in range(min(10000, hard - 100))]
    for connection in (peers[0], peers[-1], connect(port)):
        connection.sendall(message(1, NULL))
        receive(connection)
    report_growth(f"{len(peers)} idle connections", pid, before, 32)
    for xid in (2, 3):
        for connection in peers:
            connection.sendall(message(xid, NULL))
        for connection in peers:
            assert receive(connection)[:4] == xid.to_bytes(4, "big")


def claims(port, pid):
    """Records that would never end, or be longer than any request, close the connection."""
    before = peak(pid)
    descriptors = len(os.listdir(f"/proc/{pid}/fd"))
    too_many = struct.pack(">I", 0) * ((4 << 20) + 65536)  # empty fragments, more than a record may have bytes
    for claim in (b"\xff" * 4, b"\x7f\xff\xff\xff", b"\x80\x41\0\0", too_many, b"GET / HTTP/1.0\r\n\r\n"):
        for _ in range(20):
            peer = connect(port)
            try:
                peer.sendall(claim)
            except ConnectionError:
                pass
            assert is_closed(peer), claim[:20]
            peer.close()
    honest = connect(port)
    honest.sendall(message(1, NULL))
    receive(honest)
    assert len(os.listdir(f"/proc/{pid}/fd")) <= descriptors + 1, "descriptors were lost"
    report_growth("impossible records", pid, before, 32)


def client_hello():
    """Return the first bytes of a handshake."""
    out = ssl.MemoryBIO()
    try:
        ssl.create_default_context().wrap_bio(ssl.MemoryBIO(), out, server_hostname="localhost").do_handshake()
    except ssl.SSLWantReadError:
        return out.read()


def half_handshake(port, first):
    """Return a connection that has asked for TLS, and then sent FIRST."""
    connection = connect(port)
    send(connection, call(1, NFS, 0, credential=u32(7, 0)))
    assert receive(connection)[20:28] == b"STARTTLS"
    connection.sendall(first)
    connection.setblocking(False)
    return connection


def goes_on(connection, byte):
    """Return whether the connection is open, by sending BYTE."""
    try:
        connection.send(byte)
        return connection.recv(1) != b""
    except BlockingIOError:
        return True
    except ConnectionError:
        return False


def handshakes(port, pid):
    """Handshakes that stop, or continue by single bytes, are ended. An honest client is served at the same time."""
    before = peak(pid)
    hello = client_hello()
    begun = [(half_handshake(port, (b"", hello[:5], b"\x80" * 4, hello[:1])[i % 4]), i % 4 == 3) for i in range(1000)]
    subprocess.run(sys.argv[4:], check=True, timeout=WAIT)
    end = time.monotonic() + WAIT
    for byte in hello[1:]:
        begun = [(connection, trickles) for connection, trickles in begun
                 if goes_on(connection, bytes([byte] if trickles else []))]
        if not begun or time.monotonic() > end:
            break
        time.sleep(0.5)
    assert not begun, f"{len(begun)} handshakes go on"
    report_growth("1,000 half handshakes", pid, before, 16)


def report_growth(what, pid, before, limit):
    """Print by how much the server has grown: without a sanitizer, at most LIMIT mebibytes are accepted."""
    grown = peak(pid) - before
    print(f"{what}: the server grew by {grown / 1048576:.1f} MiB")
    if "nfsbench_sanitized" not in os.environ:
        assert grown < limit << 20, f"more than {limit} MiB"


if __name__ == "__main__":
    {case.__name__: case for case in (residences, crowd, hoard, unread, fair, fair_delayed, kept_back, idle, claims, handshakes)}[
        sys.argv[1]](int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else None)
