"""A client of the Rate Limiter (ratelimit-udp), written from its document, and its tests.

Each name in BUGS is a mistake that it can be told to make.
"""

import argparse
import os
import re
import socket
import time

BUGS = {"any-id", "no-id", "one-id", "no-deadline", "loose-numbers", "pong-unchecked",
        "unknown-command"}

FORMS = {
    "over_limit": r"ok ([YN]) (\d+\.\d) (\d+\.\d) (\d+)",
    "get_stats": r"n_req=(\d+) n_over=(\d+) last_max_rate=(\d+) key=(.*)",
    "get_size": r"size=(\S+) keys=(\d+)",
    "ping": r"pong",
}
LOOSE = {"get_stats": r"n_req=(.*) n_over=(.*) last_max_rate=(.*) key=(.*)"}


class Client:
    def __init__(self, host, port, deadline, bugs):
        self.bugs = bugs
        self.deadline = None if "no-deadline" in bugs else deadline
        self.next_id = 100
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.connect((host, port))

    def send(self, request):
        identity = b"" if "no-id" in self.bugs else b"%d " % self.next_id
        if "one-id" not in self.bugs:
            self.next_id += 1
        self.socket.send(identity + request)
        return identity

    def response(self, identity):
        """The text behind the id; None: none came within the deadline."""
        until = None if self.deadline is None else time.monotonic() + self.deadline
        while True:
            if until is not None:
                self.socket.settimeout(max(0.001, until - time.monotonic()))
            try:
                datagram = self.socket.recv(2048)
            except socket.timeout:
                return None
            if datagram.startswith(identity):
                return datagram[len(identity):].decode()
            if "any-id" in self.bugs:
                return datagram.split(b" ", 1)[1].decode()

    def ask(self, command, key=""):
        request = f"{command} {key}".rstrip()
        return self.parsed(command, self.response(self.send(request.encode())))

    def parsed(self, command, response):
        if response is None:
            if command == "over_limit":
                return ("N", "0.0", "0.0", "0")  # as the document allows
            raise TimeoutError(command)
        if command == "ping" and "pong-unchecked" in self.bugs:
            return ()
        loose = "loose-numbers" in self.bugs
        form = LOOSE.get(command, FORMS[command]) if loose else FORMS[command]
        found = re.fullmatch(form, response)
        if not found:
            raise ValueError(f"{response!r} to {command}")
        return found.groups()


def same(came, expected):
    if came != expected:
        raise AssertionError(f"{came!r} in place of {expected!r}")


def tests(client):
    same(client.ask("ping"), ())
    same(client.ask("over_limit", "a key")[0], "N")
    stats = client.ask("get_stats", "a key")
    if "loose-numbers" not in client.bugs:
        same(int(stats[0]) >= 0, True)
    same(stats[3], "a key")
    same(len(client.ask("get_size")), 2)
    waiting = [("over_limit", client.send(b"over_limit other")),
               ("get_size", client.send(b"get_size"))]
    answers = {}
    until = time.monotonic() + 5
    while len(answers) < 2 and time.monotonic() < until:
        datagram = client.socket.recv(2048)
        for command, identity in waiting:
            text = datagram[len(identity):].decode() if datagram.startswith(identity) else ""
            if re.fullmatch(FORMS[command], text):
                answers[command] = text
    same(sorted(answers), ["get_size", "over_limit"])
    if "unknown-command" in client.bugs:
        client.send(b"PING")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--host", default=os.environ.get("HALLMARK_HOST", "127.0.0.1"))
    parser.add_argument("--port", type=int, default=int(os.environ.get("HALLMARK_PORT", "2000")))
    parser.add_argument("--deadline", type=float, default=1.0)
    parser.add_argument("--bug", action="append", default=[], choices=sorted(BUGS))
    arguments = parser.parse_args()
    tests(Client(arguments.host, arguments.port, arguments.deadline, set(arguments.bug)))


if __name__ == "__main__":
    main()
