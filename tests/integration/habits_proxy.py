#!/usr/bin/env python3
"""A TCP proxy of an NFSv3 server on loopback that gives the server habits of other servers, which its arguments name.
Written apart from the project's own C code, so that the two don't share a mistake. Ends after five minutes.

usage: habits_proxy.py SERVER_PORT HABIT...
    long-handles        handles of 64 bytes
    short-handles       handles of 8 bytes
    no-mknod no-link no-readdir no-commit   these procedures are answered by PROC_UNAVAIL
    circling-listing    READDIR always begins at the first entry
    io-notempty         NFS3ERR_IO instead of NFS3ERR_NOTEMPTY
    no-atime            the time of last access in GETATTR's results is that of the last modification
    no-attributes       REMOVE, LOOKUP and CREATE return no attributes, and CREATE no handle
    flavors=1,2,...     flavors in the reply to MNT; flavors= for none
    bare-mismatch       PROG_MISMATCH without its bounds, for every NFS call
    cut-read            READ replies end in the middle of their data
    lost-mkdir          the first MKDIR is carried out, and the connection closed instead of a reply
    no-mkdir-time       NFS3ERR_INVAL for a MKDIR that sets a time
    no-mkdir-reply      MKDIR is carried out, and never answered
    endless-listing     after the first REMOVE, READDIR always lists new fillers, which REMOVE removes
    root-export         the server's export is "/"
    long-fsstat         four bytes after FSSTAT's result
    long-mnt            four bytes after MNT's result
    long-remove         four bytes after REMOVE's result
    rmdir-fails=N       NFS3ERR_IO for the N-th RMDIR, which is not carried out
    verifier-changes    another write verifier from the hundredth WRITE or COMMIT on
    gss-call            GETATTR by RPCSEC_GSS: a bit of the arguments is changed on the way
    gss-header          a bit of the credential is changed
    gss-verifier        a bit of the reply's verifier is changed
    gss-results         a bit of the results is changed
    gss-cut             the reply lacks its last eight bytes
    gss-again           the results of the previous GETATTR, under the reply's own verifier
"""

import struct
import sys
import threading
import time

from rpc import MOUNT, NFS, arguments_at, forward, listen, opaque, receive, reply, send
from rpc import u32 as words

GETATTR, LOOKUP, READ, WRITE, CREATE, MKDIR, SYMLINK, MKNOD, REMOVE, RMDIR, LINK = 1, 3, 6, 7, 8, 9, 10, 11, 12, 13, 15
READDIR, READDIRPLUS, FSSTAT, COMMIT = 16, 17, 18, 21
RPCSEC_GSS = 6


def padded(length):
    return (length + 3) & ~3


def changed(message, at):
    """Return MESSAGE with a bit of the byte AT changed."""
    return message[:at] + bytes([message[at] ^ 1]) + message[at + 1:]


# By habit: the procedure whose reply it changes, and how. GSS_CHANGES: how it changes the reply to a GETATTR by RPCSEC_GSS.
CHANGES = {"no-atime": (GETATTR, lambda message: message[:-24] + message[-16:-8] + message[-16:]),
           "long-fsstat": (FSSTAT, lambda message: message + words(0)),
           "long-remove": (REMOVE, lambda message: message + words(0)),
           "cut-read": (READ, lambda message: message[:-100])}
LACKING = {MKNOD: "no-mknod", LINK: "no-link", READDIR: "no-readdir", COMMIT: "no-commit"}
GSS_CHANGES = {"gss-verifier": lambda message: changed(message, 30),
               "gss-results": lambda message: changed(message, len(message) - 60),
               "gss-cut": lambda message: message[:-8]}


