#!/usr/bin/env python3
"""A scripted NFSv3 and MOUNT server with the fault that its first argument names. The second argument is the number of good
NFS replies before the fault; faults of MOUNT, TLS and fragments, and "list-..." begin at once. Written apart from the
project's own C code, so that the two don't share a mistake. Ends after two minutes.

"list-endless" lists a directory of endlessly many files, "list-nested" directories that have two each, and "list-circle" a
directory whose cookies lead back; their other replies are good. "pieces" is no fault: each reply's record mark and body are
sent by separate system calls, as each request's are read."""

import itertools
import os
import struct
import sys
import threading
import time

from rpc import MOUNT, NFS, STARTTLS, listen, opaque, receive, record, reply, u32

HANDLE = b"bad_server_root_"
FATTR = struct.pack(">7I", 1, 0o644, 1, 0, 0, 0, 5) + struct.pack(
    ">IIIIQQ", 0, 4096, 0, 0, 1, 2) + struct.pack(">6I", *range(6))
assert len(FATTR) == 84
DIRECTORY = u32(2) + FATTR[4:]


# Results of MNT.
MNT = {
    "mnt-noent": u32(2),
    "mnt-acces": u32(13),
    "krb5-only": u32(0) + opaque(HANDLE) + u32(1, 390003),
    "huge-handle": u32(0, 65) + b"x" * 68,
    "empty-handle": u32(0, 0, 0),
    "none-only": u32(0) + opaque(HANDLE) + u32(1, 0),
}

# By fault: the messages to send instead of the good reply GOOD to call XID. HEAD is GOOD's header.
REPLIES = {
    "silence": lambda xid, good, head: [],
    "garbage": lambda xid, good, head: [os.urandom(200)],
    "short": lambda xid, good, head: [good[:-4]],
    "stub": lambda xid, good, head: [good[:6]],
    "long": lambda xid, good, head: [good + bytes(4)],
    "xid": lambda xid, good, head: [u32(xid ^ 0x5a5a5a5a) + good[4:]],
    "xid-stream": lambda xid, good, head: [u32(xid ^ 0x5a5a5a5a) + good[4:]] * 50,
    "readdir-flood": lambda xid, good, head: [head + listing(66000)],
    "readdir-name": lambda xid, good, head: [head + listing(1, 0x7ffffff0)],
    "early": lambda xid, good, head: [good] + [u32(xid + step & 0xffffffff) + good[4:] for step in (1, -1, 16)],
    "unmatched-xid": lambda xid, good, head: [u32(xid ^ 1) + good[4:], good],
    "stale": lambda xid, good, head: [head + u32(70)],
    "proc-unavail": lambda xid, good, head: [head[:20] + u32(3)],
    "prog-mismatch": lambda xid, good, head: [head[:20] + u32(2)],
    "system-err": lambda xid, good, head: [head[:20] + u32(5)],
    "auth": lambda xid, good, head: [u32(xid, 1, 1, 1, 5)],
    "call": lambda xid, good, head: [u32(xid, 0, 2, NFS, 3, 0)],
}

# By fault: the pause after each piece, s, and the pieces to send instead of a record. With drip-record, a reply takes a minute.
FRAMING = {
    "bytes": lambda message: (0, [answer_in_pieces(message, 1, 0)]),
    "bytes-and-nothing": lambda message: (0, [answer_in_pieces(message, 1, 1)]),
    "nothing-endless": lambda message: (0, itertools.repeat(u32(0) * 65536)),
    "huge": lambda message: (0, [u32(0xffffffff) + b"x" * 64]),
    "endless": lambda message: (0, [u32(0x00000100) + b"x" * 256] * 100000),
    "endless-fragments": lambda message: (0, itertools.repeat(u32(65536) + b"x" * 65536)),
    "drip": lambda message: (0.1, [b"\0"] * 600),
    "drip-record": lambda message: (0.02, (bytes([byte]) for byte in record(message[:4] + u32(1, 0, 0, 0, 0) + bytes(2976)))),
}


def answer_in_pieces(message, length, empty):
    """Return the good reply to a call of GETATTR or NULL, in fragments of LENGTH bytes. EMPTY fragments of no bytes
    precede each fragment but the last."""
    good = reply(struct.unpack(">I", message[:4])[0]) + (u32(0) + FATTR if message[20:24] == u32(1) else b"")
    pieces = [good[at:at + length] for at in range(0, len(good), length)]
    fragments = b"".join(u32(0) * empty + u32(len(piece)) + piece for piece in pieces[:-1])
    return fragments + record(pieces[-1])


def many_exports(count):
    """Return a result of EXPORT with COUNT exports, each with a client."""
    client = u32(1) + opaque(b"client.example.org") + u32(0)
    return b"".join(u32(1) + opaque(b"/export/%06d" % number) + client for number in range(count)) + u32(0)


def listing(count, name_length=0):
    """Return a result of READDIR with COUNT entries whose names claim NAME_LENGTH bytes, but have none."""
    entry = struct.pack(">IQIQ", 1, 7, name_length, 9)
    return struct.pack(">IIQ", 0, 0, 0) + entry * count + u32(0, 1)


