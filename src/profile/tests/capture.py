#!/usr/bin/env python3
"""Write constructed captures of NFS traffic with known contents.

usage: capture.py DIRECTORY    (makes the files NAME.pcap there)

plain      a TCP connection with 100 GETATTRs, of which 10 are sent again, 20 LOOKUPs, of which 5 are answered
           NFS3ERR_NOENT, and 10 WRITEs of 4096 bytes; and a call of MOUNT over UDP; all in a VLAN. Each NFS reply comes
           50 us after its call.
ng         plain as pcapng
backwards  plain with the latest packets first
version4   a call of NFSv4
nothing    no RPC
wireless   no packets, with the link layer of Wi-Fi
deep       20 times 16 calls that are sent at once and answered at once: in turn sequential READs of 4096 bytes, GETATTRs,
           LOOKUPs, of which half are answered NFS3ERR_NOENT, and WRITEs of 4096 bytes. Records begin and end anywhere in
           segments of 1448 bytes.
lost       deep without a segment of a READ's reply (again: deep with this segment twice)
short      deep with each packet cut after 200 bytes
inside     deep without its beginning
parted     two READs over UDP with replies in fragments, of which one is missing
stolen     15 GETATTRs over UDP without the first call, so that the first packet is a reply whose xid looks like DNS; the
           calls of two more replies are missing
elsewhere  stolen on another port
noise      32 GETATTRs over UDP, and two packets on the same ports that are not RPC
coarse     60 GETATTRs over UDP that take 3 ms, by a clock with ticks of 10 ms
headers    320 GETATTRs, in packets that are cut within the arguments
partly     30 GETATTRs, of which two thirds are cut in this way
"""

import pathlib
import struct
import sys

from rpc import MOUNT, NFS, call, opaque, record, reply

CLIENT, SERVER = b"\x0a\0\0\1", b"\x0a\0\0\2"
CALL_TO_REPLY_US = 50


def ip(from_client, protocol, payload):
    addresses = CLIENT + SERVER if from_client else SERVER + CLIENT
    return struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(payload), 0, 0, 64, protocol, 0) + addresses + payload


class Capture:
    """Packets with their times in us, and the two ends of a TCP connection."""

    def __init__(self):
        self.packets, self.time, self.sequences = [], 1_700_000_000_000_000, {True: 100, False: 5000}

    def add(self, packet):
        ethernet = bytes(12) + struct.pack(">HHH", 0x8100, 7, 0x0800)
        self.packets.append((self.time, ethernet + packet))

    def tcp(self, from_client, data, flags=0x10):
        ports = (900, 2049) if from_client else (2049, 900)
        header = struct.pack(">HHIIBBHHH", *ports, self.sequences[from_client], self.sequences[not from_client],
                             5 << 4, flags, 65535, 0, 0)
        self.sequences[from_client] += len(data) + (flags & 2) // 2
        self.add(ip(from_client, 6, header + data))

    def udp(self, from_client, data, server=2049):
        ports = (901, server) if from_client else (server, 901)
        self.add(ip(from_client, 17, struct.pack(">HHHH", *ports, 8 + len(data), 0) + data))

    def message(self, from_client, *messages):
        data = b"".join(record(message) for message in messages)
        for at in range(0, len(data), 1448):
            self.tcp(from_client, data[at:at + 1448])

    def exchange(self, xid, version, procedure, arguments, results, again=False):
        for _ in range(2 if again else 1):
            self.message(True, call(xid, NFS, procedure, arguments, version=version))
        self.time += CALL_TO_REPLY_US
        self.message(False, reply(xid, results))
        self.time += 1000


def handle(number):
    return struct.pack(">II", 8, 0) + struct.pack(">I", number)


def fill(capture):
    capture.tcp(True, b"", 0x02)
    capture.tcp(False, b"", 0x12)
    for i in range(100):
        capture.exchange(i, 3, 1, handle(i), struct.pack(">I", 0) + bytes(84), again=i < 10)
    for i in range(20):
        name = opaque(b"name")
        capture.exchange(200 + i, 3, 3, handle(1) + name, struct.pack(">II", 2, 0) if i < 5 else
                         struct.pack(">I", 0) + handle(2) + bytes(8))
    for i in range(10):
        arguments = handle(2) + struct.pack(">QIII", i * 4096, 4096, 0, 4096) + bytes(4096)
        capture.exchange(300 + i, 3, 7, arguments, bytes(4 + 8) + struct.pack(">II", 4096, 0) + bytes(8))
    capture.udp(True, call(1, MOUNT, 0))
    capture.udp(False, reply(1))


