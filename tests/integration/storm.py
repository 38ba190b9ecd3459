"""Clients change one tree at once, at random; then the tree is checked from its root.

usage: storm.py PORT CLIENTS SECONDS [SEED]
"""

import collections
import multiprocessing
import os
import random
import sys
import time

import nfs3_client as nfs

ROOTS = 4    # directories that are never removed; renames cross them
NAMES = 12   # different names in each directory
EXPECTED = {"OK", "EXIST", "NOENT", "NOTEMPTY", "INVAL", "ISDIR", "NOTDIR", "STALE"}


def mount(port):
    return nfs.mount(port, nfs.User(os.geteuid(), os.getegid()))


class Client:
    """A client that knows some directories, which other clients may have removed or moved."""

    def __init__(self, port, tops, seed):
        self.nfs = mount(port)[0]
        self.random = random.Random(seed)
        self.tops = tops
        self.known = list(tops)
        self.counts = collections.Counter()

    def directory(self):
        return self.random.choice(self.known)

    def name(self):
        return f"n{self.random.randrange(NAMES)}"

    def learn(self, handle):
        self.known.append(handle)
        if len(self.known) > ROOTS + 20:
            del self.known[self.random.randrange(ROOTS, len(self.known))]

    def make_directory(self):
        status, made = self.nfs.mkdir(self.directory(), self.name(), mode=0o755)
        if status == "OK" and made.handle:
            self.learn(made.handle)
        return status

    def write(self):
        status, found = self.nfs.lookup(self.directory(), self.name())
        return self.nfs.write(found.handle, self.random.randrange(100000), b"x" * 5000)[0] if status == "OK" else status

    def link(self):
        status, found = self.nfs.lookup(self.directory(), self.name())
        return self.nfs.link(found.handle, self.directory(), self.name())[0] if status == "OK" else status

    def rename_into_own_child(self):
        """Try to move a directory, if one is found, into its own child."""
        directory, name = self.directory(), self.name()
        status, found = self.nfs.lookup(directory, name)
        if status != "OK" or found.attributes is None or found.attributes.type != nfs.DIR:
            return status
        child = self.nfs.mkdir(found.handle, "child")[1]
        into = getattr(child, "handle", None) or found.handle
        return self.nfs.rename(directory, name, into, self.name())[0]

    def look(self):
        status, found = self.nfs.lookup(self.directory(), self.name())
        if status == "OK" and found.attributes and found.attributes.type == nfs.DIR:
            self.learn(found.handle)
        return status

    def storm(self, end):
        """Take random steps until END, but at least 500."""
        steps = {step.__name__: step for step in (
            self.make_directory, self.write, self.link, self.rename_into_own_child, self.look)}
        steps["create"] = lambda: self.nfs.create(self.directory(), self.name(), "GUARDED", mode=0o644)[0]
        steps["symlink"] = lambda: self.nfs.symlink(self.directory(), self.name(), "somewhere")[0]
        steps["remove"] = lambda: self.nfs.remove(self.directory(), self.name())[0]
        steps["remove_directory"] = lambda: self.nfs.rmdir(self.directory(), self.name())[0]
        steps["list"] = lambda: self.nfs.readdirplus(self.directory(), maxcount=1000)[0]
        steps["rename"] = lambda: self.nfs.rename(self.directory(), self.name(), self.directory(), self.name())[0]
        names = [*steps, "rename"]
        done = 0
        while done < 500 or time.monotonic() < end:
            step = self.random.choice(names)
            status = steps[step]()
            assert status in EXPECTED, (step, status)
            self.counts[step, status] += 1
            done += 1
        return self.counts


def run_client(arguments):
    port, tops, seed, end = arguments
    return Client(port, tops, seed).storm(end)


