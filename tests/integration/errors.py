#!/usr/bin/env python3
"""Test the success of NFSv3 procedures and the errors that a client can provoke (RFC 1813 section 3.3), and those of MOUNT
and RPC, on one server. Removes what it made, except with most-links.

usage: errors.py SERVER MODE TRANSPORT NFS_PORT MOUNT_PORT EXPORT
    SERVER     embedded (nfsbench serve), mem or vfs (nfs-ganesha's back ends), or knfsd
    MODE       all; read-only, root-squash or no-space for a server that was started with that option;
               most-links, which leaves thousands of links on a server that is ended afterwards
    TRANSPORT  tcp or udp

Every case has one right status, and statuses that certain servers other than the embedded one are known to return instead.
There is no case for what all servers and a model of the embedded one (src/serve/tests/test_serve_model.c) agree on.
Prints the failures; the exit status is 1 if there was one.
"""

import os
import sys
import traceback

sys.dont_write_bytecode = True

from nfs3_client import *  # noqa: E402,F403
from rpc import AUTH_NONE  # noqa: E402

ROOT = User(0, 0)
OWNER = User(1000, 100, (200,))
OTHER = User(4711, 4711)
NOBODY = 65534
LONG = "n" * 256  # longer than the longest name by one byte


class Broken(Exception):
    """A requirement of a case failed, so the case can't be tried."""


class Site:
    """A server, users of it, and the directory to work in. Counts the cases."""

    def __init__(self, server, transport, nfs_port, mount_port, export):
        self.server, self.transport, self.export = server, transport, export
        self.ports = {NFS: nfs_port, MOUNT: mount_port}
        self.embedded = server == "embedded"
        self.kinds = {server, "ganesha" if server in ("mem", "vfs") else server, server if self.embedded else "others"}
        self.cases = self.failures = 0
        self.group = ""
        self.connection = None
        self.connect()
        status, mounted = self.mount.mnt(export)
        if status != "OK":
            raise Broken(f"MNT of {export}: {status}")
        self.export_handle = self.here = mounted.handle

    def connect(self):
        if self.connection:
            self.connection.close()
            self.mount.connection.close()
        self.connection = Connection("127.0.0.1", self.ports[NFS], self.transport)
        self.mount = Mount3(Connection("127.0.0.1", self.ports[MOUNT], self.transport), ROOT)
        self.root = Nfs3(self.connection, ROOT)
        self.owner = self.root.by(OWNER)
        self.other = self.root.by(OTHER)

    # Cases

    def fail(self, case, why):
        self.failures += 1
        print(f"{self.server} over {self.transport}: {self.group}: {case}: {why}", flush=True)

    def check(self, case, truth, unless="", why="not so"):
        """Check TRUTH, except on the servers in UNLESS."""
        if self.kinds & set(unless.split()):
            return
        self.cases += 1
        if not truth:
            self.fail(case, why)

    def expect(self, case, got, right, **habits):
        """Check that GOT, (status, result), has the status RIGHT or, on a server named in HABITS, one of the statuses given
        there, and check its wcc_data. Returns the result; raises Broken if only OK is right, but GOT is not."""
        status, result = got
        allowed = [right]
        for kind, others in habits.items():
            if kind in self.kinds:
                allowed += others.split()
        self.cases += 1
        if status not in allowed:
            self.fail(case, f"{status} instead of {' or '.join(allowed)}")
        if allowed == ["OK"] and status != "OK":
            raise Broken(case)  # because the next check needs the result
        for member in ("wcc", "to_wcc"):
            if hasattr(result, member):
                self.check_wcc(f"{case}, {member}", status, getattr(result, member))
        return result

    def dots(self, case, call, right, **habits):
        """Expect RIGHT from CALL with the names "." and ".."."""
        for name in (".", ".."):
            self.expect(f"{case} {name}", call(name), right, **habits)

    def rename(self, case, source, target, right, to=None, **habits):
        return self.expect(case, self.owner.rename(self.here, source, to or self.here, target), right, **habits)

    def check_wcc(self, case, status, wcc):
        """Check wcc_data. Other servers may omit it (RFC 1813 section 2.6)."""
        unknown = status in ("BADHANDLE", "STALE")
        if self.embedded and not unknown:
            self.check(case, wcc.before and wcc.after, why="missing")
        if not wcc.before or not wcc.after:
            return
        # Only a change of the object moves its ctime.
        before = (wcc.before.ctime, wcc.before.mtime, wcc.before.size)
        after = (wcc.after.ctime, wcc.after.mtime, wcc.after.size)
        self.check(case, before[0] <= after[0], why="ctime went back")
        if status != "OK":
            self.check(case, before == after, why=f"changed by a call that failed: {before} {after}")

    def changed(self, case, wcc):
        """Check that WCC shows a change of the object. Other servers' clocks may tick too slowly to show it."""
        if self.embedded:
            self.check(case, wcc.before.ctime < wcc.after.ctime, why="ctime stands still")

    # Requirements of cases

    def need(self, what, got):
        if got[0] != "OK":
            raise Broken(f"{what}: {got[0]}")
        return got[1]

    def find(self, directory, name):
        return self.need(f"LOOKUP of {name}", self.root.lookup(directory, name)).handle

    def file(self, name, data=b"", mode=0o644, by=None, directory=None):
        by, directory = by or self.owner, directory or self.here
        self.need(f"CREATE of {name}", by.create(directory, name, mode=mode))
        handle = self.find(directory, name)
        if data:
            self.need(f"WRITE of {name}", by.write(handle, 0, data))
        return handle

    def directory(self, name, mode=0o755, by=None, directory=None):
        directory = directory or self.here
        self.need(f"MKDIR of {name}", (by or self.owner).mkdir(directory, name, mode=mode))
        return self.find(directory, name)

    def symlink(self, name, text="nowhere"):
        self.need(f"SYMLINK of {name}", self.owner.symlink(self.here, name, text))
        return self.find(self.here, name)

    def fifo(self, name):
        self.need(f"MKNOD of {name}", self.owner.mknod(self.here, name, FIFO, mode=0o644))
        return self.find(self.here, name)

    def attributes(self, handle):
        return self.need("GETATTR", self.root.getattr(handle)).attributes

    def names(self, directory):
        """Return the names in DIRECTORY except "." and ".."."""
        return [entry.name for entry in entries(self.root.readdir, directory, 32768) if entry.name not in (".", "..")]

    def remove_tree(self, directory, name):
        handle = self.find(directory, name)
        if self.attributes(handle).type != DIR:
            self.need(f"REMOVE of {name}", self.root.remove(directory, name))
            return
        for inner in self.names(handle):
            self.remove_tree(handle, inner)
        self.need(f"RMDIR of {name}", self.root.rmdir(directory, name))


# One object


def getattr_cases(s):
    handle = s.file("file", b"hello")
    attributes = s.expect("GETATTR of a file", s.other.getattr(handle), "OK").attributes
    s.check("a file's attributes", (attributes.type, attributes.mode, attributes.nlink,
            attributes.uid, attributes.gid, attributes.size) == (REG, 0o644, 1, 1000, 100, 5))
    directory = s.expect("GETATTR of a directory", s.other.getattr(s.here), "OK").attributes
    s.check("a directory's attributes", directory.type == DIR and directory.nlink >= 2)
    s.check("one file system", directory.fsid == attributes.fsid)
    s.check("another fileid", directory.fileid != attributes.fileid)


