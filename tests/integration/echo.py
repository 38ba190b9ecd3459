"""echo.py PORT HOST...: check which messages a bare echo at these addresses answers and which it ignores, over TCP and UDP."""
import socket
import struct
import sys

from rpc import read_exactly as receive

MAXIMUM = (1 << 20) + 16384
DATAGRAM_MAXIMUM = 65507


def message(length, answer):
    return struct.pack('>II', length, answer) + b'x' * (length - 8)


def answer_to(sent, length):
    return (b'\0\0\0\0' + sent[4:length]).ljust(length, b'\0')


def connect(family, kind, host, port):
    end = socket.socket(family, kind)
    end.settimeout(10)
    end.connect((host, port))
    return end


def is_closed(stream):
    try:
        return stream.recv(100) == b''
    except ConnectionResetError:
        return True


def test_tcp(family, host, port):
    stream = connect(family, socket.SOCK_STREAM, host, port)
    # Send a long message first: none of its bytes may be in the answer to a shorter message.
    for length, answer in ((MAXIMUM, 28), (68, 28), (8, 8), (200, MAXIMUM), (MAXIMUM, MAXIMUM)):
        sent = message(length, answer)
        stream.sendall(sent)
        assert receive(stream, answer) == answer_to(sent, answer), (length, answer)
    for part in (b'\0\0', b'\0\x10\0\0\0\x08', b'12345678'):  # one message in pieces
        stream.sendall(part)
    assert receive(stream, 8) == b'\0\0\0\0\0\0\0\x08'
    for bad in (struct.pack('>II', 4, 8), struct.pack('>II', MAXIMUM + 1, 8), struct.pack('>II', 8, 0),
                struct.pack('>II', 8, MAXIMUM + 1), message(8, 8) + b'more', b'\xff' * 8):
        stream = connect(family, socket.SOCK_STREAM, host, port)
        stream.sendall(bad)
        assert is_closed(stream), bad


def ask(end, *messages):
    """Send MESSAGES. Returns the answer to the last one, which must be the only answer."""
    for sent in messages:
        end.send(sent)
    return end.recv(1 << 16)


def test_amplifier(family, host, port):
    """A client that has not proven its address gets no more bytes than it sends."""
    end = connect(family, socket.SOCK_DGRAM, host, port)
    for length in (8, 100, 30000):
        last = message(length, length)
        longer = [message(length, answer) for answer in (length + 1, 65507)]
        assert ask(end, *longer, last) == answer_to(last, length), length
    stream = connect(family, socket.SOCK_STREAM, host, port)
    stream.sendall(message(8, 8))
    receive(stream, 8)
    assert ask(end, message(8, 60000)) == answer_to(message(8, 60000), 60000)
    stream.close()
    for _ in range(1000):  # wait until the echo has seen the end of the connection
        got = ask(end, message(8, 60000), message(12, 12))
        if got == answer_to(message(12, 12), 12):
            break
        end.recv(1 << 16)
    else:
        assert False, 'an amplifier for whoever has had a connection'


def test_udp(family, host, port):
    end = connect(family, socket.SOCK_DGRAM, host, port)
    stream = connect(family, socket.SOCK_STREAM, host, port)  # a connection proves the address to the echo
    stream.sendall(message(8, 8))
    receive(stream, 8)
    for length, answer in ((DATAGRAM_MAXIMUM, 30), (64, 24), (8, 8), (100, DATAGRAM_MAXIMUM)):
        sent = message(length, answer)
        end.send(sent)
        assert end.recv(1 << 16) == answer_to(sent, answer), (length, answer)
    # A malformed message is dropped, so the next answer belongs to the next message.
    for bad in (b'', b'abc', struct.pack('>II', 9, 8), struct.pack('>II', 8, DATAGRAM_MAXIMUM + 1),
                struct.pack('>II', 8, 7), answer_to(message(20, 20), 20)):
        end.send(bad)
    end.send(message(12, 12))
    assert end.recv(1 << 16) == answer_to(message(12, 12), 12)


for peer in sys.argv[2:]:
    for test in (test_amplifier, test_tcp, test_udp):
        test(socket.AF_INET6 if ":" in peer else socket.AF_INET, peer, int(sys.argv[1]))
