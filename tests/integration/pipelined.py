"""Many calls in flight on one connection: replies must be complete, in order, and show the file as it was at that time.

usage: pipelined.py PORT [delayed]

With "delayed", the server delays replies to ACCESS.
"""

import itertools
import os
import socket
import sys
import threading

import nfs3_client as nfs
from rpc import call, receive, record

NULL, GETATTR, ACCESS, READ, WRITE = 0, 1, 4, 6, 7
SIZE = 1 << 20
xids = itertools.count(1000000)  # xids of the WRITEs of overwrite()
USER = nfs.User(os.geteuid(), os.getegid())
read, write = nfs.NFS_PROCEDURES["read"][1], nfs.writing  # functions that pack arguments


def message(xid, procedure, arguments=b""):
    return record(call(xid, nfs.NFS, procedure, arguments, USER.credential()))


class Replies:
    """A connection, read reply by reply."""

    def __init__(self, port, receive_buffer=None):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(60)
        self.socket.connect(("127.0.0.1", port))

    def next(self):
        """Return the xid and a reader of the result, or None if the connection has ended."""
        try:
            reply = nfs.Reader(receive(self.socket))
        except (EOFError, ConnectionResetError):
            return None
        xid = reply.u32()
        assert [reply.u32() for _ in range(5)] == [1, 0, 0, 0, 0]
        return xid, reply

    def data(self, xid):
        """Return the data of the next reply, which must be to the READ XID."""
        got, reply = self.next()
        assert got == xid, (got, xid)
        assert reply.u32() == 0
        reply.fixed(4 + 84 + 4 + 4)
        data = reply.opaque()
        reply.end()
        return data

    def expect(self, xids):
        got = [self.next()[0] for _ in xids]
        assert got == list(xids), got


def make_file(port):
    """Make a file of SIZE zeros, and return its handle."""
    client, root = nfs.mount(port, USER)
    handle = client.create(root, "pipelined", "UNCHECKED")[1].handle
    assert client.write(handle, 0, bytes(SIZE))[0] == "OK"
    return handle


def one_segment(port, handle):
    """Send more calls at once than the server answers before it serves another connection, and nothing after them."""
    replies = Replies(port)
    calls = [message(xid, GETATTR, nfs.opaque(handle)) if xid % 3 else message(xid, NULL) for xid in range(5000)]
    sender = threading.Thread(target=replies.socket.sendall, args=(b"".join(calls),))
    sender.start()
    replies.expect(range(5000))
    sender.join()


def reads_among_writes(port, handle):
    """Each READ shows what was written before it on the connection, and nothing that came later."""
    replies, file, calls, expected = Replies(port), bytearray(SIZE), b"", []
    for i in range(1, 30):
        offset = i * 4000
        calls += message(2 * i, READ, read(handle, 0, 200000))
        expected.append(bytes(file[:200000]))
        calls += message(2 * i + 1, WRITE, write(handle, offset, bytes([i]) * 6000))
        file[offset:offset + 6000] = bytes([i]) * 6000
    replies.socket.sendall(calls)
    for i, data in enumerate(expected, 1):
        assert replies.data(2 * i) == data, i
        assert replies.next()[0] == 2 * i + 1
    replies.socket.sendall(message(1, WRITE, write(handle, 0, bytes(SIZE))))
    replies.expect([1])


def overwrite(port, handle, stop):
    """Overwrite the file until STOP. Every xid is new, because a WRITE with an old one is not carried out."""
    replies = Replies(port)
    while not stop.is_set():
        xid = next(xids)
        replies.socket.sendall(message(xid, WRITE, write(handle, 0, bytes([xid % 256]) * SIZE)))
        replies.expect([xid])


def one_state(port, handle, count, receive_buffer, pause):
    """While another client overwrites the file again and again, each READ returns a single state of it."""
    stop = threading.Event()
    writer = threading.Thread(target=overwrite, args=(port, handle, stop))
    replies = Replies(port, receive_buffer)
    writer.start()
    try:
        replies.socket.sendall(b"".join(message(xid, READ, read(handle, 0, SIZE)) for xid in range(count)))
        stop.wait(pause)
        for xid in range(count):
            data = replies.data(xid)
            assert data == data[:1] * SIZE, f"READ {xid} is of several states"
    finally:
        stop.set()
        writer.join()


def slow_reader(port, handle):
    """A client with a small receive window does not read at first."""
    one_state(port, handle, 30, 8192, 1)


def fast_reader(port, handle):
    one_state(port, handle, 300, None, 0)


def garbage(port, handle):
    """Calls before an impossible record are answered; then the connection ends."""
    replies = Replies(port)
    replies.socket.sendall(b"".join(message(xid, READ, read(handle, 0, 5000))
                                    for xid in range(10)) + b"\x7f" + b"\xff" * 100)
    for xid in range(10):
        assert len(replies.data(xid)) == 5000
    assert replies.next() is None


def delayed(port, handle):
    """Delayed replies in the middle of a batch come later, and do not delay others."""
    replies = Replies(port)
    access = nfs.opaque(handle) + nfs.u32(63)
    kept_back = {3, 7}
    replies.socket.sendall(b"".join(
        message(xid, ACCESS, access) if xid in kept_back
        else message(xid, READ, read(handle, 0, 50000)) for xid in range(12)))
    for xid in range(12):
        if xid not in kept_back:
            assert len(replies.data(xid)) == 50000
    replies.expect(sorted(kept_back))


def main():
    port = int(sys.argv[1])
    handle = make_file(port)
    if sys.argv[2:] == ["delayed"]:
        delayed(port, handle)
        return
    for check in (one_segment, reads_among_writes, slow_reader, fast_reader, garbage):
        check(port, handle)


if __name__ == "__main__":
    main()
