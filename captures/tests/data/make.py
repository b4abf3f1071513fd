#!/usr/bin/env python3
"""Makes the captures beside it: records sessions with a real server. See README.md.

    make.py HALLMARK    # the program; needs tcpdump and the right to capture
"""
import os
import signal
import socket
import struct
import subprocess
import sys
import time

here = os.path.dirname(os.path.abspath(__file__))


def insert(key, quota=7, ttl=90):
    return struct.pack("<BHBHB", 1, quota, 4, ttl, len(key)) + key


def query(key):
    return bytes([2, len(key)]) + key


def purge(key):
    return bytes([4, len(key)]) + key


def set_buffer(key, value):
    return struct.pack("<BBHBH", 5, 4, 90, len(key), len(value)) + key + value


def get(key):
    return bytes([6, len(key)]) + key


def subscribe(channel):
    return bytes([0x11, len(channel)]) + channel


def publish(channel, payload):
    return struct.pack("<BBH", 0x13, len(channel), len(payload)) + channel + payload


def ask(connection, request):
    connection.sendall(request)
    return connection.recv(65536)


def session(address):
    """Two clients: one request after the other, several at once, a delivery between replies."""
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    with socket.socket(family) as one, socket.socket(family) as two:
        one.connect(address)
        two.connect(address)
        for request in (insert(b"abc"), query(b"abc"), set_buffer(b"buf", b"x" * 3000), get(b"buf")):
            ask(one, request)
            time.sleep(0.01)
        one.sendall(query(b"abc") + query(b"none") + bytes([7]))
        time.sleep(0.05)
        one.recv(65536)
        ask(two, subscribe(b"news"))
        one.sendall(publish(b"news", b"hello"))
        time.sleep(0.05)
        two.recv(65536)
        ask(two, bytes([0x18]))
        ask(one, purge(b"abc"))
        time.sleep(0.05)


class Server:
    def __init__(self, program, listen):
        self.process = subprocess.Popen(
            [program, "serve", "--width", "u16", "--seed", "1", "--listen", listen],
            stdout=subprocess.PIPE, text=True)
        endpoint = self.process.stdout.readline().split()[-1].removeprefix("tcp://")
        host, port = endpoint.rsplit(":", 1)
        self.address = (host.strip("[]"), int(port))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def record(program, listen, interface, name):
    server = Server(program, listen)
    path = os.path.join(here, name)
    capture = subprocess.Popen(
        ["tcpdump", "-q", "-U", "-Z", "root", "-i", interface, "-w", path,
         f"tcp port {server.address[1]}"], stderr=subprocess.PIPE, text=True)
    capture.stderr.readline()
    time.sleep(0.5)
    session(server.address)
    time.sleep(0.5)
    capture.terminate()
    capture.wait()
    server.stop()


program = sys.argv[1]
record(program, "tcp://127.0.0.1:0", "lo", "ethernet-ipv4.pcap")
record(program, "tcp://[::1]:0", "lo", "ethernet-ipv6.pcap")
record(program, "tcp://127.0.0.1:0", "any", "cooked.pcap")