class Checker:
    """Walks the tree, and finds inconsistencies."""

    def __init__(self, client):
        self.nfs = client
        self.directories = set()
        self.names = {}   # number of names found of each object that is not a directory, by fileid
        self.links = {}   # number of links in the attributes, by fileid

    def listing(self, directory):
        """Return the listing, which must be the same in large and small pages."""
        at_once, in_pieces = (list(nfs.entries(self.nfs.readdirplus, directory, size, size)) for size in (60000, 600))
        assert [(e.name, e.fileid, e.cookie) for e in at_once] == [
            (e.name, e.fileid, e.cookie) for e in in_pieces], "a listing in pieces differs"
        names = [entry.name for entry in at_once]
        assert len(set(names)) == len(names), f"a name came twice: {names}"
        return at_once

    def check_entry(self, directory, entry):
        status, found = self.nfs.lookup(directory, entry.name)
        assert status == "OK", (entry.name, status)
        assert found.attributes.fileid == entry.fileid == entry.attributes.fileid, entry.name
        assert found.handle == entry.handle, entry.name
        return found

    def walk(self, directory, parent):
        own = self.nfs.getattr(directory)[1].attributes
        assert own.fileid not in self.directories, "a directory has two names, or contains itself"
        self.directories.add(own.fileid)
        subdirectories = 0
        for entry in self.listing(directory):
            if entry.name in (".", ".."):
                wanted = own.fileid if entry.name == "." else parent
                assert entry.fileid == wanted, f"{entry.name} is {entry.fileid}, not {wanted}"
                assert self.nfs.lookup(directory, entry.name)[1].attributes.fileid == wanted
                continue
            found = self.check_entry(directory, entry)
            if found.attributes.type == nfs.DIR:
                subdirectories += 1
                self.walk(found.handle, own.fileid)
            else:
                self.names[entry.fileid] = self.names.get(entry.fileid, 0) + 1
                self.links[entry.fileid] = found.attributes.nlink
        assert own.nlink == 2 + subdirectories, f"{own.nlink} links, {subdirectories} subdirectories"

    def check(self, root):
        self.walk(root, self.nfs.getattr(root)[1].attributes.fileid)
        assert self.links == self.names, "links are not as many as names"
        return len(self.directories) + len(self.names)


def space(client, root):
    status, stat = client.fsstat(root)
    assert status == "OK"
    return stat


def remove_all(client, directory):
    for entry in Checker(client).listing(directory):
        if entry.name in (".", ".."):
            continue
        if entry.attributes.type == nfs.DIR:
            remove_all(client, entry.handle)
            status = client.rmdir(directory, entry.name)[0]
        else:
            status = client.remove(directory, entry.name)[0]
        assert status == "OK", (entry.name, status)


def main():
    port, count, seconds = (int(word) for word in sys.argv[1:4])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1 << 32)
    print(f"seed {seed}", flush=True)
    client, root = mount(port)
    objects_before = Checker(client).check(root)
    for i in range(ROOTS):  # now, because the root keeps the memory of its largest number of entries
        client.mkdir(root, f"top{i}")
    for i in range(ROOTS):
        client.rmdir(root, f"top{i}")
    before = space(client, root)
    tops = [client.mkdir(root, f"top{i}", mode=0o755)[1].handle for i in range(ROOTS)]
    end = time.monotonic() + seconds
    with multiprocessing.Pool(count) as pool:
        counts = sum(pool.map(run_client, [(port, tops, seed + i, end) for i in range(count)], 1), collections.Counter())
    objects = Checker(client).check(root)
    after = space(client, root)
    assert after.tfiles - after.ffiles == objects, "objects are not as many as names lead to"
    for step in {step for step, _ in counts} - {"rename_into_own_child"}:
        assert counts[step, "OK"] > 0, f"{step} never succeeded"
    for i, top in enumerate(tops):
        remove_all(client, top)
        assert client.rmdir(root, f"top{i}")[0] == "OK"
    empty = space(client, root)
    assert Checker(client).check(root) == objects_before
    assert empty.tfiles - empty.ffiles == objects_before
    assert empty.fbytes == before.fbytes, f"{before.fbytes - empty.fbytes} bytes were lost"
    print(f"{sum(counts.values())} steps of {count} clients, "
          f"{sum(n for (_, status), n in counts.items() if status == 'OK')} of them successful; "
          f"{objects} objects at the end, all as they should be")


if __name__ == "__main__":
    main()
