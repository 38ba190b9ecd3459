"""A small NFSv3 and MOUNT v3 client (RFC 1813) over TCP and UDP. Written apart from the project's own C code, so that the
two don't share a mistake.

Every procedure is a function that returns (status, result). The status is a word: OK, an error of RFC 1813 without NFS3ERR_
or MNT3ERR_, or the reason why the RPC layer refused the call, such as GARBAGE_ARGS. A failed RPC has no result.
Replies are decoded strictly: a malformed or too long reply raises Malformed. Every wait ends.
"""

import copy
import random
import socket
import struct
import time
from types import SimpleNamespace as Result

from rpc import MOUNT, NFS, Malformed, Reader, call, opaque, record, u32, u64  # noqa: F401

TIMEOUT = 10  # seconds until a call without an answer fails
RETRY = 2     # seconds until a datagram is sent again

STATUS = {
    0: "OK", 1: "PERM", 2: "NOENT", 5: "IO", 6: "NXIO", 13: "ACCES", 17: "EXIST", 18: "XDEV",
    19: "NODEV", 20: "NOTDIR", 21: "ISDIR", 22: "INVAL", 27: "FBIG", 28: "NOSPC", 30: "ROFS",
    31: "MLINK", 63: "NAMETOOLONG", 66: "NOTEMPTY", 69: "DQUOT", 70: "STALE", 71: "REMOTE",
    10001: "BADHANDLE", 10002: "NOT_SYNC", 10003: "BAD_COOKIE", 10004: "NOTSUPP",
    10005: "TOOSMALL", 10006: "SERVERFAULT", 10007: "BADTYPE", 10008: "JUKEBOX"}
MOUNT_STATUS = {
    0: "OK", 1: "PERM", 2: "NOENT", 5: "IO", 13: "ACCES", 20: "NOTDIR", 22: "INVAL",
    63: "NAMETOOLONG", 10004: "NOTSUPP", 10006: "SERVERFAULT"}
ACCEPT_STATUS = {1: "PROG_UNAVAIL", 2: "PROG_MISMATCH", 3: "PROC_UNAVAIL", 4: "GARBAGE_ARGS", 5: "SYSTEM_ERR"}

REG, DIR, BLK, CHR, LNK, SOCK, FIFO = range(1, 8)
UNSTABLE, DATA_SYNC, FILE_SYNC = range(3)
ACCESS_READ, ACCESS_LOOKUP, ACCESS_MODIFY, ACCESS_EXTEND, ACCESS_DELETE, ACCESS_EXECUTE = (1, 2, 4, 8, 16, 32)


class Refused(Exception):
    """The RPC layer refused the call. The first argument is a word for the reason."""


# RPC (RFC 1831)


class User:
    """The caller's identity in AUTH_SYS."""

    def __init__(self, uid, gid, gids=()):
        self.uid, self.gid, self.gids = uid, gid, gids

    def credential(self):
        body = u32(0) + opaque(b"client") + u32(self.uid, self.gid)
        body += u32(len(self.gids)) + b"".join(u32(gid) for gid in self.gids)
        return u32(1) + opaque(body)


