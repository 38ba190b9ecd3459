#!/usr/bin/env python3
"""Act as another client of an export while nfsbench has a scratch directory there. PATHs are below the export.

usage: scratch_peer.py PORT[,MOUNT_PORT,EXPORT] COMMAND...
    ls PATH                     print the names in PATH, sorted, on one line
    mkdir PATH MODE             make a directory, as root; MODE is octal
    put PATH TEXT               write a file, as root
    put-late PATH GONE          make an empty file, as root, once GONE, in the same directory, is removed
    get PATH                    print the contents
    rename UID PATH NEW_PATH    rename, as user UID
    copy PATH NEW_PATH          copy a file
    age PATH SECONDS            set the mtime to SECONDS ago; "ended": as runs do at their end
    since PATH                  print how many seconds ago the mtime was
    leftovers PATH COUNT [AGE]  make COUNT directories like those of killed runs, with leases of AGE (1000) seconds
"""

import os
import sys
import time

from nfs3_client import FILE_SYNC, User, entries, mount


class Peer:
    def __init__(self, port, mount_port=None, export="/export"):
        self.nfs, self.root = mount(int(port), User(0, 0), int(mount_port or port), export)

    def need(self, call, *expected):
        status, result = call
        if status not in (expected or ("OK",)):
            sys.exit(f"scratch_peer: {status}")
        return result

    def find(self, path):
        handle = self.root
        for name in path.strip("/").split("/"):
            if name not in ("", "."):
                handle = self.need(self.nfs.lookup(handle, name)).handle
        return handle

    def split(self, path):
        parent, name = os.path.split(path)
        return self.find(parent), name

    def attributes(self, handle):
        return self.need(self.nfs.getattr(handle)).attributes

    def ls(self, path):
        names = sorted(entry.name for entry in entries(self.nfs.readdir, self.find(path), 8192))
        print(*(name for name in names if name not in (".", "..")))

    def mkdir(self, path, mode):
        self.need(self.nfs.mkdir(*self.split(path), mode=int(mode, 8)))

    def put(self, path, text):
        directory, name = self.split(path)
        made = self.need(self.nfs.create(directory, name, "UNCHECKED", mode=0o600, size=0))
        self.need(self.nfs.write(made.handle, 0, text.encode(), FILE_SYNC))

    def put_late(self, path, gone):
        directory, name = self.split(path)
        give_up = time.monotonic() + 60
        while self.nfs.lookup(directory, gone)[0] != "NOENT" and time.monotonic() < give_up:
            time.sleep(0.01)
        self.need(self.nfs.create(directory, name, "UNCHECKED", mode=0o600, size=0))

    def read(self, path):
        return self.need(self.nfs.read(self.find(path), 0, 65536)).data.decode()

    def get(self, path):
        print(self.read(path))

    def copy(self, path, new_path):
        self.put(new_path, self.read(path))

    def rename(self, uid, path, new_path):
        user = self.nfs.by(User(int(uid), int(uid)))
        self.need(user.rename(*self.split(path), *self.split(new_path)))

    def age(self, path, seconds):
        changed = 0 if seconds == "ended" else int(time.time()) - int(seconds)
        self.need(self.nfs.setattr(self.find(path), mtime=(changed, 0)))

    def since(self, path):
        print(int(time.time()) - self.attributes(self.find(path)).mtime[0])

    def leftovers(self, path, count, age=1000):
        for number in range(int(count)):
            name = f".nfsbench-elsewhere-{4000 + number}-{number:08x}"
            self.mkdir(f"{path}/{name}", "700")
            inside = self.attributes(self.find(f"{path}/{name}"))
            self.put(f"{path}/{name}/data", "x")
            self.put(f"{path}/{name}/.nfsbench-lease",
                     "nfsbench scratch directory, format 1\n"
                     f"nonce {number + 1:016x}\nhost elsewhere\npid {4000 + number}\n"
                     "started 2026-01-01T00:00:00Z\n"
                     f"directory {inside.fileid:016x}\nname {name}\n")
            self.age(f"{path}/{name}/.nfsbench-lease", age)


def main():
    peer = Peer(*sys.argv[1].split(","))
    getattr(peer, sys.argv[2].replace("-", "_"))(*sys.argv[3:])


main()