def setattr_owner_cases(s):
    handle = s.file("file")
    wcc = s.expect("mode by the owner", s.owner.setattr(handle, mode=0o4600), "OK").wcc
    s.changed("mode by the owner", wcc)
    s.check("the mode is set", s.attributes(handle).mode == 0o4600)
    s.expect("mode by another", s.other.setattr(handle, mode=0o777), "PERM")
    s.expect("uid by the owner", s.owner.setattr(handle, uid=4711), "PERM")
    s.expect("uid by another", s.other.setattr(handle, uid=4711), "PERM")
    s.expect("gid of a group of one's own", s.owner.setattr(handle, gid=200), "OK")
    s.check("the gid is set", s.attributes(handle).gid == 200)
    s.expect("gid of a group that is not", s.owner.setattr(handle, gid=201), "PERM")
    s.expect("uid and gid by root", s.root.setattr(handle, uid=4711, gid=4711), "OK")
    attributes = s.attributes(handle)
    s.check("the owner is set", (attributes.uid, attributes.gid) == (4711, 4711))
    s.expect("nothing by nobody in particular", s.owner.setattr(handle), "OK")
    if s.embedded:
        special_mode_cases(s, s.file("special", mode=0o4755))


def special_mode_cases(s, handle):
    """A SETATTR of the owner clears set-user-id, a WRITE also set-group-id. Only root sets set-group-id for another's group."""
    s.need("SETATTR", s.owner.setattr(handle, uid=1000))
    s.check("set-user-id is cleared by SETATTR of the owner", s.attributes(handle).mode == 0o755)
    s.need("SETATTR", s.root.setattr(handle, gid=300))
    s.need("SETATTR", s.owner.setattr(handle, mode=0o2775))
    s.check("no set-group-id for another's group", s.attributes(handle).mode == 0o775)
    s.need("SETATTR", s.root.setattr(handle, mode=0o6777))
    s.need("WRITE", s.other.write(handle, 0, b"x"))
    s.check("both are cleared by WRITE", s.attributes(handle).mode == 0o777)


def setattr_size_cases(s):
    handle = s.file("file", b"hello")
    s.expect("size by another", s.other.setattr(handle, size=0), "ACCES")
    # Section 2.6 says ISDIR. Ganesha has one error, BADTYPE, for everything that is not a file.
    s.expect("size of a directory", s.owner.setattr(s.here, size=0), "ISDIR", ganesha="BADTYPE")
    s.expect("size of a symbolic link", s.owner.setattr(s.symlink("link"), size=0), "INVAL", ganesha="BADTYPE")
    s.expect("size of a pipe", s.owner.setattr(s.fifo("pipe"), size=0), "INVAL", ganesha="BADTYPE")
    # Section 3.3.2 says INVAL for a size that can't be represented; knfsd and Ganesha may return FBIG, as WRITE does,
    # and Ganesha's memory back end has no limit.
    s.expect("a size of 2^63", s.owner.setattr(handle, size=1 << 63), "INVAL", vfs="FBIG", mem="OK", knfsd="FBIG")
    if s.embedded:
        s.expect("a size of 2^63 - 1", s.owner.setattr(handle, size=(1 << 63) - 1), "OK")


def setattr_time_cases(s):
    handle = s.file("file")
    s.expect("times by the client", s.owner.setattr(handle, atime=(1000, 5), mtime=(1001, 6)), "OK")
    attributes = s.attributes(handle)
    s.check("the times are set", (attributes.atime, attributes.mtime) == ((1000, 5), (1001, 6)))
    s.expect("one time only", s.owner.setattr(handle, mtime=(1002, 0)), "OK")
    attributes = s.attributes(handle)
    s.check("the other stays", (attributes.atime, attributes.mtime) == ((1000, 5), (1002, 0)))
    s.expect("times by the server", s.owner.setattr(handle, atime="server", mtime="server"), "OK")
    attributes = s.attributes(handle)
    s.check("it is now", attributes.mtime[0] > 1000000000 and attributes.atime[0] > 1000000000 and
            abs(attributes.mtime[0] - attributes.ctime[0]) <= 1)
    s.expect("times by another", s.other.setattr(handle, mtime=(1, 0)), "PERM")
    s.expect("the server's by another", s.other.setattr(handle, mtime="server", atime="server"), "ACCES")
    # knfsd and Ganesha do not check nanoseconds.
    s.expect("a second of nanoseconds", s.owner.setattr(handle, mtime=(1, 1000000000)), "INVAL", others="OK")
    s.need("SETATTR", s.owner.setattr(handle, mode=0o666))
    s.expect("the server's by who may write", s.other.setattr(handle, mtime="server", atime="server"), "OK")
    s.expect("the client's by who may write", s.other.setattr(handle, mtime=(1, 0)), "PERM")
    if s.embedded:
        s.need("SETATTR", s.owner.setattr(handle, atime=(1, 0)))
        s.need("READ", s.owner.read(handle, 0, 1))
        attributes = s.attributes(handle)
        s.check("READ changes the access time", attributes.atime > attributes.mtime)


def access_cases(s):
    everything = 63
    handle, directory = s.file("file", mode=0o640), s.directory("dir", mode=0o711)

    def allowed(case, nfs, object_handle, right, asked=everything):
        access = s.expect(case, nfs.access(object_handle, asked), "OK").access
        # knfsd and Ganesha may report DELETE for a file, although it has no meaning.
        keep = everything if s.embedded else everything & ~ACCESS_DELETE
        s.check(case, access & keep == right & keep, why=f"access {access:#x}, not {right:#x}")

    change = ACCESS_MODIFY | ACCESS_EXTEND
    allowed("a file's owner", s.owner, handle, ACCESS_READ | change)
    allowed("its group", s.root.by(User(5, 100)), handle, ACCESS_READ)
    allowed("its group, one of several", s.root.by(User(5, 5, (6, 100))), handle, ACCESS_READ)
    allowed("another", s.other, handle, 0)
    allowed("only what was asked for", s.owner, handle, ACCESS_READ, ACCESS_READ)
    allowed("a directory's owner", s.owner, directory, ACCESS_READ | ACCESS_LOOKUP | change | ACCESS_DELETE)
    allowed("another in a directory", s.other, directory, ACCESS_LOOKUP)
    # Unlike READ and WRITE, ACCESS follows the mode bits for the owner, too.
    s.need("SETATTR", s.owner.setattr(handle, mode=0o400))
    allowed("an owner who may read", s.owner, handle, ACCESS_READ)
    s.need("SETATTR", s.owner.setattr(handle, mode=0))
    allowed("an owner who may not", s.owner, handle, 0)
    s.expect("READ by that owner", s.owner.read(handle, 0, 1), "OK")