class Connection:
    """A connection to a port of a server, which makes one call after the other."""

    def __init__(self, host, port, transport):
        self.stream = transport == "tcp"
        self.socket = self.open(host, port)
        self.xid = random.getrandbits(31)

    def open(self, host, port):
        """Connect, from a port below 1024 if permitted, because some servers require it."""
        kind = socket.SOCK_STREAM if self.stream else socket.SOCK_DGRAM
        for source in random.sample(range(600, 1000), 50) + [0]:
            opened = socket.socket(socket.AF_INET, kind)
            opened.settimeout(TIMEOUT)
            try:
                opened.bind(("", source))
                opened.connect((host, port))
                if self.stream:
                    opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return opened
            except OSError:
                opened.close()
                if not source:
                    raise

    def close(self):
        self.socket.close()

    def call(self, program, version, procedure, arguments, credential, rpc_version=2):
        """Make a call. Returns the reader of its result, or raises Refused."""
        self.xid = (self.xid + 1) & 0xffffffff
        return self.result(self.exchange(call(self.xid, program, procedure, arguments, credential, version, rpc_version)))

    def exchange(self, message):
        """Send MESSAGE. Returns a reader of its reply, from after the xid."""
        deadline = time.monotonic() + TIMEOUT
        if self.stream:
            self.socket.sendall(record(message))
        while time.monotonic() < deadline:
            reply = self.record(deadline) if self.stream else self.datagram(message)
            if reply[:4] == message[:4]:
                return Reader(reply[4:])
            if self.stream:
                raise Malformed("a reply to another call")
        raise TimeoutError("no reply")

    def datagram(self, message):
        """Send MESSAGE. Returns the next datagram, maybe a late reply to an earlier call; no bytes if none comes in time."""
        self.socket.send(message)
        self.socket.settimeout(RETRY)
        try:
            return self.socket.recv(65536)
        except socket.timeout:
            return b""

    def exactly(self, length, deadline):
        data = bytearray()
        while len(data) < length:
            self.socket.settimeout(max(0.01, deadline - time.monotonic()))
            got = self.socket.recv(length - len(data))
            if not got:
                raise ConnectionError("the server closed the connection")
            data += got
        return bytes(data)

    def record(self, deadline):
        data, last = b"", False
        while not last:
            mark = struct.unpack(">I", self.exactly(4, deadline))[0]
            last = bool(mark & 0x80000000)
            data += self.exactly(mark & 0x7fffffff, deadline)
        return data

    def result(self, reader):
        if reader.u32() != 1:
            raise Malformed("not a reply")
        if reader.u32() == 1:
            if reader.u32() == 0:
                raise Refused("RPC_MISMATCH", reader.u32(), reader.u32())
            raise Refused(f"AUTH_ERROR_{reader.u32()}")
        reader.u32()  # the verifier's flavor
        reader.opaque(400)
        status = reader.u32()
        if status == 2:
            raise Refused("PROG_MISMATCH", reader.u32(), reader.u32())
        if status:
            raise Refused(ACCEPT_STATUS.get(status, f"accept_stat {status}"))
        return reader


# Items that several results have in common (RFC 1813 section 2.5)


def fattr3(reader):
    attributes = Result(type=reader.u32(), mode=reader.u32(), nlink=reader.u32(), uid=reader.u32(),
                        gid=reader.u32(), size=reader.u64(), used=reader.u64(),
                        rdev=(reader.u32(), reader.u32()), fsid=reader.u64(),
                        fileid=reader.u64(), atime=reader.time(), mtime=reader.time(),
                        ctime=reader.time())
    if not REG <= attributes.type <= FIFO:
        raise Malformed(f"a type of {attributes.type}")
    return attributes


def post_op_attr(reader):
    return fattr3(reader) if reader.boolean() else None


def wcc_data(reader):
    before = None
    if reader.boolean():
        before = Result(size=reader.u64(), mtime=reader.time(), ctime=reader.time())
    return Result(before=before, after=post_op_attr(reader))


def post_op_fh3(reader):
    return reader.opaque(64) if reader.boolean() else None


# Items of arguments


def sattr3(mode=None, uid=None, gid=None, size=None, atime=None, mtime=None):
    """Return an encoded sattr3. None: not changed. A time is None, "server", or (seconds, nanoseconds)."""
    data = b""
    for value, pack in ((mode, u32), (uid, u32), (gid, u32), (size, u64)):
        data += u32(0) if value is None else u32(1) + pack(value)
    for when in (atime, mtime):
        if when is None or when == "server":
            data += u32(0 if when is None else 1)
        else:
            data += u32(2) + u32(when[0]) + u32(when[1])
    return data


def name(text):
    return opaque(text if isinstance(text, bytes) else text.encode())


# Items of several kinds of results


def several(read):
    """Return a reader of a list, in which a TRUE is before each entry."""
    def entries(reader):
        listed = []
        while reader.boolean():
            listed.append(read(reader))
        return listed
    return entries


def listing(plus):
    def entry(reader):
        read = Result(fileid=reader.u64(), name=reader.opaque().decode(), cookie=reader.u64())
        if plus:
            read.attributes, read.handle = post_op_attr(reader), post_op_fh3(reader)
        return read
    return [*ATTRIBUTES, ("verifier", lambda r: r.fixed(8)), ("entries", several(entry)), ("eof", Reader.boolean)]


