"""Plays plain vectors against a server or, without one, checks a codec against their bytes. docs/vectors.md explains them.
    hallmark vectors plain --dialect throttr-7.1 --width u16 --output u16.json
    runner.py u16.json [tcp://HOST:PORT | udp://HOST:PORT]
The exit code is 1 if something failed or there was nothing to do."""
import json
import re
import socket
import sys
import time
from contextlib import ExitStack, closing

from codec import Refused, decode, encode, read_message


class Link:
    """A connection. Of a stream, it has read(size), as a file does."""

    def __init__(self, server):
        network, host, port = re.split("://|:", server)
        self.is_udp = network == "udp"
        self.socket = socket.socket(type=socket.SOCK_DGRAM if self.is_udp else socket.SOCK_STREAM)
        self.socket.settimeout(10)
        self.socket.connect((host, int(port)))
        self.close = self.socket.close

    def receive(self, layout):
        """Returns the next message of a stream, or the next datagram, which has to come within ten seconds."""
        self.deadline = time.monotonic() + 10
        return decode(layout, self.socket.recv(65536)) if self.is_udp else read_message(layout, self)

    def read(self, size):
        """Returns so many bytes of the stream."""
        data = b""
        while len(data) < size:
            left = self.deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError("timed out")
            self.socket.settimeout(left)
            part = self.socket.recv(size - len(data))
            if not part:
                raise EOFError("the connection ended")
            data += part
        return data


class Play:
    """One example or vector. It remembers when its steps were taken, and what to put in place of {NAME}."""

    def __init__(self, layouts, server):
        self.layouts, self.server, self.times, self.captured = layouts, server, [], {}

    def run(self, test):
        """Removes the keys of a vector before and after."""
        self.steps(test.get("cleanup", []))
        try:
            self.steps(test["steps"])
        finally:
            self.steps(test.get("cleanup", []))

    def steps(self, steps):
        """Takes steps one after the other, on connections of their own."""
        links, self.times = {}, []
        with ExitStack() as at_the_end:
            for step in steps:
                on = step.get("on")
                if on and on not in links:
                    links[on] = at_the_end.enter_context(closing(Link(self.server)))
                if "send" in step:
                    self.times.append(time.monotonic_ns())
                    links[on].socket.sendall(bytes.fromhex(self.fill(step["send"])))
                elif "expect" in step:
                    self.expect(step["expect"], links[on], self.layouts[step["layout"]])
                else:
                    self.check(step, self.layouts[step["layout"]])

    def expect(self, wants, link, layout):
        got = link.receive(layout)
        self.times.append(time.monotonic_ns())
        if not self.satisfies(got, wants):
            raise Refused(f"{layout['message']} came as {str(got)[:300]}")

    def check(self, step, layout):
        """Checks that the codec makes of an example what it should."""
        result = encode(layout, step["encode"]).hex() if "encode" in step else decode(layout, bytes.fromhex(step["decode"]))
        if result != step.get("result"):
            raise Refused(f"the codec makes of it {str(result)[:300]}")

    def satisfies(self, record, wants):
        return all(self.matches(want, record) for want in wants)

    def matches(self, want, record):
        """Returns true if a record is as wanted."""
        match, value = want["match"], record.get(want.get("field"))
        if match == "either":
            return self.satisfies(record, want["either"]) or self.satisfies(record, want["or"])
        if match == "records":
            return self.count(want["path"].split("/"), record, want["records"]) == want["times"]
        if match == "over":
            return self.elapsed(want)[1] >= int(want["full"]) * want["unit"]
        if value is None:
            return False
        if match == "capture":
            self.captured.update({f"{{{want['name']}}}": value, f"{{{want['name']}.hex}}": value.encode().hex()})
            return True
        if match == "equals":
            return value == self.fill(want["value"])
        if match == "range":
            return int(want["min"]) <= int(value) <= int(want["max"])
        (least, most), full, unit = self.elapsed(want), int(want["full"]), want["unit"]
        gone = (full - int(value)) * unit
        return least < full * unit and least <= gone + want["slack"] and gone < most + unit

    def count(self, path, record, wants):
        """Returns how many of the records that a path leads to are as wanted."""
        records = [record]
        for group in path:
            records = [inner for outer in records for inner in outer.get(group, [])]
        return sum(self.satisfies(one, wants) for one in records)

    def elapsed(self, lifetime):
        """Returns the least and the most nanoseconds from when the server set a lifetime to when it looked at it."""
        set_at, confirmed, asked = (self.times[lifetime[step]] for step in ("set", "confirmed", "asked"))
        return asked - confirmed, self.times[-1] - set_at

    def fill(self, text):
        """Puts captured values into a text."""
        return re.sub("{.*?}", lambda found: self.captured[found[0]], text)


def main(path, server=None):
    with open(path, "rb") as file:
        plain = json.load(file)
    todo, failed = plain["vectors"] if server else plain["examples"], 0
    for one in todo:
        try:
            Play(plain["layouts"], server).run(one)
        except Exception as why:  # whatever a codec raises is a failure of this one example or vector
            words = str(why) if isinstance(why, Refused) else f"{type(why).__name__}: {why}"
            if words not in one.get("refused", {}):
                failed += 1
                print(f"FAIL {one['id']}: {words}")
    print(f"{len(todo) - failed} passed, {failed} failed, {plain['skipped']} skipped")
    return int(failed > 0 or not todo)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))