class BadServer:
    def __init__(self, fault, healthy_calls):
        self.fault = fault
        self.left = healthy_calls
        self.dropped = set()
        self.listed = 0
        self.many = {}  # by PLUS (READDIRPLUS): a page's encoded entries except the last one
        self.lock = threading.Lock()

    def result(self, program, procedure):
        """Return the result of a call: good, except if the fault is one of MNT or EXPORT."""
        if program == MOUNT:
            if procedure == 1:
                return MNT.get(self.fault, u32(0) + opaque(HANDLE) + u32(1, 1))
            if procedure == 5:
                return many_exports(20000) if self.fault == "exports" else u32(0)
            return b""
        if procedure == 1:
            return u32(0) + FATTR
        if procedure == 16:
            return listing(1)
        return b""

    def entry(self, plus, number, attributes, name):
        """Return an entry up to its cookie, and the bytes after the cookie."""
        handle = b"entry" + struct.pack(">Q", number) * 7
        attributes = attributes[:52] + struct.pack(">Q", number) + attributes[60:]
        more = u32(1) + attributes + u32(1) + opaque(handle) if plus else b""
        return struct.pack(">IQ", 1, number) + opaque(name), more

    def list_on(self, plus):
        """Return a result of READDIR or READDIRPLUS: with list-nested, a complete list; otherwise a page that others follow."""
        with self.lock:
            self.listed += 1
            number = self.listed
        if self.fault == "list-nested":
            entries = [self.entry(plus, 2 * number + i, DIRECTORY, b"below") for i in range(2)]
            listed = b"".join(before + struct.pack(">Q", i) + after for i, (before, after) in enumerate(entries))
            return struct.pack(">IIQ", 0, 0, 0) + listed + u32(0, 1)
        cookie = struct.pack(">Q", number % 3 if self.fault == "list-circle" else number)
        before, after = self.entry(plus, 7, FATTR, b"x" * 255 if plus else b"x")
        if plus not in self.many:
            self.many[plus] = (before + cookie + after) * (120 if plus else 1500)
        return struct.pack(">IIQ", 0, 0, 0) + self.many[plus] + before + cookie + after + u32(0, 0)

    def reply(self, message):
        """Return the messages to send in reply to a call, or None to close the connection."""
        xid, kind, _, program, _, procedure = struct.unpack(">6I", message[:24])
        head = reply(xid)
        good = head + self.result(program, procedure)
        if program == MOUNT and self.fault == "mount-garbage":
            return [b"\xff" * 100]
        if program == MOUNT:
            return [good]
        if self.fault.startswith("list-"):
            if procedure == 1 and HANDLE in message:
                return [head + u32(0) + DIRECTORY]
            if procedure == 3:
                return [head + u32(0) + opaque(HANDLE) + u32(0, 0)]
            return [head + self.list_on(procedure == 17) if procedure in (16, 17) else good]
        with self.lock:
            self.left -= 1
            if self.left >= 0:
                return [good]
        if procedure == 0 and self.fault in ("short", "stale", "jukebox-once"):
            return [good]  # NULL has no result to change
        if self.fault.startswith("readdir-") and procedure != 16:
            return [good]
        return self.break_down(xid, good, head)

    def break_down(self, xid, good, head):
        fault = self.fault
        if fault in REPLIES:
            return REPLIES[fault](xid, good, head)
        if fault == "exit":
            os._exit(0)
        if fault == "unmatched":
            return self.unmatched(xid, good)
        if fault in ("jukebox-once", "close-once"):
            self.fault = "none"
            return [head + u32(10008)] if fault == "jukebox-once" else None
        if fault == "close":
            return None
        if fault.startswith("starttls-"):
            return [reply(xid, verifier=STARTTLS)]
        if fault.startswith("verifier="):  # length of the verifier according to the reply
            return [u32(xid, 1, 0, 0, int(fault[9:], 16)) + good[20:]]
        if fault == "drop-once" and xid not in self.dropped:
            self.dropped.add(xid)
            self.left = 200
            return []
        return [good]

    def unmatched(self, xid, good):
        """Yield replies that belong to no call for a minute, with pauses shorter than the client's timeout."""
        for number in range(3000):
            yield u32(xid ^ 0x5a5a5a5a ^ number) + good[4:]
            time.sleep(0.02)

    def serve_connection(self, connection):
        while True:
            message = receive(connection)
            is_nfs = struct.unpack(">I", message[12:16])[0] == NFS
            if is_nfs and self.fault.startswith("starttls-"):
                self.start_tls(connection, message)
                return
            if is_nfs and self.left <= 0 and self.fault in FRAMING:
                pause, pieces = FRAMING[self.fault](message)
                for piece in pieces:
                    connection.sendall(piece)
                    time.sleep(pause)
                continue
            replies = self.reply(message)
            if replies is None:
                return
            for reply in replies:
                cut = len(reply) // 2 if self.fault == "fragments" else 0
                if cut:
                    connection.sendall(u32(cut) + reply[:cut])
                    time.sleep(0.001)
                mark = u32(0x80000000 | (len(reply) - cut))
                if self.fault == "pieces":
                    connection.sendall(mark)
                    mark = b""
                connection.sendall(mark + reply[cut:])

    def start_tls(self, connection, message):
        """Answer the probe for TLS, and then do what the fault says instead of a handshake."""
        reply = self.reply(message)[0]
        early = b"\x16\x03\x03" if self.fault == "starttls-early" else b""
        connection.sendall(record(reply) + early)
        if self.fault == "starttls-garbage":
            connection.recv(1)
            connection.sendall(b"\xff" * 100)
        if self.fault in ("starttls-garbage", "starttls-silence"):
            time.sleep(30)


server = BadServer(sys.argv[1], int(sys.argv[2]))
listen(server.serve_connection, 120, 0, server.reply)