def readlink_cases(s):
    link = s.symlink("link", "some/where")
    result = s.expect("READLINK", s.other.readlink(link), "OK")
    s.check("the text", result.data == b"some/where")
    s.expect("READLINK of a file", s.owner.readlink(s.file("file")), "INVAL")
    s.expect("READLINK of a directory", s.owner.readlink(s.here), "INVAL", knfsd="ISDIR")


def lookup_cases(s):
    s.file("file")
    s.expect("LOOKUP by another", s.other.lookup(s.here, "file"), "OK")
    s.expect("ACCES", s.other.lookup(s.directory("dir", mode=0o700), "nothing"), "ACCES")


# Data


def read_cases(s):
    handle = s.file("file", b"0123456789", mode=0o600)

    def reads(case, offset, count, data, eof):
        result = s.expect(case, s.owner.read(handle, offset, count), "OK")
        s.check(f"{case}: length", result.count == len(data) == len(result.data))
        s.check(f"{case}: data", result.data == data, unless="mem")  # mem stores no data
        s.check(f"{case}: eof", result.eof == eof)

    reads("READ of a part", 3, 4, b"3456", False)
    reads("READ past the end", 1 << 40, 5, b"", True)
    if s.embedded:
        reads("READ of 2^32 - 1 bytes from 2^64 - 1", (1 << 64) - 1, 0xffffffff, b"", True)
    s.expect("ACCES", s.other.read(handle, 0, 1), "ACCES")
    # Section 3.3.6 says INVAL; knfsd and Ganesha return ISDIR.
    s.expect("READ of a directory", s.owner.read(s.here, 0, 1), "ISDIR", others="INVAL")
    s.expect("READ of a symbolic link", s.owner.read(s.symlink("link"), 0, 1), "INVAL")
    s.expect("READ of a pipe", s.owner.read(s.fifo("pipe"), 0, 1), "INVAL")
    # A program that may be executed may be read in order to execute it (section 4.4).
    program = s.file("program", b"run", mode=0o711)
    s.check("READ of a program", s.expect("READ of a program", s.other.read(program, 0, 3), "OK").count == 3)


def write_cases(s):
    handle = s.file("file", b"hello")
    verifiers = {s.expect(f"WRITE {stable}", s.owner.write(handle, stable, b"ab", stable), "OK").verf
                 for stable in (UNSTABLE, DATA_SYNC, FILE_SYNC)}
    verifiers.add(s.expect("COMMIT", s.owner.commit(handle), "OK").verf)
    verifiers.add(s.expect("COMMIT of a part", s.owner.commit(handle, 1, 2), "OK").verf)
    s.check("one verifier", len(verifiers) == 1)
    s.check("the data", s.owner.read(handle, 0, 9)[1].data == b"aaabo", unless="mem")


