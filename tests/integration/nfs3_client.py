"""A small NFSv3 and MOUNT v3 client (RFC 1813) over TCP and UDP. Written apart from the project's own
C code, so that the two don't share a mistake.

Every procedure is a function that returns (status, result). The status is a word: OK, an error of RFC
1813 without its NFS3ERR_ or MNT3ERR_, or the reason for which the RPC layer refused the call, such as
GARBAGE_ARGS. The result has the members that RFC 1813 names. Replies are decoded strictly: what is malformed, or
longer than it ought to be, raises Malformed. Every wait ends.
"""

import copy
import random
import socket
import struct
import time
from types import SimpleNamespace as Result

from rpc import MOUNT, NFS, Malformed, Reader, call, opaque, record, u32, u64  # noqa: F401

TIMEOUT = 10  # seconds until a call that isn't answered fails
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
ACCEPT_STATUS = {1: "PROG_UNAVAIL", 2: "PROG_MISMATCH", 3: "PROC_UNAVAIL", 4: "GARBAGE_ARGS",
                 5: "SYSTEM_ERR"}

REG, DIR, BLK, CHR, LNK, SOCK, FIFO = range(1, 8)
UNSTABLE, DATA_SYNC, FILE_SYNC = range(3)
ACCESS_READ, ACCESS_LOOKUP, ACCESS_MODIFY, ACCESS_EXTEND, ACCESS_DELETE, ACCESS_EXECUTE = (
    1, 2, 4, 8, 16, 32)


class Refused(Exception):
    """The RPC layer didn't carry the call out; the first argument is the word for why."""


def name_bytes(name):
    return name if isinstance(name, bytes) else name.encode()


# RPC (RFC 1831)


class User:
    """Who the caller is, according to AUTH_SYS."""

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
        """From a port below 1024 where that is allowed: some servers insist on it."""
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
        """The reader of the result; Refused when there is none."""
        self.xid = (self.xid + 1) & 0xffffffff
        return self.result(self.exchange(call(self.xid, program, procedure, arguments, credential, version, rpc_version)))

    def exchange(self, message):
        """Send MESSAGE and get its reply, from after the xid."""
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
        """What comes next; a late reply to an earlier call may."""
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
        reader.u32()  # the verifier's flavour
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


# and items of arguments


def sattr3(mode=None, uid=None, gid=None, size=None, atime=None, mtime=None):
    """Times are None, "server", or (seconds, nanoseconds)."""
    data = b""
    for value, pack in ((mode, u32), (uid, u32), (gid, u32), (size, u64)):
        data += u32(0) if value is None else u32(1) + pack(value)
    for when in (atime, mtime):
        if when is None or when == "server":
            data += u32(0 if when is None else 1)
        else:
            data += u32(2) + u32(when[0]) + u32(when[1])
    return data


