#!/usr/bin/env python3
"""Make the fuzz targets' corpora: run every op on the embedded server, through a proxy that keeps the
first request and the first reply of each procedure.

usage: record.py NFSBENCH CORPUS_DIRECTORY    (writes request/* and reply/* there)
"""

import os
import socket
import struct
import subprocess
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "integration"))
from rpc import receive, send  # noqa: E402

MOUNT, NFS = 100005, 100003


class Recorder:
    def __init__(self, port, ops, directory):
        self.port, self.directory = port, directory
        self.ops = ops  # in the order of the table, which the reply's first byte counts
        self.seen = set()

    def name(self, program, procedure):
        nfs = ("null getattr setattr lookup access readlink read write create mkdir symlink mknod remove "
               "rmdir rename link readdir readdirplus fsstat fsinfo pathconf commit").split()
        mount = "mount-null mount-mnt mount-dump mount-umnt mount-umntall mount-export".split()
        return (nfs if program == NFS else mount)[procedure]

    def keep(self, request, reply):
        program, _, procedure = struct.unpack(">3I", request[12:24])
        name = self.name(program, procedure)
        if name in self.seen:
            return
        self.seen.add(name)
        self.write("request", name, request[:1024])
        self.write("reply", name, bytes([self.ops.index(name)]) + reply[:1024])

    def write(self, kind, name, data):
        with open(os.path.join(self.directory, kind, name), "wb") as file:
            file.write(data)

    def serve(self, client):
        with client, socket.create_connection(("127.0.0.1", self.port), timeout=30) as server:
            try:
                while True:
                    request = receive(client)
                    send(server, request)
                    reply = receive(server)
                    self.keep(request, reply)
                    send(client, reply)
            except (EOFError, OSError):
                pass


def accept(listener, recorder):
    while True:
        client, _ = listener.accept()
        threading.Thread(target=recorder.serve, args=(client,), daemon=True).start()


def main():
    program, directory = sys.argv[1], sys.argv[2]
    help_text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    ops = help_text.split("OP      ")[1].split("read-only:")[0].replace("\n", " ").split(",")
    server = subprocess.Popen([program, "serve"], stdout=subprocess.PIPE, text=True)
    try:
        port = int(server.stdout.readline().split("port=")[1].split()[0])
        listener = socket.create_server(("127.0.0.1", 0))
        recorder = Recorder(port, [op.strip() for op in ops], directory)
        threading.Thread(target=accept, args=(listener, recorder), daemon=True).start()
        subprocess.run([program, f"nfs://127.0.0.1:{listener.getsockname()[1]}/export", "all,mount-umntall",
                        "1", "-q", "--no-warmup", "--no-ledger", "--no-model", "--size", "100"],
                       stderr=subprocess.DEVNULL, check=False)
        print(f"{len(recorder.seen)} procedures")
    finally:
        server.terminate()
        server.wait(10)


main()