def large_cases(s):
    """Transfer as many bytes in one call as FSINFO allows, and more."""
    info = s.need("FSINFO", s.owner.fsinfo(s.here))
    handle = s.file("file")
    # Ganesha and knfsd report the same size over UDP as over TCP.
    length = min(info.wtmax, 1 << 20 if s.transport == "tcp" else 32 << 10)
    data = bytes(range(256)) * (length // 256)
    result = s.expect("WRITE of wtmax bytes", s.owner.write(handle, 0, data, UNSTABLE), "OK")
    s.check("all written", result.count == len(data))
    if s.embedded:  # other servers close the connection after such a WRITE
        more = bytes(4 * length if s.transport == "tcp" else 60000)
        result = s.expect("WRITE of more than wtmax bytes", s.owner.write(handle, 0, more, UNSTABLE), "OK")
        s.check("some written", result.count == length)
        s.need("WRITE", s.owner.write(handle, 0, data, UNSTABLE))
    if s.transport == "tcp":
        result = s.expect("READ of 2^32 - 1 bytes", s.owner.read(handle, 0, 0xffffffff), "OK")
        s.check("some read", 0 < result.count <= info.rtmax and result.eof == (result.count == len(data)))
        s.check("the data", result.data == data[:result.count], unless="mem")
    elif s.embedded:
        s.need("SETATTR", s.owner.setattr(handle, size=1 << 20))
        result = s.expect("READ of 64 KiB", s.owner.read(handle, 0, 64 << 10), "OK")
        s.check("as much as a datagram holds", result.count == 32 << 10)


def write_error_cases(s):
    handle = s.file("file", b"hello")
    s.expect("ACCES", s.other.write(handle, 0, b"x"), "ACCES")
    # Section 3.3.7 says INVAL; knfsd and Ganesha return ISDIR.
    s.expect("WRITE to a directory", s.owner.write(s.here, 0, b"x"), "ISDIR", others="INVAL")
    s.expect("WRITE to a symbolic link", s.owner.write(s.symlink("link"), 0, b"x"), "INVAL")
    s.expect("WRITE to a pipe", s.owner.write(s.fifo("pipe"), 0, b"x"), "INVAL")
    s.expect("another count than bytes", s.owner.write(handle, 0, b"abc", count=5), "INVAL", knfsd="GARBAGE_ARGS")
    # knfsd and Ganesha return the errors of the system calls; Ganesha's memory back end has no limit.
    s.expect("beyond 2^63", s.owner.write(handle, (1 << 63) - 1, b"xy"), "FBIG", vfs="INVAL", mem="OK", knfsd="INVAL")
    s.expect("beyond 2^64", s.owner.write(handle, (1 << 64) - 1, b"xy"), "FBIG", vfs="INVAL", mem="OK", knfsd="INVAL")
    s.check("the size stays", s.attributes(handle).size == 5, unless="mem")
    # The owner may still write a file that was opened before (section 4.4).
    s.need("SETATTR", s.owner.setattr(handle, mode=0))
    s.expect("the owner without permission", s.owner.write(handle, 0, b"H"), "OK")
    # Ganesha's memory back end has nothing to commit.
    s.expect("COMMIT of a directory", s.owner.commit(s.here), "ISDIR", vfs="INVAL", mem="OK", knfsd="INVAL")


def sparse_cases(s):
    handle = s.file("file")
    at = 1 << 40
    s.expect("WRITE at 2^40", s.owner.write(handle, at, b"end"), "OK")
    attributes = s.attributes(handle)
    s.check("the size", attributes.size == at + 3)
    s.check("the space used", attributes.used < 1 << 20, unless="mem")  # mem counts no blocks
    hole = s.expect("READ of the hole", s.owner.read(handle, at - 5, 8), "OK")
    s.check("zeros before the data", hole.data == b"\0\0\0\0\0end" and hole.eof, unless="mem")
    if s.embedded:
        s.expect("WRITE up to 2^63 - 1", s.owner.write(handle, (1 << 63) - 4, b"end"), "OK")
        s.check("the largest size", s.attributes(handle).size == (1 << 63) - 1)
        hole = s.need("READ", s.owner.read(handle, (1 << 63) - 6, 9))
        s.check("zeros before the last bytes", hole.data == b"\0\0end" and hole.eof)


# Making


def plausible_new(s, case, result, kind, **attributes):
    """Check what a procedure that makes an object returns about it."""
    if s.embedded:
        s.check(case, result.handle and result.attributes, why="handle or attributes missing")
        s.changed(case, result.wcc)
    made = result.attributes
    if not made:
        return
    s.check(case, made.type == kind and made.nlink >= 1, why="the type or link count")
    for name, right in attributes.items():
        s.check(case, getattr(made, name) == right, why=f"{name} {getattr(made, name)}, not {right}")


def create_cases(s):
    made = s.expect("UNCHECKED", s.owner.create(s.here, "a", "UNCHECKED", mode=0o640), "OK")
    plausible_new(s, "UNCHECKED", made, REG, mode=0o640, uid=1000, gid=100, size=0, nlink=1)
    made = s.expect("GUARDED", s.owner.create(s.here, "b", "GUARDED", mode=0o640), "OK")
    plausible_new(s, "GUARDED", made, REG, mode=0o640, uid=1000, gid=100, size=0, nlink=1)
    made = s.expect("EXCLUSIVE", s.owner.create(s.here, "c", "EXCLUSIVE", b"verifier"), "OK")
    plausible_new(s, "EXCLUSIVE", made, REG, uid=1000, gid=100)
    if s.embedded:
        s.expect("a size by another", s.other.create(s.here, "a", "UNCHECKED", size=0), "ACCES")
    s.need("MKDIR", s.owner.mkdir(s.here, "dir"))
    # Ganesha opens the existing object, and fails as open() does. knfsd succeeds if the object exists.
    s.expect("over a directory", s.owner.create(s.here, "dir", "UNCHECKED", mode=0o640), "EXIST",
             ganesha="ISDIR", knfsd="OK ISDIR")
    s.dots("CREATE of", lambda name: s.owner.create(s.here, name), "EXIST", ganesha="ISDIR")


def mkdir_cases(s):
    made = s.expect("MKDIR", s.owner.mkdir(s.here, "dir", mode=0o750), "OK")
    plausible_new(s, "MKDIR", made, DIR, mode=0o750, uid=1000, gid=100, nlink=2)
    s.dots("MKDIR of", lambda name: s.owner.mkdir(s.here, name), "EXIST")


def symlink_cases(s):
    made = s.expect("SYMLINK", s.owner.symlink(s.here, "link", "text"), "OK")
    plausible_new(s, "SYMLINK", made, LNK, uid=1000, gid=100)
    s.dots("SYMLINK of", lambda name: s.owner.symlink(s.here, name, "text"), "EXIST")
    text = "t" * 1000
    s.need("SYMLINK", s.owner.symlink(s.here, "long", text))
    s.check("a long text", s.owner.readlink(s.find(s.here, "long"))[1].data == text.encode())
    # Ganesha's memory back end accepts the text; knfsd does not decode it.
    s.expect("a text of more than a path may have", s.owner.symlink(s.here, "more", "t" * 5000),
             "NAMETOOLONG", mem="OK", knfsd="GARBAGE_ARGS")
    if s.embedded:
        s.expect("a text of no bytes", s.owner.symlink(s.here, "empty", ""), "INVAL")
        s.expect("a text of 4096 bytes", s.owner.symlink(s.here, "longest", "t" * 4096), "OK")
        s.expect("a text of 4097 bytes", s.owner.symlink(s.here, "longer", "t" * 4097), "NAMETOOLONG")


def mknod_cases(s):
    for name, kind in (("socket", SOCK), ("pipe", FIFO)):
        made = s.expect(f"MKNOD of a {name}", s.owner.mknod(s.here, name, kind, mode=0o640), "OK")
        plausible_new(s, name, made, kind, mode=0o640, uid=1000, gid=100)
    for name, kind in (("block", BLK), ("character", CHR)):
        s.expect(f"a {name} device by a user", s.owner.mknod(s.here, f"no {name}", kind), "PERM",
                 mem="OK")  # mem checks no permission
        made = s.expect(f"a {name} device", s.root.mknod(s.here, name, kind, mode=0o600), "OK")
        plausible_new(s, name, made, kind, mode=0o600, uid=0, rdev=(5, 6))
    for name, kind in (("file", REG), ("directory", DIR), ("symbolic link", LNK)):
        s.expect(f"MKNOD of a {name}", s.owner.mknod(s.here, "new", kind), "BADTYPE")
    # An unknown ftype3. Ganesha and knfsd decode any number.
    s.expect("MKNOD of type 8", s.owner.mknod(s.here, "new", 8), "GARBAGE_ARGS", others="BADTYPE")
    s.dots("MKNOD of", lambda name: s.owner.mknod(s.here, name, FIFO), "EXIST")


def link_cases(s):
    handle = s.file("file")
    s.dots("LINK to", lambda name: s.owner.link(handle, s.here, name), "EXIST")
    # POSIX says PERM; knfsd and Ganesha check the type first.
    s.expect("LINK of a directory", s.owner.link(s.directory("dir"), s.here, "new"), "INVAL",
             ganesha="BADTYPE", knfsd="ISDIR PERM")
    s.expect("LINK of a symbolic link", s.owner.link(s.symlink("symlink"), s.here, "s2"), "OK")


def most_links_cases(s):
    """Make as many links as PATHCONF allows. Only the embedded server allows so few that this takes seconds."""
    s.here = s.directory("links", by=s.root, mode=0o777)
    s.need("SETATTR", s.root.setattr(s.here, mode=0o777))
    most = s.need("PATHCONF", s.owner.pathconf(s.here)).linkmax
    handle = s.file("file")
    for number in range(most - 1):
        s.need("LINK", s.owner.link(handle, s.here, f"l{number}"))
    s.check("all links", s.attributes(handle).nlink == most)
    s.expect("one link more", s.owner.link(handle, s.here, "more"), "MLINK")


def setgid_cases(s):
    directory = s.directory("dir")
    s.need("SETATTR", s.root.setattr(directory, gid=300))
    s.need("SETATTR", s.root.setattr(directory, mode=0o2777))
    handle = s.file("file", directory=directory)
    s.check("a file has the directory's group", s.attributes(handle).gid == 300, unless="mem")
    inner = s.attributes(s.directory("inner", directory=directory))
    # Ganesha's memory back end does not implement set-group-id.
    s.check("a directory has its group", inner.gid == 300, unless="mem")
    s.check("and set-group-id", inner.mode == 0o2755, unless="mem")
    s.need("SYMLINK", s.owner.symlink(directory, "link", "text"))
    s.check("a symbolic link has its group", s.attributes(s.find(directory, "link")).gid == 300, unless="mem")
    s.check("elsewhere it is the caller's", s.attributes(s.file("plain")).gid == 100)


# Removing


def dots_cases(s):
    s.file("file")
    # "." and ".." are directories. knfsd and Ganesha refuse these names first.
    s.dots("REMOVE of", lambda name: s.owner.remove(s.here, name), "ISDIR", others="ACCES")
    # Section 3.3.13 distinguishes "." from "..". knfsd refuses both (section 3.2); Ganesha returns the error of its back
    # end.
    s.expect("RMDIR of .", s.owner.rmdir(s.here, "."), "INVAL", mem="NOTEMPTY", knfsd="ACCES")
    s.expect("RMDIR of ..", s.owner.rmdir(s.here, ".."), "EXIST", ganesha="NOTEMPTY", knfsd="ACCES")


def sticky_cases(s):
    directory = s.directory("dir", by=s.root)
    s.need("SETATTR", s.root.setattr(directory, mode=0o1777))
    s.file("file", directory=directory)
    s.file("others", directory=directory, by=s.other)
    # POSIX allows ACCES and PERM. Section 3.3.12 lists only ACCES, and knfsd and Ganesha return Linux's PERM.
    s.expect("REMOVE by another", s.other.remove(directory, "file"), "ACCES", others="PERM")
    s.expect("RENAME by another", s.other.rename(directory, "file", directory, "x"), "ACCES", others="PERM")
    s.expect("RENAME over another's", s.other.rename(directory, "others", directory, "file"), "ACCES", others="PERM")
    s.directory("empty", directory=directory)
    s.expect("RMDIR by another", s.other.rmdir(directory, "empty"), "ACCES", others="PERM")
    s.expect("REMOVE by the file's owner", s.owner.remove(directory, "file"), "OK")
    s.need("SETATTR", s.root.setattr(directory, uid=1000))
    s.expect("REMOVE by the directory's owner", s.owner.remove(directory, "others"), "OK")


def rename_directory_cases(s):
    rename = s.rename
    s.file("file")
    empty, full = s.directory("empty"), s.directory("full")
    s.file("inner", directory=full)
    # For the next three cases, section 3.3.14 says EXIST, but its list of errors has POSIX's more precise errors. knfsd
    # returns these errors, Ganesha some of them.
    rename("a file over a directory", "file", "empty", "ISDIR", ganesha="EXIST")
    rename("a directory over a file", "empty", "file", "NOTDIR", ganesha="EXIST")
    rename("a directory over a full one", "empty", "full", "NOTEMPTY", others="EXIST")
    rename("a directory into itself", "empty", "x", "INVAL", to=empty)
    rename("a directory into its descendant", "full", "x", "INVAL", to=s.directory("deeper", directory=full))
    for name in (".", ".."):
        # knfsd treats "." and ".." as ordinary names (section 3.2).
        rename(f"{name} away", name, "x", "INVAL", knfsd="PERM ACCES")
        rename(f"over {name}", "empty", name, "INVAL", knfsd="PERM ACCES")


# Listing


def readdir_error_cases(s):
    for number in range(10):
        s.file(f"file{number}")
    page = s.need("READDIR", s.owner.readdir(s.here))
    cookie, verifier = page.entries[5].cookie, page.verifier
    for name, call in (("READDIR", s.owner.readdir), ("READDIRPLUS", s.owner.readdirplus)):
        # Servers that have no verifiers, or search for the next cookie, can't detect a wrong verifier or cookie.
        s.expect(f"{name}: another verifier", call(s.here, cookie, b"wrong!!!"), "BAD_COOKIE", others="OK")
        s.expect(f"{name}: a cookie never given", call(s.here, 0x7abcdef123456789, verifier), "BAD_COOKIE", others="OK")
    # Ganesha returns no error, but a longer list, or one followed by eight extra bytes.
    for count in () if "ganesha" in s.kinds else (0, 16, 100):
        # knfsd returns a list without entries.
        s.expect(f"READDIR of {count} bytes", s.owner.readdir(s.here, count=count), "TOOSMALL", knfsd="OK")
        s.expect(f"READDIRPLUS of {count} bytes",
                 s.owner.readdirplus(s.here, dircount=count, maxcount=count), "TOOSMALL",
                 knfsd="OK")
    s.expect("READDIR by another", s.other.readdir(s.here), "OK")
    directory = s.directory("dir", mode=0o711)
    s.expect("READDIR: ACCES", s.other.readdir(directory), "ACCES")
    s.expect("READDIRPLUS: ACCES", s.other.readdirplus(directory), "ACCES")


# The file system


def system_cases(s):
    stat = s.expect("FSSTAT", s.other.fsstat(s.here), "OK")
    s.check("bytes", stat.tbytes >= stat.fbytes >= stat.abytes)
    s.check("files", stat.tfiles >= stat.ffiles >= stat.afiles)
    info = s.expect("FSINFO", s.other.fsinfo(s.here), "OK")
    s.check("sizes of READ", info.rtmax >= info.rtpref > 0 and info.rtmult > 0)
    s.check("sizes of WRITE", info.wtmax >= info.wtpref > 0 and info.wtmult > 0)
    s.check("hard and symbolic links, set times", info.properties & 0x13 == 0x13)
    s.check("the largest file", info.maxfilesize >= 1 << 41, unless="mem")
    s.check("its own limits", not s.embedded or info.maxfilesize == (1 << 63) - 1)
    conf = s.expect("PATHCONF", s.other.pathconf(s.here), "OK")
    # Ganesha says 1024, whatever the back end's limit. knfsd says that it truncates long names, but does not.
    s.check("names", conf.name_max == 255, unless="ganesha")
    s.check("long names refused", conf.no_trunc, unless="knfsd")
    s.check("case", conf.case_preserving and not conf.case_insensitive)
    s.expect("NULL", s.other.null(), "OK")
    for name, right in (("READ", info.rtmax), ("WRITE", info.wtmax)):
        s.check(f"{name} fits a datagram", s.transport == "tcp" or right <= 65536,
                unless="ganesha knfsd")  # these servers report the size that holds over TCP


# Every procedure


def with_directory(nfs, handle, file, name="x", old=None, old_directory=None):
    """Return calls on a directory's HANDLE by procedure, with NAME where they take one. OLD and OLD_DIRECTORY are the names
    to rename or remove; default: NAME."""
    return (("LOOKUP", lambda: nfs.lookup(handle, name)),
            ("CREATE", lambda: nfs.create(handle, name)),
            ("CREATE UNCHECKED", lambda: nfs.create(handle, name, "UNCHECKED")),
            ("CREATE EXCLUSIVE", lambda: nfs.create(handle, name, "EXCLUSIVE", b"verifier")),
            ("MKDIR", lambda: nfs.mkdir(handle, name)),
            ("SYMLINK", lambda: nfs.symlink(handle, name, "text")),
            ("MKNOD", lambda: nfs.mknod(handle, name, FIFO)),
            ("REMOVE", lambda: nfs.remove(handle, old or name)),
            ("RMDIR", lambda: nfs.rmdir(handle, old_directory or name)),
            ("RENAME", lambda: nfs.rename(handle, old or name, handle, "y")),
            ("LINK", lambda: nfs.link(file, handle, name)),
            ("READDIR", lambda: nfs.readdir(handle)),
            ("READDIRPLUS", lambda: nfs.readdirplus(handle)))


def with_file(nfs, handle, directory):
    """Return calls on the HANDLE of an object that is no directory, by procedure."""
    return (("GETATTR", lambda: nfs.getattr(handle)),
            ("SETATTR", lambda: nfs.setattr(handle, mode=0o600)),
            ("ACCESS", lambda: nfs.access(handle, 63)),
            ("READLINK", lambda: nfs.readlink(handle)),
            ("READ", lambda: nfs.read(handle, 0, 10)),
            ("WRITE", lambda: nfs.write(handle, 0, b"data")),
            ("LINK of it", lambda: nfs.link(handle, directory, "x")),
            ("FSSTAT", lambda: nfs.fsstat(handle)),
            ("FSINFO", lambda: nfs.fsinfo(handle)),
            ("PATHCONF", lambda: nfs.pathconf(handle)),
            ("COMMIT", lambda: nfs.commit(handle)))


def bad_handle_cases(s):
    file = s.file("file")
    for name, handle in (("empty", b""), ("short", b"\xff" * 5), ("nonsense", b"\xff" * 28), ("long", b"\xff" * 64)):
        for procedure, call in (with_directory(s.owner, handle, file) + with_file(s.owner, handle, s.here)):
            # knfsd does not decode an empty handle.
            s.expect(f"{procedure}, a handle that is {name}", call(), "BADHANDLE",
                     knfsd="STALE GARBAGE_ARGS" if not handle else "STALE")
    s.expect("RENAME to a bad handle", s.owner.rename(s.here, "file", b"bad!", "y"), "BADHANDLE")
    s.expect("RENAME from a bad handle", s.owner.rename(b"bad!", "x", s.here, "y"), "BADHANDLE")
    s.expect("65 bytes", s.owner.getattr(b"\xff" * 65), "GARBAGE_ARGS")
    if s.embedded:
        for position, right in ((0, "BADHANDLE"), (11, "STALE"), (19, "STALE")):  # mark, number, generation
            changed = bytearray(file)
            changed[position] ^= 0x80
            s.expect(f"another byte {position}", s.owner.getattr(bytes(changed)), right)
    s.check("nothing happened", s.names(s.here) == ["file"])


def stale_cases(s):
    file, gone = s.file("file"), s.file("gone")
    directory = s.directory("directory")
    s.need("REMOVE", s.owner.remove(s.here, "gone"))
    s.need("RMDIR", s.owner.rmdir(s.here, "directory"))
    for procedure, call in (with_directory(s.owner, directory, file) + with_file(s.owner, gone, s.here)):
        s.expect(procedure, call(), "STALE")
    s.expect("RENAME to it", s.owner.rename(s.here, "file", directory, "y"), "STALE")
    s.check("nothing happened", s.names(s.here) == ["file"])


def refused_cases(s):
    """Try changes by a user without write permission on the directory, which has the names to remove and rename."""
    file = s.file("file")
    s.directory("dir")
    for case, call in with_directory(s.other, s.here, file, "x", "file", "dir")[1:11]:
        s.expect(case, call(), "ACCES")
    anybodys = s.directory("anybodys", by=s.other, directory=s.directory("place", mode=0o777))
    s.need("SETATTR", s.root.setattr(anybodys, mode=0o777))
    s.expect("RENAME to", s.other.rename(anybodys, "x", s.here, "y"), "NOENT", others="ACCES")
    s.file("x", directory=anybodys, by=s.other)
    s.expect("RENAME into it", s.other.rename(anybodys, "x", s.here, "y"), "ACCES")
    s.expect("RENAME out of it", s.other.rename(s.here, "file", anybodys, "y"), "ACCES")
    s.expect("by a user without a credential",
             Nfs3(s.connection, Anonymous()).create(s.here, "x"), "ACCES",
             others="AUTH_ERROR_5 AUTH_ERROR_2")


class Anonymous:
    """A caller with the credential AUTH_NONE."""

    def credential(self):
        return AUTH_NONE


def named_calls(s, name, file):
    """Return calls of every procedure that takes a name."""
    without = ("CREATE UNCHECKED", "CREATE EXCLUSIVE", "READDIR", "READDIRPLUS")
    return [(procedure, call) for procedure, call in with_directory(s.owner, s.here, file, name)
            if procedure not in without] + [("RENAME to", lambda: s.owner.rename(s.here, "file", s.here, name))]


def name_cases(s):
    file = s.file("file")
    for procedure, call in named_calls(s, LONG, file):
        # Linux's server does not decode names of more than 255 bytes.
        s.expect(f"{procedure}, 256 bytes", call(), "NAMETOOLONG", knfsd="GARBAGE_ARGS")
    for procedure, call in named_calls(s, "n" * 1025, file):
        s.expect(f"{procedure}, 1025 bytes", call(), "NAMETOOLONG", others="GARBAGE_ARGS")
    # Section 3.2 says ACCES for empty names and names with invalid characters. Ganesha does not check for slashes, so its
    # result varies; knfsd does not decode the names.
    for procedure, call in named_calls(s, "", file):
        s.expect(f"{procedure}, no name", call(), "ACCES", ganesha="INVAL NOENT EXIST",
                 knfsd="NOENT EXIST INVAL GARBAGE_ARGS")
    for procedure, call in named_calls(s, "a/b", file):
        s.expect(f"{procedure}, a slash", call(), "ACCES", vfs="INVAL NOENT STALE", knfsd="GARBAGE_ARGS")
    if s.embedded:
        for procedure, call in named_calls(s, "file\0x", file):
            s.expect(f"{procedure}, a NUL", call(), "ACCES")
    s.check("nothing happened", s.names(s.here) == ["file"])
    longest = LONG[1:]
    for procedure, call in named_calls(s, longest, file)[1:2]:
        s.expect(f"{procedure}, 255 bytes", call(), "OK")
    s.expect("LOOKUP, 255 bytes", s.owner.lookup(s.here, longest), "OK")
    s.check("it is listed", sorted(s.names(s.here)) == ["file", longest])


def cut_is_unseen(s):
    """Return whether truncated arguments go undetected: over UDP, Ganesha reads past the end of a datagram."""
    return "ganesha" in s.kinds and s.transport == "udp"


def garbage_cases(s):
    """Check that a call whose arguments end too early, at any word, does nothing."""
    if cut_is_unseen(s):
        return
    file, link = s.file("file"), s.symlink("link")

    def calls(nfs):
        return with_directory(nfs, s.here, file) + with_file(nfs, file, s.here) + (
            ("READLINK", lambda: nfs.readlink(link)),
            ("CREATE", lambda: nfs.create(s.here, "x", mode=0o644, uid=1, gid=1, size=5,
                                          atime=(1, 1), mtime="server")),
            ("MKNOD", lambda: nfs.mknod(s.here, "x", CHR)),
            ("SETATTR", lambda: nfs.setattr(file, guard=(1, 1), mode=0o777, uid=5)))
    for index, (procedure, _) in enumerate(calls(s.owner)):
        cut = 4
        while True:
            call = calls(s.owner.cutting(cut))[index][1]
            try:
                got = call()
            except ValueError:
                break
            s.expect(f"{procedure} without the last {cut} bytes", got, "GARBAGE_ARGS")
            cut += 4
    s.check("nothing happened", sorted(s.names(s.here)) == ["file", "link"])


# RPC and MOUNT


def refusal(connection, *arguments, **options):
    """Return how the RPC layer refuses a call: a word, and its details."""
    try:
        connection.call(*arguments, **options)
    except Refused as refused:
        return refused.args
    return ("OK",)


def rpc_cases(s):
    def refused(case, right, connection, program, version, procedure, arguments=b"",
                credential=ROOT.credential(), habits="", **options):
        got = refusal(connection, program, version, procedure, arguments, credential, **options)
        s.cases += 1
        if got != right and not (not s.embedded and got[0] in habits.split()):
            s.fail(case, f"{got} instead of {right}")

    nfs, mount = s.connection, s.mount.connection
    refused("NFS, procedure 22", ("PROC_UNAVAIL",), nfs, NFS, 3, 22)
    refused("NFS, procedure 2^32 - 1", ("PROC_UNAVAIL",), nfs, NFS, 3, 0xffffffff)
    refused("MOUNT, procedure 6", ("PROC_UNAVAIL",), mount, MOUNT, 3, 6)
    refused("NFS_ACL, procedure 3", ("PROC_UNAVAIL",), nfs, 100227, 3, 3, habits="PROG_UNAVAIL")
    # Other servers support more versions than 3, or report other bounds.
    refused("NFS, version 2", ("PROG_MISMATCH", 3, 3), nfs, NFS, 2, 0, habits="PROG_MISMATCH")
    refused("NFS, version 9", ("PROG_MISMATCH", 3, 3), nfs, NFS, 9, 0, habits="PROG_MISMATCH")
    refused("MOUNT, version 9", ("PROG_MISMATCH", 3, 3), mount, MOUNT, 9, 0, habits="PROG_MISMATCH")
    refused("another program", ("PROG_UNAVAIL",), nfs, 200000, 1, 0)
    # Ganesha's library does not answer another version of RPC.
    if "ganesha" not in s.kinds:
        refused("RPC version 3", ("RPC_MISMATCH", 2, 2), nfs, NFS, 3, 0, rpc_version=3)
    # AUTH_BADCRED is 1, AUTH_REJECTEDCRED 2, AUTH_TOOWEAK 5.
    refused("another flavour", ("AUTH_ERROR_1",), nfs, NFS, 3, 1, opaque(s.here),
            u32(99) + opaque(b""), habits="AUTH_ERROR_2 AUTH_ERROR_5")
    if "ganesha" not in s.kinds:  # Ganesha may read too many groups
        refused("17 groups", ("AUTH_ERROR_1",), nfs, NFS, 3, 1, opaque(s.here), User(0, 0, range(17)).credential())


def cases_through_links(s, mount, path):
    """MNT follows symbolic links as long as they stay in the export."""
    handle = s.directory("deep", directory=s.directory("below"))
    for name, text, status in (
            ("relative", "below/deep", "OK"), ("up", "../mount_cases/./below/deep", "OK"),
            ("absolute", f"{path}/below/deep", "OK"), ("twice", "relative", "OK"),
            ("slashes", "below//deep/", "OK"), ("to-file", "file", "NOTDIR"),
            ("to-nothing", "nothing", "NOENT"), ("outside", "/etc", "NOENT"),
            ("root", "/", "ACCES"), ("above", "../../../..", "ACCES"), ("loop", "loop", "INVAL"),
            ("long", "x/" * 510, "NOENT"), ("longer", "../mount_cases/longer/" + "y" * 900, "NAMETOOLONG")):
        s.need("SYMLINK", s.owner.symlink(s.here, name, text))
        result = s.expect(f"MNT through a link: {name}", mount.mnt(f"{path}/{name}"), status)
        if status == "OK":
            s.check(f"the directory's handle: {name}", result.handle == handle)
    s.expect("MNT through a link on the way", mount.mnt(f"{path}/up/../deep"), "OK")


def mount_cases(s):
    connection, mount = s.mount.connection, s.mount
    result = s.expect("MNT", mount.mnt(s.export), "OK")
    s.check("AUTH_SYS will do", 1 in result.flavors)
    s.check("its flavours", not s.embedded or (result.flavors[0], len(result.flavors)) == (1, 2))
    s.check("the same handle", result.handle == s.export_handle)
    s.expect("NULL", mount.null(), "OK")
    mounts = s.expect("DUMP", mount.dump(), "OK").mounts
    # Ganesha keeps no list of mounts; knfsd's list is in a file.
    s.check("it is in the list", s.export in [path for _, path in mounts], unless="ganesha")
    s.expect("UMNT", mount.umnt(s.export), "OK")
    mounts = s.expect("DUMP", mount.dump(), "OK").mounts
    s.check("it is off the list", s.export not in [path for _, path in mounts], unless="knfsd")
    mount.mnt(s.export)
    s.expect("UMNTALL", mount.umntall(), "OK")
    s.check("no mounts", mount.dump()[1].mounts == [], unless="knfsd")
    exports = s.expect("EXPORT", mount.export(), "OK").exports
    s.check("it is exported", s.export in [path for path, _ in exports])
    # A server may also hide whether a path that is not exported exists.
    s.expect("MNT of nothing", mount.mnt("/nowhere/at/all"), "NOENT", others="ACCES")
    s.expect("MNT of no path", mount.mnt(""), "NOENT", ganesha="ACCES INVAL", knfsd="ACCES")
    s.expect("MNT of 1025 bytes", mount.mnt("/" * 1025), "GARBAGE_ARGS", ganesha="NAMETOOLONG NOENT ACCES")
    if not cut_is_unseen(s):
        s.check("MNT without a path", refusal(connection, MOUNT, 3, 1, b"", ROOT.credential()) == ("GARBAGE_ARGS",))
    if s.embedded:  # on other servers, this depends on the configuration
        s.file("file")
        path = "/".join((s.export, s.top_name, "mount_cases"))
        for case, where, right in (
                ("a directory below", path, "OK"), ("a file", f"{path}/file", "NOTDIR"), ("one below", f"{path}/file/x", "NOTDIR"),
                ("nothing below", f"{path}/x", "NOENT"), ("a long name", f"{path}/{LONG}", "NAMETOOLONG"),
                ("the root", "/", "ACCES"), ("another name's beginning", s.export + "s", "NOENT"), ("it again", s.export, "OK"),
                ("it with a slash", s.export + "/", "OK"), ("one with slashes", f"//{path}///", "OK")):
            s.expect(f"MNT of {case}", mount.mnt(where), right)
        s.check("each path is listed once", sorted(mount.dump()[1].mounts) ==
                [("127.0.0.1", s.export), ("127.0.0.1", path)])
        mount.umnt(s.export + "//")
        s.check("slashes make no other path", mount.dump()[1].mounts == [("127.0.0.1", path)])
        cases_through_links(s, mount, path)
        mount.umntall()


# Servers started with other options


def read_only_cases(s):
    """A read-only server makes nothing, even where something exists already."""
    file, directory = s.find(s.here, "file"), s.find(s.here, "dir")
    before = (s.attributes(file), s.attributes(s.here))
    for case, call in with_directory(s.root, s.here, file, "x", "file", "dir")[1:11]:
        s.expect(case, call(), "ROFS")
    for case, got in (("SETATTR", s.root.setattr(file, mode=0o600)), ("SETATTR of a size", s.root.setattr(file, size=0)),
                      ("WRITE", s.root.write(file, 0, b"x"))):
        s.expect(case, got, "ROFS")
    s.check("nothing happened", before == (s.attributes(file), s.attributes(s.here)))
    reading = dict(with_directory(s.other, s.here, file, "file") + with_file(s.other, file, s.here))
    reading["READLINK"] = lambda: s.other.readlink(s.find(s.here, "link"))
    for case in "LOOKUP READ READLINK READDIR READDIRPLUS FSSTAT FSINFO PATHCONF".split():
        s.expect(case, reading[case](), "OK")
    change = ACCESS_MODIFY | ACCESS_EXTEND | ACCESS_DELETE
    for handle in (file, directory):
        access = s.expect("ACCESS", s.root.access(handle, 63), "OK").access
        s.check("no change allowed", access & change == 0 and access & ACCESS_READ)


def root_squash_cases(s):
    """The superuser has the rights of nobody. The export must belong to another user, who makes the directory for the
    superuser."""
    owned = s.attributes(s.here)
    owner = s.root.by(User(owned.uid, owned.gid))
    place = s.directory("squash", by=owner)
    file = s.file("file", mode=0o600, by=owner, directory=place)
    for case, got, right in (("CREATE", s.root.create(place, "x"), "ACCES"),
                             ("REMOVE", s.root.remove(place, "file"), "ACCES"),
                             ("READ", s.root.read(file, 0, 1), "ACCES"),
                             ("WRITE", s.root.write(file, 0, b"x"), "ACCES"),
                             ("SETATTR", s.root.setattr(file, mode=0o777), "PERM"),
                             ("SETATTR of the owner", s.root.setattr(file, uid=0), "PERM"),
                             ("MKNOD", s.root.mknod(place, "x", CHR), "PERM")):
        s.expect(case, got, right)
    s.need("SETATTR", owner.setattr(place, mode=0o777))
    s.expect("CREATE where all may", s.root.create(place, "nobodys", mode=0o644), "OK")
    made = s.attributes(s.find(place, "nobodys"))
    s.check("it is nobody's", (made.uid, made.gid) == (NOBODY, NOBODY))
    s.expect("a device where all may", s.root.mknod(place, "x", CHR), "PERM")
    s.expect("the owner's uid by nobody", s.root.setattr(s.find(place, "nobodys"), uid=0), "PERM")
    for name in s.names(place):
        s.need("REMOVE", owner.remove(place, name))
    s.need("RMDIR", owner.rmdir(s.here, "squash"))


def fill_file(s, handle, piece):
    """Write until there is no space. Returns the final size, and the status of the last WRITE."""
    size = 0
    while size < 1 << 28:
        status, result = s.owner.write(handle, size, bytes(piece))
        if status != "OK":
            return size, status
        size += result.count
    return size, "OK"


def until_refused(call):
    """Call CALL(number) until it fails. Returns the last status, and None as the result."""
    for number in range(10000):
        status = call(number)[0]
        if status != "OK":
            break
    return status, None


def no_space_cases(s):
    handle, linked = s.file("large"), s.file("linked")
    s.directory("dir")
    size, status = fill_file(s, handle, 4096)
    s.expect("WRITE", (status, None), "NOSPC")
    s.check("the size stays", s.attributes(handle).size == size)
    s.check("what is there may be written", s.owner.write(handle, 0, b"x")[0] == "OK")
    s.check("nothing left to speak of", s.need("FSSTAT", s.root.fsstat(s.here)).fbytes < 4096)
    # Names are small, so the remaining space must be used up, too.
    s.expect("CREATE", until_refused(lambda number: s.owner.create(s.here, f"f{number}")), "NOSPC")
    for case, call in with_directory(s.owner, s.here, linked, "y")[2:7]:
        s.expect(case, call(), "NOSPC")
    s.expect("a long SYMLINK", s.owner.symlink(s.here, "y", "t" * 3000), "NOSPC")
    s.expect("LINK", until_refused(lambda number: s.owner.link(linked, s.here, f"l{number}" + "l" * 200)), "NOSPC")
    s.expect("RENAME to a longer name", s.owner.rename(s.here, "linked", s.find(s.here, "dir"), "r" * 255), "NOSPC")
    s.expect("LOOKUP still finds it", s.owner.lookup(s.here, "linked"), "OK")
    s.need("REMOVE", s.owner.remove(s.here, "large"))
    s.expect("what is removed makes room", s.owner.create(s.here, "y"), "OK")


# Running


# The groups of cases, in the order of their definitions.
GROUPS = [group for name, group in globals().items() if name.endswith("_cases") and name not in (
    "special_mode_cases", "most_links_cases", "read_only_cases", "root_squash_cases", "no_space_cases")]

# Groups that Ganesha's memory back end fails: it checks no permissions, has no limit for names, stores the marks for "now"
# and "unchanged" as times, its RENAME replaces nothing and moves a directory into itself, and it crashes when an object
# with several names is removed.
MEM_LACKS = (setattr_time_cases, link_cases, sticky_cases, rename_directory_cases, refused_cases, name_cases)


def run_group(s, group):
    s.group = group.__name__
    try:
        group(s)
    except Broken as broken:
        s.fail("broken off", broken)
    except (Malformed, OSError) as error:
        s.fail("broken off", repr(error))
        s.connect()  # ignores late replies of the old connection
    except Exception:
        s.fail("broken off", traceback.format_exc())


def run_in_place(s, groups):
    """Run each group in a directory of its own, which belongs to the owner."""
    s.top_name = f"errors-{os.getpid()}"

    def others():
        """Return the names on the export, without those of other runs of this script."""
        return [name for name in sorted(s.names(s.export_handle))
                if name == s.top_name or not name.startswith("errors-")]

    def objects():
        """Return the number of objects on the embedded server, including those without a name."""
        stat = s.need("FSSTAT", s.root.fsstat(s.export_handle))
        return s.embedded and stat.tfiles - stat.ffiles
    before = others(), objects()
    top = s.directory(s.top_name, by=s.root, directory=s.export_handle)
    try:
        for group in groups:
            s.here = s.directory(group.__name__, by=s.root, directory=top)
            s.need("SETATTR", s.root.setattr(s.here, uid=OWNER.uid, gid=OWNER.gid))
            run_group(s, group)
    finally:
        s.remove_tree(s.export_handle, s.top_name)
    s.group = "end"
    s.check("nothing is left", (others(), objects()) == before)


def main():
    server, mode, transport, nfs_port, mount_port, export = sys.argv[1:]
    s = Site(server, transport, int(nfs_port), int(mount_port), export)
    if mode == "all":
        run_in_place(s, [group for group in GROUPS if not ("mem" in s.kinds and group in MEM_LACKS)])
    elif mode == "no-space":
        run_in_place(s, (no_space_cases,))
    else:
        run_group(s, {"read-only": read_only_cases, "root-squash": root_squash_cases,
                      "most-links": most_links_cases}[mode])
    print(f"{server} over {transport}, {mode}: {s.cases} checks, {s.failures} failed")
    sys.exit(1 if s.failures else 0)


if __name__ == "__main__":
    main()