class Nfs3:
    """The procedures of NFS, by one user."""

    def __init__(self, connection, user):
        self.connection, self.user = connection, user
        self.cut = 0

    def by(self, user):
        """The same, by another user."""
        other = copy.copy(self)
        other.user = user
        return other

    def cutting(self, count):
        """The same, with as many bytes missing at the end of the arguments of every call."""
        other = copy.copy(self)
        other.cut = count
        return other

    def call(self, procedure, arguments, success, failure):
        """SUCCESS and FAILURE read what follows a status of NFS3_OK, or another one."""
        if self.cut > len(arguments):
            raise ValueError("nothing left to cut")
        arguments = arguments[:len(arguments) - self.cut]
        try:
            reader = self.connection.call(NFS, 3, procedure, arguments, self.user.credential())
        except Refused as refused:
            return refused.args[0], Result()
        number = reader.u32()
        if number not in STATUS:
            raise Malformed(f"a status of {number}")
        result = (failure if number else success)(reader)
        reader.end()
        return STATUS[number], result

    def null(self):
        try:
            self.connection.call(NFS, 3, 0, b"", self.user.credential()).end()
        except Refused as refused:
            return refused.args[0], Result()
        return "OK", Result()

    def getattr(self, handle):
        return self.call(1, opaque(handle), lambda r: Result(attributes=fattr3(r)),
                         lambda r: Result())

    def setattr(self, handle, guard=None, **attributes):
        arguments = opaque(handle) + sattr3(**attributes)
        arguments += u32(0) if guard is None else u32(1) + u32(guard[0]) + u32(guard[1])
        return self.call(2, arguments, wcc_result, wcc_result)

    def lookup(self, directory, name):
        return self.call(3, opaque(directory) + opaque(name_bytes(name)),
                         lambda r: Result(handle=r.opaque(64), attributes=post_op_attr(r),
                                          directory=post_op_attr(r)), attributes_result)

    def access(self, handle, asked):
        return self.call(4, opaque(handle) + u32(asked),
                         lambda r: Result(attributes=post_op_attr(r), access=r.u32()),
                         attributes_result)

    def readlink(self, handle):
        return self.call(5, opaque(handle),
                         lambda r: Result(attributes=post_op_attr(r), data=r.opaque()),
                         attributes_result)

    def read(self, handle, offset, count):
        return self.call(6, opaque(handle) + u64(offset) + u32(count),
                         lambda r: Result(attributes=post_op_attr(r), count=r.u32(),
                                          eof=r.boolean(), data=r.opaque(count)),
                         attributes_result)

    def write(self, handle, offset, data, stable=FILE_SYNC, count=None):
        arguments = opaque(handle) + u64(offset) + u32(len(data) if count is None else count)
        return self.call(7, arguments + u32(stable) + opaque(data),
                         lambda r: Result(wcc=wcc_data(r), count=r.u32(), committed=r.u32(),
                                          verf=r.fixed(8)), wcc_result)

    def create(self, directory, name, how="GUARDED", verifier=None, **attributes):
        number = ("UNCHECKED", "GUARDED", "EXCLUSIVE").index(how)
        arguments = opaque(directory) + opaque(name_bytes(name)) + u32(number)
        arguments += verifier if how == "EXCLUSIVE" else sattr3(**attributes)
        return self.call(8, arguments, made_result, wcc_result)

    def mkdir(self, directory, name, **attributes):
        return self.call(9, opaque(directory) + opaque(name_bytes(name)) + sattr3(**attributes),
                         made_result, wcc_result)

    def symlink(self, directory, name, text, **attributes):
        arguments = opaque(directory) + opaque(name_bytes(name)) + sattr3(**attributes)
        return self.call(10, arguments + opaque(name_bytes(text)), made_result, wcc_result)

    def mknod(self, directory, name, kind, device=(5, 6), **attributes):
        arguments = opaque(directory) + opaque(name_bytes(name)) + u32(kind)
        if kind in (BLK, CHR, SOCK, FIFO):
            arguments += sattr3(**attributes)
        if kind in (BLK, CHR):
            arguments += u32(device[0]) + u32(device[1])
        return self.call(11, arguments, made_result, wcc_result)

    def remove(self, directory, name):
        return self.call(12, opaque(directory) + opaque(name_bytes(name)), wcc_result, wcc_result)

    def rmdir(self, directory, name):
        return self.call(13, opaque(directory) + opaque(name_bytes(name)), wcc_result, wcc_result)

    def rename(self, from_directory, from_name, to_directory, to_name):
        arguments = opaque(from_directory) + opaque(name_bytes(from_name))
        arguments += opaque(to_directory) + opaque(name_bytes(to_name))

        def result(reader):
            return Result(wcc=wcc_data(reader), to_wcc=wcc_data(reader))
        return self.call(14, arguments, result, result)

    def link(self, handle, directory, name):
        def result(reader):
            return Result(attributes=post_op_attr(reader), wcc=wcc_data(reader))
        return self.call(15, opaque(handle) + opaque(directory) + opaque(name_bytes(name)),
                         result, result)

    def readdir(self, directory, cookie=0, verifier=bytes(8), count=4096):
        return self.call(16, opaque(directory) + u64(cookie) + verifier + u32(count),
                         lambda r: listing(r, False), attributes_result)

    def readdirplus(self, directory, cookie=0, verifier=bytes(8), dircount=4096, maxcount=8192):
        arguments = opaque(directory) + u64(cookie) + verifier + u32(dircount) + u32(maxcount)
        return self.call(17, arguments, lambda r: listing(r, True), attributes_result)

    def fsstat(self, handle):
        names = ("tbytes", "fbytes", "abytes", "tfiles", "ffiles", "afiles")
        return self.call(18, opaque(handle),
                         lambda r: Result(attributes=post_op_attr(r),
                                          **{name: r.u64() for name in names}, invarsec=r.u32()),
                         attributes_result)

    def fsinfo(self, handle):
        names = ("rtmax", "rtpref", "rtmult", "wtmax", "wtpref", "wtmult", "dtpref")
        return self.call(19, opaque(handle),
                         lambda r: Result(attributes=post_op_attr(r),
                                          **{name: r.u32() for name in names},
                                          maxfilesize=r.u64(), time_delta=r.time(),
                                          properties=r.u32()), attributes_result)

    def pathconf(self, handle):
        names = ("no_trunc", "chown_restricted", "case_insensitive", "case_preserving")
        return self.call(20, opaque(handle),
                         lambda r: Result(attributes=post_op_attr(r), linkmax=r.u32(),
                                          name_max=r.u32(),
                                          **{name: r.boolean() for name in names}),
                         attributes_result)

    def commit(self, handle, offset=0, count=0):
        return self.call(21, opaque(handle) + u64(offset) + u32(count),
                         lambda r: Result(wcc=wcc_data(r), verf=r.fixed(8)), wcc_result)