def members(words, read):
    return [(word, read) for word in words.split()]


def handle(reader):
    return reader.opaque(64)


ATTRIBUTES, WCC = [("attributes", post_op_attr)], [("wcc", wcc_data)]
MADE = [("handle", post_op_fh3), *ATTRIBUTES, *WCC]
RENAMED = [*WCC, ("to_wcc", wcc_data)]
LINKED = [*ATTRIBUTES, *WCC]
VERIFIER = ("verf", lambda r: r.fixed(8))


def place(directory, new):
    return opaque(directory) + name(new)


def writing(handle, offset, data, stable=FILE_SYNC, count=None):
    return opaque(handle) + u64(offset) + u32(len(data) if count is None else count, stable) + opaque(data)


def creating(directory, new, how="GUARDED", verifier=None, **attributes):
    number = ("UNCHECKED", "GUARDED", "EXCLUSIVE").index(how)
    return place(directory, new) + u32(number) + (verifier if how == "EXCLUSIVE" else sattr3(**attributes))


def making_node(directory, new, kind, device=(5, 6), **attributes):
    packed = place(directory, new) + u32(kind)
    if kind in (BLK, CHR, SOCK, FIFO):
        packed += sattr3(**attributes)
    return packed + u32(*device) if kind in (BLK, CHR) else packed


# By name: number, function that packs the arguments, and members of the result of a successful and of a failed call.
NFS_PROCEDURES = {
    "null": (0, bytes, [], []),
    "getattr": (1, opaque, [("attributes", fattr3)], []),
    "setattr": (2, lambda handle, guard=None, **attributes: opaque(handle) + sattr3(**attributes) + (
        u32(0) if guard is None else u32(1, *guard)), WCC, WCC),
    "lookup": (3, place, [("handle", handle), *ATTRIBUTES, ("directory", post_op_attr)], ATTRIBUTES),
    "access": (4, lambda handle, asked: opaque(handle) + u32(asked), [*ATTRIBUTES, ("access", Reader.u32)], ATTRIBUTES),
    "readlink": (5, opaque, [*ATTRIBUTES, ("data", Reader.opaque)], ATTRIBUTES),
    "read": (6, lambda handle, offset, count: opaque(handle) + u64(offset) + u32(count),
             [*ATTRIBUTES, ("count", Reader.u32), ("eof", Reader.boolean), ("data", Reader.opaque)], ATTRIBUTES),
    "write": (7, writing, [*WCC, ("count", Reader.u32), ("committed", Reader.u32), VERIFIER], WCC),
    "create": (8, creating, MADE, WCC),
    "mkdir": (9, lambda directory, new, **attributes: place(directory, new) + sattr3(**attributes), MADE, WCC),
    "symlink": (10, lambda directory, new, text, **attributes: place(directory, new) + sattr3(**attributes) + name(text),
                MADE, WCC),
    "mknod": (11, making_node, MADE, WCC),
    "remove": (12, place, WCC, WCC),
    "rmdir": (13, place, WCC, WCC),
    "rename": (14, lambda *places: place(*places[:2]) + place(*places[2:]), RENAMED, RENAMED),
    "link": (15, lambda handle, *to: opaque(handle) + place(*to), LINKED, LINKED),
    "readdir": (16, lambda directory, cookie=0, verifier=bytes(8), count=4096:
                opaque(directory) + u64(cookie) + verifier + u32(count), listing(False), ATTRIBUTES),
    "readdirplus": (17, lambda directory, cookie=0, verifier=bytes(8), dircount=4096, maxcount=8192:
                    opaque(directory) + u64(cookie) + verifier + u32(dircount, maxcount), listing(True), ATTRIBUTES),
    "fsstat": (18, opaque, [*ATTRIBUTES, *members("tbytes fbytes abytes tfiles ffiles afiles", Reader.u64),
                            ("invarsec", Reader.u32)], ATTRIBUTES),
    "fsinfo": (19, opaque, [*ATTRIBUTES, *members("rtmax rtpref rtmult wtmax wtpref wtmult dtpref", Reader.u32),
                            ("maxfilesize", Reader.u64), ("time_delta", Reader.time), ("properties", Reader.u32)], ATTRIBUTES),
    "pathconf": (20, opaque, [*ATTRIBUTES, *members("linkmax name_max", Reader.u32), *members(
        "no_trunc chown_restricted case_insensitive case_preserving", Reader.boolean)], ATTRIBUTES),
    "commit": (21, lambda handle, offset=0, count=0: opaque(handle) + u64(offset) + u32(count), [*WCC, VERIFIER], WCC),
}
MOUNT_PROCEDURES = {  # RFC 1813 section 5
    "null": (0, bytes, [], []),
    "mnt": (1, name, [("handle", handle), ("flavors", lambda r: [r.u32() for _ in range(r.u32())])], []),
    "dump": (2, bytes, [("mounts", several(lambda r: (r.opaque(255).decode(), r.opaque(1024).decode())))], []),
    "umnt": (3, name, [], []),
    "umntall": (4, bytes, [], []),
    "export": (5, bytes, [("exports", several(lambda r: (r.opaque(1024).decode(), several(
        lambda group: group.opaque(255).decode())(r))))], []),
}


