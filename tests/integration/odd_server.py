#!/usr/bin/env python3
"""A TCP proxy of an NFSv3 server on loopback that fails at single procedures, transfers fewer bytes than a READ or WRITE
requests (RFC 1813 sections 3.3.6 and 3.3.7 allow this), or lists a made-up directory. Written apart from the project's
own C code, so that the two don't share a mistake. Ends after five minutes.

usage: odd_server.py SERVER_PORT HABIT...
    status=PROCEDURE:N   each call of PROCEDURE, such as READDIR, is answered by status N
    silent=PROCEDURE     each call of PROCEDURE is never answered
    closes=PROCEDURE     each call of PROCEDURE closes the connection
    read=N write=N       each READ returns, or WRITE takes, at most N bytes; 0: none
    read-every=N write-every=N    every N-th READ or WRITE gets half of its bytes
    read-varies write-varies      each READ or WRITE gets 1 to 7 bytes less
    read-eof             a READ that returns less than requested says that the file ends there
    names=N              READDIR and READDIRPLUS list a directory of N names, 100 per page; the habits below are of these
    overlap=N            a page begins with the last N names of the page before
    bad-cookie=N         page N is answered by NFS3ERR_BAD_COOKIE
    new-verifier         each page has another cookie verifier
    changing             the directory's time of last change is different in each page
    without-attributes   the directory's attributes are left out
    after=N              bad-cookie and new-verifier begin after N pages
    every=N              bad-cookie and new-verifier only affect every N-th page, counted from the first
    slow=SECONDS         each page takes that long
"""

import itertools
import struct
import sys
import time

from rpc import NFS, arguments_at, forward, listen, opaque, opaque_at, receive, reply, send, u32, u64

PROCEDURES = ["NULL", "GETATTR", "SETATTR", "LOOKUP", "ACCESS", "READLINK", "READ", "WRITE", "CREATE", "MKDIR", "SYMLINK",
              "MKNOD", "REMOVE", "RMDIR", "RENAME", "LINK", "READDIR", "READDIRPLUS", "FSSTAT", "FSINFO", "PATHCONF", "COMMIT"]
# Number of words after the status of an error result; other procedures: 1.
AFTER_ERROR = {"GETATTR": 0, "SETATTR": 2, "WRITE": 2, "CREATE": 2, "MKDIR": 2, "SYMLINK": 2, "MKNOD": 2, "REMOVE": 2,
               "RMDIR": 2, "RENAME": 4, "LINK": 3, "COMMIT": 2}
BAD_COOKIE = 10003
PAGE = 100


def attributes(kind, fileid, modified):
    return u32(kind, 0o755, 2, 0, 0) + u64(4096) * 2 + u64(0) + u64(1) + u64(fileid) + u32(1, 0, modified, 0, modified, 0)


class OddServer:
    def __init__(self, habits):
        self.habits = dict(habit.split("=", 1) if "=" in habit else (habit, "") for habit in habits)
        self.calls = {"READ": itertools.count(1), "WRITE": itertools.count(1)}
        self.pages = itertools.count(1)

    def number(self, habit):
        return int(self.habits.get(habit, 0))

    # READ and WRITE

    def fewer(self, procedure, count):
        """Return how many of COUNT bytes a call of PROCEDURE gets."""
        kind, number = procedure.lower(), next(self.calls[procedure])
        if kind in self.habits:
            return min(count, self.number(kind))
        if f"{kind}-every" in self.habits and number % self.number(f"{kind}-every") == 0:
            return count // 2
        return max(1, count - 1 - number % 7) if f"{kind}-varies" in self.habits else count

    def shortened(self, message, procedure):
        """Return MESSAGE, a READ or WRITE, with the reduced number of bytes, and whether this is fewer."""
        _, at = opaque_at(message, arguments_at(message))
        count = struct.unpack_from(">I", message, at + 8)[0]
        fewer = self.fewer(procedure, count)
        changed = message[:at + 8] + u32(fewer) + message[at + 12:]
        if procedure == "WRITE":
            changed = changed[:at + 16] + opaque(message[at + 20:at + 20 + fewer])
        return changed, fewer < count

    def with_eof(self, answer):
        at = 32 + (84 if answer[31] else 0)
        return answer[:at + 4] + u32(1) + answer[at + 8:]

    # Listings

    def directory(self, page):
        if "without-attributes" in self.habits:
            return u32(0)
        return u32(1) + attributes(2, 1, page if "changing" in self.habits else 1)

    def entry(self, number, plus):
        after = u32(1) + attributes(1, 10 + number, 1) + u32(0) if plus else b""
        return u32(1) + u64(10 + number) + opaque(b"name%06d" % number) + u64(number + 1) + after

    def listing(self, message, plus):
        _, at = opaque_at(message, arguments_at(message))
        cookie, = struct.unpack_from(">Q", message, at)
        page = cookie // (PAGE - self.number("overlap")) + 1
        time.sleep(float(self.habits.get("slow", 0)))
        asked = next(self.pages)
        odd = asked > self.number("after") and asked % int(self.habits.get("every", 1)) == 0
        if odd and page == self.number("bad-cookie"):
            return u32(BAD_COOKIE) + self.directory(page)
        first = max(0, cookie - self.number("overlap"))
        last = min(first + PAGE, self.number("names"))
        verifier = u64(page + 7 if odd and "new-verifier" in self.habits else 7)
        entries = b"".join(self.entry(number, plus) for number in range(first, last))
        return u32(0) + self.directory(page) + verifier + entries + u32(0, last == self.number("names"))

    # Calls

    def own(self, message, procedure):
        """Return the proxy's own result, or None."""
        if self.habits.get("silent") == procedure:
            time.sleep(300)
        if self.habits.get("closes") == procedure:
            raise EOFError
        name, _, status = self.habits.get("status", "").partition(":")
        if name and name == procedure:
            return u32(int(status)) + bytes(4 * AFTER_ERROR.get(name, 1))
        if "names" in self.habits and procedure in ("READDIR", "READDIRPLUS"):
            return self.listing(message, procedure == "READDIRPLUS")
        return None

    def exchange(self, server, message):
        xid, _, _, program, _, number = struct.unpack(">6I", message[:24])
        procedure = PROCEDURES[number] if program == NFS else ""
        own, short = self.own(message, procedure), False
        if own:
            return reply(xid, own)
        if procedure in self.calls:
            message, short = self.shortened(message, procedure)
        send(server, message)
        answer = receive(server)
        return self.with_eof(answer) if short and procedure == "READ" and "read-eof" in self.habits else answer


listen(forward(int(sys.argv[1]), OddServer(sys.argv[2:]).exchange), 300)