def attributes_result(reader):
    return Result(attributes=post_op_attr(reader))


def wcc_result(reader):
    return Result(wcc=wcc_data(reader))


def made_result(reader):
    return Result(handle=post_op_fh3(reader), attributes=post_op_attr(reader),
                  wcc=wcc_data(reader))


def listing(reader, plus):
    """READDIR's and READDIRPLUS's result; SIZE is its length in bytes, with the status."""
    length = len(reader.data) + 4
    result = Result(attributes=post_op_attr(reader), verifier=reader.fixed(8), entries=[],
                    size=length)
    while reader.boolean():
        entry = Result(fileid=reader.u64(), name=reader.opaque().decode(), cookie=reader.u64())
        if plus:
            entry.attributes = post_op_attr(reader)
            entry.handle = post_op_fh3(reader)
        result.entries.append(entry)
    result.eof = reader.boolean()
    return result


class Mount3:
    """The procedures of MOUNT (RFC 1813 section 5)."""

    def __init__(self, connection, user):
        self.connection, self.user = connection, user

    def call(self, procedure, arguments, result):
        try:
            reader = self.connection.call(MOUNT, 3, procedure, arguments, self.user.credential())
        except Refused as refused:
            return refused.args[0], Result()
        read = result(reader)
        reader.end()
        return read

    def null(self):
        return self.call(0, b"", lambda r: ("OK", Result()))

    def mnt(self, path):
        def result(reader):
            number = reader.u32()
            if number not in MOUNT_STATUS:
                raise Malformed(f"a mount status of {number}")
            if number:
                return MOUNT_STATUS[number], Result()
            return "OK", Result(handle=reader.opaque(64),
                                flavors=[reader.u32() for _ in range(reader.u32())])
        return self.call(1, opaque(name_bytes(path)), result)

    def dump(self):
        def result(reader):
            mounts = []
            while reader.boolean():
                mounts.append((reader.opaque(255).decode(), reader.opaque(1024).decode()))
            return "OK", Result(mounts=mounts)
        return self.call(2, b"", result)

    def umnt(self, path):
        return self.call(3, opaque(name_bytes(path)), lambda r: ("OK", Result()))

    def umntall(self):
        return self.call(4, b"", lambda r: ("OK", Result()))

    def export(self):
        def result(reader):
            exports = []
            while reader.boolean():
                path, groups = reader.opaque(1024).decode(), []
                while reader.boolean():
                    groups.append(reader.opaque(255).decode())
                exports.append((path, groups))
            return "OK", Result(exports=exports)
        return self.call(5, b"", result)