class Client:
    """The procedures of a program, called by one user: methods that return a status and a result with its SIZE."""

    def __init__(self, connection, user):
        self.connection, self.user = connection, user
        self.cut = 0

    def by(self, user):
        """Return a copy that calls as another USER."""
        other = copy.copy(self)
        other.user = user
        return other

    def cutting(self, count):
        """Return a copy that leaves COUNT bytes out at the end of the arguments of every call."""
        other = copy.copy(self)
        other.cut = count
        return other

    def call(self, procedure, packed):
        """Call PROCEDURE with packed arguments."""
        number, _, success, failure = self.procedures[procedure]
        if self.cut > len(packed):
            raise ValueError("nothing left to cut")
        try:
            reader = self.connection.call(self.program, 3, number, packed[:len(packed) - self.cut], self.user.credential())
        except Refused as refused:
            return refused.args[0], Result()
        size, status = len(reader.data), reader.u32() if procedure in self.with_status else 0
        if status not in self.statuses:
            raise Malformed(f"a status of {status}")
        result = Result(size=size, **{member: read(reader) for member, read in (failure if status else success)})
        reader.end()
        return self.statuses[status], result

    def __getattr__(self, procedure):
        if procedure.startswith("_") or procedure not in self.procedures:
            raise AttributeError(procedure)
        return lambda *arguments, **named: self.call(procedure, self.procedures[procedure][1](*arguments, **named))


class Nfs3(Client):
    program, procedures, statuses, with_status = NFS, NFS_PROCEDURES, STATUS, NFS_PROCEDURES.keys() - {"null"}

    def read(self, handle, offset, count):
        status, result = Client.__getattr__(self, "read")(handle, offset, count)
        if status == "OK" and len(result.data) > count:
            raise Malformed(f"{len(result.data)} bytes where {count} are allowed")
        return status, result


class Mount3(Client):
    program, procedures, statuses, with_status = MOUNT, MOUNT_PROCEDURES, MOUNT_STATUS, {"mnt"}


def mount(port, user, mount_port=None, export="/export"):
    """Return the procedures of the server at PORT on loopback, and the handle of its EXPORT."""
    connection = Connection("127.0.0.1", port, "tcp")
    status, mounted = Mount3(Connection("127.0.0.1", mount_port, "tcp") if mount_port else connection, user).mnt(export)
    assert status == "OK", status
    return Nfs3(connection, user), mounted.handle


def entries(call, directory, *counts):
    """Yield the entries that CALL, READDIR or READDIRPLUS, lists page by page."""
    cookie, verifier, cookies, eof = 0, bytes(8), set(), False
    while not eof:
        status, page = call(directory, cookie, verifier, *counts)
        assert status == "OK", status
        assert page.eof or page.entries, "a listing stands still"
        for entry in page.entries:
            assert entry.cookie not in cookies, "a cookie came twice"
            cookies.add(entry.cookie)
            cookie = entry.cookie
            yield entry
        eof, verifier = page.eof, page.verifier