class Handles:
    """Replaces the server's handles by handles of another LENGTH."""

    def __init__(self, length):
        self.length = length
        self.names = {}
        self.handles = {}
        self.lock = threading.Lock()

    def name(self, handle):
        with self.lock:
            if handle not in self.names:
                number = len(self.names) + 1
                name = struct.pack(">Q", number) * (self.length // 8)
                self.names[handle] = name
                self.handles[name] = handle
            return self.names[handle]

    def handle(self, name):
        with self.lock:
            return self.handles.get(name, name)


class Proxy:
    def __init__(self, port, habits):
        self.port = port
        self.habits = set(habits)
        self.flavors = None
        for habit in habits:
            if habit.startswith("flavors="):
                self.flavors = [int(f) for f in habit[8:].split(",") if f]
        length = 64 if "long-handles" in self.habits else 8 if "short-handles" in self.habits else 0
        self.handles = Handles(length) if length else None
        self.writes = 0
        self.lost = self.removes = self.rmdirs = self.listed = 0
        self.results = b""  # results of the last GETATTR by RPCSEC_GSS

    # Calls

    def replace_handle(self, message, at, replace):
        """Replace the handle at AT. Returns the message, and where the new handle ends."""
        length = struct.unpack(">I", message[at:at + 4])[0]
        new = replace(message[at + 4:at + 4 + length])
        end = at + 4 + padded(length)
        return message[:at] + words(len(new)) + new + message[end:], at + 4 + len(new)

    def protected_call(self, message):
        """Return MESSAGE, a GETATTR by RPCSEC_GSS, as it is sent to the server."""
        if "gss-call" in self.habits:
            return changed(message, arguments_at(message) + 8)
        if "gss-header" in self.habits:
            return changed(message, 24 + 8 + 11)  # the low byte of the sequence number
        return message

    def outgoing(self, message, program, procedure):
        if program == NFS and procedure == GETATTR and message[24:28] == words(RPCSEC_GSS):
            return self.protected_call(message)
        if program == MOUNT and procedure in (1, 3) and "root-export" in self.habits:
            message = message[:arguments_at(message)] + opaque(b"/export")
        if program == NFS and procedure == REMOVE:
            self.removes += 1
        if program == NFS and procedure == READDIR and "circling-listing" in self.habits:
            message = message[:-20] + bytes(16) + message[-4:]
        if not self.handles or program != NFS or procedure == 0:
            return message
        message, at = self.replace_handle(message, arguments_at(message), self.handles.handle)
        if procedure == LINK:
            message, _ = self.replace_handle(message, at, self.handles.handle)
        if procedure == 14:  # RENAME: a name, then another handle
            length = struct.unpack(">I", message[at:at + 4])[0]
            message, _ = self.replace_handle(message, at + 4 + padded(length), self.handles.handle)
        return message

    # Replies

    def skip_attributes(self, message, at):
        return at + 4 + (84 if message[at + 3] else 0)

    def rename_entries(self, message):
        at = self.skip_attributes(message, 28) + 8
        while message[at + 3]:
            at += 12
            at += 4 + padded(struct.unpack(">I", message[at:at + 4])[0]) + 8
            at = self.skip_attributes(message, at)
            if message[at + 3]:
                message, at = self.replace_handle(message, at + 4, self.handles.name)
            else:
                at += 4
        return message

    def rename_handles(self, message, program, procedure):
        if program == MOUNT and procedure == 1 or program == NFS and procedure == LOOKUP:
            return self.replace_handle(message, 28, self.handles.name)[0]
        if procedure in (CREATE, MKDIR, SYMLINK, MKNOD) and message[31]:
            return self.replace_handle(message, 32, self.handles.name)[0]
        return self.rename_entries(message) if procedure == READDIRPLUS else message

    def with_flavors(self, message):
        length = struct.unpack(">I", message[28:32])[0]
        return message[:32 + padded(length)] + words(len(self.flavors), *self.flavors)

    def without_attributes(self, message, procedure):
        if procedure == REMOVE:
            return message[:28] + words(0, 0)
        if procedure == CREATE:
            return message[:28] + words(0, 0, 0, 0)
        if procedure == LOOKUP:
            length = struct.unpack(">I", message[28:32])[0]
            return message[:32 + padded(length)] + words(0, 0)
        return message

    def without_end(self, xid):
        """Return a made-up listing of a hundred new entries."""
        results = words(0, 0, 0, 0)
        for _ in range(100):
            self.listed += 1
            name = f"filler-{self.listed}".encode()
            results += words(1, 0, self.listed) + opaque(name) + words(0, self.listed)
        return reply(xid, results + words(0, 0 if self.listed % 1100 else 1))

    def with_other_verifier(self, message):
        self.writes += 1
        return message[:-8] + b"restart!" if self.writes >= 100 else message

    def protected_reply(self, message):
        """Return MESSAGE, the reply to a GETATTR by RPCSEC_GSS, as it is sent to the client."""
        results_at = 16 + 4 + padded(struct.unpack(">I", message[16:20])[0]) + 4
        earlier, self.results = self.results, message[results_at:]
        for habit in self.habits.intersection(GSS_CHANGES):
            return GSS_CHANGES[habit](message)
        if "gss-again" in self.habits and earlier:
            return message[:results_at] + earlier
        return message

    def incoming(self, message, program, procedure):
        """Return the server's reply as it is sent to the client."""
        if len(message) < 28:
            return message
        if message[12:16] == words(RPCSEC_GSS):
            return self.protected_reply(message) if procedure == GETATTR else message
        status = struct.unpack(">I", message[24:28])[0]
        if status == 66 and "io-notempty" in self.habits:
            return message[:24] + words(5) + message[28:]
        if status != 0:
            return message
        if program == MOUNT and procedure == 1 and self.flavors is not None:
            message = self.with_flavors(message)
        if program == MOUNT and procedure == 1 and "long-mnt" in self.habits:
            message += words(0)
        if self.handles:
            message = self.rename_handles(message, program, procedure)
        if program != NFS:
            return message
        if "no-attributes" in self.habits:
            message = self.without_attributes(message, procedure)
        for habit in self.habits.intersection(CHANGES):
            message = CHANGES[habit][1](message) if CHANGES[habit][0] == procedure else message
        if procedure in (WRITE, COMMIT) and "verifier-changes" in self.habits:
            message = self.with_other_verifier(message)
        return message

    def sets_time(self, message):
        """Return whether the MKDIR ends with a time of last modification from the client."""
        return message[-12:-8] == words(2)

    def refusal(self, message, xid, program, procedure):
        """Return a reply of the proxy's own, or None."""
        if procedure == MKDIR and "no-mkdir-time" in self.habits and self.sets_time(message):
            return reply(xid, words(22, 0, 0))
        if program == NFS and procedure == RMDIR:
            self.rmdirs += 1
            if f"rmdir-fails={self.rmdirs}" in self.habits:
                return reply(xid, words(5, 0, 0))
        if program == NFS and "bare-mismatch" in self.habits:
            return reply(xid, status=2)
        if program == NFS and LACKING.get(procedure) in self.habits:
            return reply(xid, status=3)
        return None

    # Connections

    def exchange(self, server, message):
        xid, _, _, program, _, procedure = struct.unpack(">6I", message[:24])
        refusal = self.refusal(message, xid, program, procedure)
        if refusal:
            return refusal
        send(server, self.outgoing(message, program, procedure))
        answer = self.incoming(receive(server), program, procedure)
        if program == NFS and "endless-listing" in self.habits and self.removes:
            if procedure == READDIR:
                return self.without_end(xid)
            if procedure == REMOVE:
                return reply(xid, words(0, 0, 0))
        if program == NFS and procedure == MKDIR:
            self.lose(answer)
        return answer

    def lose(self, answer):
        """Lose or delay MKDIR's reply if a habit says so."""
        if "lost-mkdir" in self.habits and not self.lost:
            self.lost += 1
            raise EOFError
        if "no-mkdir-reply" in self.habits:
            time.sleep(300)


proxy = Proxy(int(sys.argv[1]), sys.argv[2:])
listen(forward(proxy.port, proxy.exchange), 300)
