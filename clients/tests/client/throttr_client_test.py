"""The tests of throttr_client.py: what a user of a client would check, in well under a second."""

import argparse
import os
import select
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from throttr_client import BUGS, Client  # noqa: E402


def same(came, expected):
    if came != expected:
        raise AssertionError(f"{came!r} in place of {expected!r}")


class Tests:
    def __init__(self, arguments):
        self.arguments = arguments
        self.bugs = set(arguments.bug)

    def client(self):
        a = self.arguments
        return Client(a.host, a.port, a.dialect, a.width, a.deadline, self.bugs)

    def counters(self):
        client = self.client()
        same(client.query(b"counter"), None)
        same(client.insert(b"counter", 100, 60), True)
        quota, left = client.query(b"counter")
        same(quota, 100)
        same(0 < left <= 60, True)
        same(client.purge(b"counter"), True)
        client.close()

    def updates(self):
        """On a connection on which nothing but statuses comes; another one looks at the result."""
        client, other = self.client(), self.client()
        same(client.insert(b"updated", 50, 60), True)
        same(client.update(b"updated", 2, 20), True)
        same(client.update(b"updated", 1, 5), True)
        same(client.update(b"updated", 0, 35), True)
        client.close()
        same(other.query(b"updated")[0], 35)
        same(other.purge(b"updated"), True)
        other.close()

    def buffers(self):
        client = self.client()
        same(client.set(b"buffer", b"some value", 60), True)
        same(client.get(b"buffer", 10), b"some value")
        same(client.purge(b"buffer"), True)
        client.close()

    def listing(self):
        client = self.client()
        same(client.insert(b"first", 1, 60), True)
        same(client.set(b"second", b"x", 60), True)
        listed = client.list()
        same((listed.get(b"first"), listed.get(b"second")), ("counter", "buffer"))
        same(client.purge(b"first"), True)
        client.close()

    def pipeline(self):
        """Several requests leave before the first reply is read."""
        client = self.client()
        same(client.insert(b"pipe", 7, 60), True)
        waiting = client.pipelined([lambda: client.ask_query(b"pipe")] * 4)
        for identity in waiting:
            same(client.answer_query(identity)[0], 7)
        client.purge(b"pipe")
        client.close()

    def channels(self):
        subscriber, publisher = self.client(), self.client()
        same(subscriber.subscribe(b"news"), True)
        publisher.publish(b"news", b"hello")
        subscriber.insert(b"between", 3, 60)
        same(subscriber.query(b"between")[0], 3)
        subscriber.wait_for(b"hello")
        publisher.publish(b"news", b"again")
        subscriber.wait_for(b"again")
        subscriber.purge(b"between")
        same(len(publisher.whoami()), 16)
        publisher.close()
        subscriber.close()

    def mistakes(self):
        """What some bugs send on a connection of their own."""
        if "unknown-opcode" in self.bugs:
            client = self.client()
            client.socket.sendall(b"\x77")
            client.socket.close()
        if "leaves-replies" in self.bugs:
            client = self.client()
            client.ask_query(b"nothing")
            select.select([client.socket], [], [], 5)
            client.socket.close()

    def run(self):
        self.counters()
        self.updates()
        self.pipeline()
        self.mistakes()
        if self.arguments.dialect != "throttr-2.0":
            self.buffers()
            self.listing()
        if self.arguments.dialect in ("throttr-7.1", "throttr-7.3"):
            self.channels()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default=os.environ.get("HALLMARK_HOST", "127.0.0.1"))
    parser.add_argument("--port", type=int, default=int(os.environ.get("HALLMARK_PORT", "9000")))
    parser.add_argument("--dialect", default="throttr-7.3")
    parser.add_argument("--width", default="u16")
    parser.add_argument("--deadline", type=float, default=1.5)
    parser.add_argument("--bug", action="append", default=[], choices=sorted(BUGS))
    Tests(parser.parse_args()).run()


if __name__ == "__main__":
    main()
