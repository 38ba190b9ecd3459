"""Distant servers for bench/time_budget and bench/distant_truth, behind the emulated wires of scripts/with-ethernet. A wire
delays every frame, so connecting takes a round trip, too. Servers and relays run on the far side.

As a program, it is a TCP relay on the far side to the server at SERVER-PORT of 127.0.0.1:

usage: bench/distance.py nagle SERVER-PORT     replies are written in two parts, without TCP_NODELAY
       bench/distance.py jitter SERVER-PORT MEAN-MS DEVIATION-MS    each reply is held for a normally distributed time
"""
import os
import queue
import random
import signal
import socket
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
NFSBENCH = os.path.abspath(os.environ.get("NFSBENCH", os.path.join(HERE, "..", "build", "src", "nfsbench")))
SERVER, SILENT_HOST = 2, 99  # last bytes of addresses in a wire's network; no host has SILENT_HOST


class Relay:
    """Relays each client's connection to the server."""

    def __init__(self, server_port, write):
        self.server_port = server_port
        self.write = write  # function(socket of the client, one reply with its record mark)
        listener = socket.create_server(("0.0.0.0", 0))
        print(f"ready: port={listener.getsockname()[1]} ", flush=True)
        while True:
            client, _ = listener.accept()
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        server = socket.create_connection(("127.0.0.1", self.server_port))
        server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=pump, args=(client, server), daemon=True).start()
        for record in records(server):
            try:
                self.write(client, record)
            except OSError:
                break
        close(client, server)


def close(*sockets):
    for one in sockets:
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def pump(source, sink):
    """Copy data from SOURCE to SINK until one of them is closed."""
    try:
        while data := source.recv(1 << 16):
            sink.sendall(data)
    except OSError:
        pass
    close(source, sink)


def records(server):
    """Yield the RPC records that SERVER sends, with their marks."""
    stream = server.makefile("rb")
    while len(mark := stream.read(4)) == 4:
        yield mark + stream.read(int.from_bytes(mark, "big") & 0x7FFFFFFF)


def write_in_parts(client, record):
    """Write RECORD as a server with Nagle's algorithm does: the second part waits until the first is acknowledged."""
    client.sendall(record[:4])
    client.sendall(record[4:])


class Holder:
    """Holds each reply for a normally distributed time, without changing the order of replies."""

    def __init__(self, mean_s, deviation_s):
        self.mean_s, self.deviation_s = mean_s, deviation_s
        self.queues, self.lock = {}, threading.Lock()

    def write(self, client, record):
        due = time.monotonic() + max(0, random.gauss(self.mean_s, self.deviation_s))
        with self.lock:
            if client not in self.queues:
                self.queues[client] = queue.Queue()
                threading.Thread(target=self.send, args=(client, self.queues[client]), daemon=True).start()
        self.queues[client].put((due, record))

    @staticmethod
    def send(client, held):
        try:
            while True:
                due, record = held.get()
                time.sleep(max(0, due - time.monotonic()))
                client.sendall(record)
        except OSError:
            pass


class Place:
    """The far side, where servers run, and its wires, one for each of ROUND_TRIPS_MS. Needs enter() before."""

    def __init__(self, round_trips_ms):
        self.over_there = os.environ["ETHERNET_SERVER"].split()
        self.numbers = {ms: number for number, ms in enumerate(round_trips_ms, 1)}
        self.processes = []
        for number in self.numbers.values():  # frames to the silent host are sent, but nobody receives them
            subprocess.check_call(["ip", "neighbour", "replace", f"10.98.{number}.{SILENT_HOST}", "lladdr",
                                   "02:00:00:00:00:99", "dev", f"near{number}", "nud", "permanent"])

    def start(self, *command):
        """Start COMMAND on the far side. Returns its port."""
        process = subprocess.Popen([*self.over_there, *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   text=True)
        self.processes.append(process)
        return process.stdout.readline().split("port=")[1].split()[0]

    def serve(self, *options):
        return self.start(NFSBENCH, "serve", "--bind", "0.0.0.0", *options)

    def relay(self, *arguments):
        return self.start(sys.executable, os.path.join(HERE, "distance.py"), *map(str, arguments))

    def address(self, round_trip_ms, host=SERVER):
        return f"10.98.{self.numbers[round_trip_ms]}.{host}"

    def target(self, round_trip_ms, port, host=SERVER):
        return f"nfs://{self.address(round_trip_ms, host)}:{port}/export?mountport={port}"

    def stop(self):
        for process in self.processes:
            process.send_signal(signal.SIGKILL)
            process.wait()


def enter(round_trips_ms):
    """If this program does not run inside scripts/with-ethernet, run it again there, with a wire for each round trip."""
    if "ETHERNET_SERVER" in os.environ:
        return
    wires = [word for ms in round_trips_ms for word in ("-w", f"0/{ms * 500:g}us")]
    script = os.path.join(HERE, "..", "scripts", "with-ethernet")
    os.execv(script, [script, "-b", os.path.join(os.path.dirname(NFSBENCH), ".."), *wires, sys.executable, *sys.argv])


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "nagle":
        Relay(int(sys.argv[2]), write_in_parts)
    elif len(sys.argv) == 5 and sys.argv[1] == "jitter":
        Relay(int(sys.argv[2]), Holder(float(sys.argv[3]) / 1e3, float(sys.argv[4]) / 1e3).write)
    else:
        sys.exit(__doc__)
