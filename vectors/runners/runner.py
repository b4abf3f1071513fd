"""Plays plain vectors against a server or, without one, checks a codec against their bytes. docs/vectors.md explains them.
    hallmark vectors plain --dialect throttr-7.1 --width u16 --output u16.json
    runner.py u16.json [tcp://HOST:PORT | udp://HOST:PORT]
The exit code is 1 if something failed or there was nothing to do."""
import json
import re
import socket
import sys
import time
from contextlib import ExitStack

from codec import Refused, decode, encode, read_message


def check_example(layout, example):
    """Checks that the codec writes and reads a message, or refuses it at the right field."""
    found = {}
    try:
        if "fields" in example:
            found["hex"] = encode(layout, example["fields"]).hex()
        if "hex" in example and "unlisted" not in example:
            found["fields"] = decode(layout, bytes.fromhex(example["hex"]))
    except Refused as why:
        found["refused"] = example.get("refused") if "anywhere" in example else str(why)
    wrong = {name: one for name, one in found.items() if one != example.get(name)}
    if wrong:
        raise Refused(f"the codec makes of it {str(wrong)[:300]}")


class Link:
    """A connection."""

    def __init__(self, server):
        network, host, port = re.split("://|:", server)
        self.socket = socket.socket(type=socket.SOCK_DGRAM if network == "udp" else socket.SOCK_STREAM)
        self.socket.settimeout(10)
        self.socket.connect((host, int(port)))
        self.stream = None if network == "udp" else self.socket.makefile("rb")

    def receive(self, layout):
        return read_message(layout, self.stream) if self.stream else decode(layout, self.socket.recv(65536))

    def close(self):
        for one in filter(None, (self.stream, self.socket)):
            one.close()


class Play:
    """One vector. It remembers when each step sent its request and was answered, and the values captured."""

    def __init__(self, layouts, server):
        self.layouts, self.server = layouts, server
        self.links, self.captured, self.sent, self.arrived = {}, {}, {}, {}

    def run(self, vector):
        """Removes the vector's keys before and after."""
        with ExitStack() as self.at_the_end:
            self.steps(vector["cleanup"])
            self.at_the_end.callback(self.steps, vector["cleanup"])
            self.steps(vector["steps"])

    def steps(self, steps):
        for place, step in enumerate(steps):
            if step["on"] not in self.links:
                self.links[step["on"]] = Link(self.server)
                self.at_the_end.callback(self.links[step["on"]].close)
            if "send" in step:
                self.send(place, step)
            elif "close" in step:
                self.links[step["on"]].close()
            else:
                self.expect(step, self.layouts[step["layout"]], step.get("answers"))

    def send(self, place, step):
        data = bytearray.fromhex(step["send"])
        for one in step.get("insert", []):
            data[one["at"] : one["at"] + one["length"]] = bytes.fromhex(self.captured[one["name"]])
        self.sent[place] = time.monotonic_ns()
        self.links[step["on"]].socket.sendall(data)

    def expect(self, step, layout, asked):
        """Receives the next message, which has to be one of several."""
        got = self.links[step["on"]].receive(layout)
        if asked is not None:
            self.arrived[asked] = time.monotonic_ns()
        if not any(all(self.matches(want, got, asked) for want in wants) for wants in step["expect"]):
            raise Refused(f"{layout['message']} came as {str(got)[:300]}")

    def matches(self, want, record, asked):
        """Returns true if a field is as wanted in the reply to step asked."""
        match, value, name = want["match"], record.get(want.get("field")), want.get("name")
        if match == "set_of":
            return self.is_set(want, record, asked)
        if match == "over":
            return self.elapsed(want, asked)[1] >= int(want["full"]) * int(want["unit_ns"])
        if match == "capture":
            self.captured[name] = value
        if match in ("capture", "captured") or value is None:
            return value is not None and value == self.captured.get(name)
        if match == "captured_hex":
            return value == self.captured[name].encode().hex()
        if match in ("equals", "one_of"):
            return value in want.get("choices", [want.get("value")])
        least, most = (want["min"], want["max"]) if match == "range" else self.left(want, asked)
        return int(least) <= int(value) <= int(most)

    def is_set(self, want, record, asked):
        """Returns true if each record that is wanted occurs exactly once in a group."""
        records = [record]
        for group in want["path"]:
            records = [inner for outer in records for inner in outer.get(group, [])]
        found = [sum(all(self.matches(one, record, asked) for one in fields) for record in records) for fields in want["records"]]
        return all(times == 1 for times in found) and not (want["exactly"] and len(records) > len(found))

    def left(self, lifetime, asked):
        """Returns the least and the most units that can be left, whenever between request and reply the server looked."""
        full, unit = int(lifetime["full"]), int(lifetime["unit_ns"])
        least, most = self.elapsed(lifetime, asked)
        gone = least // unit if unit < 10**9 else -(-least // unit)  # of units below a second, whole ones
        return (full - -(-most // unit), full - gone) if full > least // unit else (1, 0)

    def elapsed(self, lifetime, asked):
        """Returns the least and the most nanoseconds from when the server began a lifetime to when it made the reply."""
        since, sent = lifetime["since"], self.sent[asked]
        return max(0, sent - self.arrived.get(since, sent)), self.arrived[asked] - self.sent[since]


def main(path, server=None):
    with open(path, "rb") as file:
        plain = json.load(file)
    layouts, failed = plain["layouts"], 0
    todo = plain["vectors"] if server else plain["examples"]
    for one in todo:
        try:
            Play(layouts, server).run(one) if server else check_example(layouts[one["layout"]], one)
        except (Refused, OSError) as why:
            failed += 1
            print(f"FAIL {one['id']}: {why}")
    print(f"{len(todo) - failed} passed, {failed} failed, {plain['skipped']} skipped")
    return int(failed > 0 or not todo)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))