def fill_deep(capture):
    capture.tcp(True, b"", 0x02)
    capture.tcp(False, b"", 0x12)
    name = opaque(b"name")
    for i in range(20):
        calls, replies = [], []
        for k in range(16):
            offset = (i * 4 + k // 4) * 4096
            procedure, arguments, results = (
                (6, handle(1) + struct.pack(">QI", offset, 4096),
                 struct.pack(">5I", 0, 0, 4096, 0, 4096) + bytes(4096)),
                (1, handle(2), bytes(4 + 84)),
                (3, handle(3) + name, struct.pack(">I", 0) + handle(1) + bytes(8) if k < 8 else struct.pack(">II", 2, 0)),
                (7, handle(2) + struct.pack(">QIII", offset, 4096, 2, 4096) + bytes(4096),
                 bytes(4 + 8) + struct.pack(">II", 4096, 2) + bytes(8)))[k % 4]
            calls.append(call(i * 16 + k, NFS, procedure, arguments))
            replies.append(reply(i * 16 + k, results))
        capture.message(True, *calls)
        capture.time += CALL_TO_REPLY_US
        capture.message(False, *replies)
        capture.time += 1000


def parted(capture):
    """Add two READs over UDP with replies in fragments; the second reply lacks a fragment."""
    for i in range(2):
        capture.udp(True, call(i, NFS, 6, handle(1) + struct.pack(">QI", 0, 4096)))
        data = reply(i, struct.pack(">5I", 0, 0, 4096, 0, 4096) + bytes(4096))
        data = struct.pack(">HHHH", 2049, 901, 8 + len(data), 0) + data
        for at in range(0, len(data), 1480):
            piece = data[at:at + 1480]
            header = bytearray(ip(False, 17, piece)[:20])
            header[4:8] = struct.pack(">HH", i + 1, at // 8 | (0x2000 if at + 1480 < len(data) else 0))
            if i == 0 or at != 1480:
                capture.add(bytes(header) + piece)


def datagrams(capture, xid, count, lacks=(), server=2049, wait=CALL_TO_REPLY_US, pause=1000):
    """Add COUNT GETATTRs over UDP, without the calls whose numbers are in LACKS."""
    for i in range(count):
        if i not in lacks:
            capture.udp(True, call(xid + i, NFS, 1, handle(1)), server)
        capture.time += wait
        capture.udp(False, reply(xid + i, bytes(4 + 84)), server)
        capture.time += pause + i


def damage(kind, packets):
    """Return PACKETS of deep, changed as KIND says. Packet 100 is a segment within the reply to a READ."""
    if kind == "lost":
        return packets[:100] + packets[101:]
    if kind == "again":
        return packets[:101] + packets[100:]
    return packets[200:] if kind == "inside" else packets


def pcap(packets, link=1, snap=(65535,)):
    """Return a pcap file of PACKETS, each cut after its length in SNAP. The last length applies to all further packets."""
    out = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, link)
    for number, (time, packet) in enumerate(packets):
        cut = packet[:snap[min(number, len(snap) - 1)]]
        out += struct.pack("<IIII", time // 1000000, time % 1000000, len(cut), len(packet)) + cut
    return out


def pcapng(packets):
    def block(kind, body):
        return struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12)

    out = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)) + block(1, struct.pack("<HHI", 1, 0, 65535))
    for time, packet in packets:
        header = struct.pack("<IIIII", 0, time >> 32, time & 0xFFFFFFFF, len(packet), len(packet))
        out += block(6, header + packet + bytes(-len(packet) % 4))
    return out


def made(kind):
    capture = Capture()
    if kind == "version4":
        capture.exchange(1, 4, 1, bytes(12), bytes(12))
    elif kind == "nothing":
        capture.tcp(True, b"GET / HTTP/1.1\r\n\r\n")
    elif kind == "parted":
        parted(capture)
    elif kind in ("stolen", "elsewhere"):
        datagrams(capture, 0x1234855E, 15, (0, 1, 2), 2049 if kind == "stolen" else 1023)
    elif kind == "noise":
        for word in (b"noise", b"more noise"):
            capture.udp(True, word)
        datagrams(capture, 7, 32)
    elif kind in ("deep", "lost", "again", "short", "inside"):
        fill_deep(capture)
        return pcap(damage(kind, capture.packets), snap=[200 if kind == "short" else 65535])
    elif kind not in ("wireless", "coarse", "headers", "partly"):
        fill(capture)
    if kind in ("headers", "partly"):
        datagrams(capture, 7, 320 if kind == "headers" else 30)
        length = len(capture.packets[0][1])
        return pcap(capture.packets, snap=[length - 20] if kind == "headers" else [length - 20] * 40 + [65535])
    if kind == "coarse":
        datagrams(capture, 7, 60, wait=3000, pause=21000)
        capture.packets = [(time - time % 10000, packet) for time, packet in capture.packets]
    if kind == "backwards":
        capture.packets.sort(key=lambda packet: -packet[0])
    return pcapng(capture.packets) if kind == "ng" else pcap(capture.packets, 105 if kind == "wireless" else 1)


def main():
    for kind in ("plain", "ng", "backwards", "version4", "nothing", "wireless", "deep", "lost", "again", "short",
                 "inside", "parted", "stolen", "elsewhere", "noise", "coarse", "headers",
                 "partly"):
        pathlib.Path(sys.argv[1], kind + ".pcap").write_bytes(made(kind))


main()
