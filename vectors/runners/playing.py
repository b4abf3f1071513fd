"""Plays one vector on connections of its own. Without a server it only checks the codec against the bytes of the vector."""
import re
import socket
import time

from codec import Refused, decode, encode, read_message
from matching import Matcher, is_match
from vectors import value_of, values_of


class Link:
    """A connection. The steps whose requests wait for a reply are in waiting, by the name of the request."""

    def __init__(self, server):
        network, host, port = re.split("://|:", server)
        self.socket = socket.socket(type=socket.SOCK_DGRAM if network == "udp" else socket.SOCK_STREAM)
        self.socket.settimeout(10)
        self.socket.connect((host, int(port)))
        self.stream = None if network == "udp" else self.socket.makefile("rb")
        self.waiting = {}

    def receive(self, layout):
        if self.stream:
            return read_message(layout, self.stream)
        return decode(layout, self.socket.recv(65536))

    def close(self):
        if self.stream:
            self.stream.close()
        self.socket.close()


class Play:
    def __init__(self, layouts, server):
        self.layouts, self.server = layouts, server
        self.links, self.matcher = {}, Matcher()

    def link(self, name):
        if name not in self.links:
            self.links[name] = Link(self.server)
        return self.links[name]

    def exchange(self, on, name, values):
        """Sends a request and receives its reply."""
        self.link(on).socket.sendall(encode(self.layouts.find("request", name), values))
        self.link(on).receive(self.layouts.find("reply", name))

    def run(self, vector):
        """Plays a vector. It purges the vector's keys before and after."""
        try:
            self.purge(vector)
            try:
                for place, step in enumerate(vector["steps"]):
                    self.step(place, step)
            finally:
                self.purge(vector)
        finally:
            for link in self.links.values():
                link.close()

    def purge(self, vector):
        if self.server:
            for key in vector.get("keys", []):
                self.exchange("purge", "PURGE", values_of(key))

    def step(self, place, step):
        if "send" in step:
            self.send(place, step)
        elif "expect" in step or "any_of" in step:
            self.expect(step["on"], step.get("any_of", [step]))
        elif self.server and "close" in step:
            self.links.pop(step["on"]).close()
        elif self.server:  # silence: nothing comes before the reply to a ping
            self.exchange(step["on"], "ping", {"request_id": b"1234321"})

    def send(self, place, step):
        data, name = bytes.fromhex(step["hex"]), step["send"]
        if name and encode(self.layouts.find("request", name), values_of(step.get("fields", {}))) != data:
            raise Refused(f"the codec does not encode {name} as {data.hex()}")
        if not self.server:
            return
        for one in step.get("substitute", {}).values():
            begin, size = one["at"]
            data = data[:begin] + self.matcher.captured[one["name"]] + data[begin + size :]
        link = self.link(step["on"])
        link.waiting.setdefault(name, []).append(place)
        self.matcher.sent[place] = time.monotonic_ns()
        link.socket.sendall(data)

    def expect(self, on, messages):
        """Receives a message, which has to be one of several."""
        name, kind = messages[0]["expect"], "push" if "push" in messages[0] else "reply"
        layout = self.layouts.find(kind, name)
        examples = [check_reply(layout, one) for one in messages]
        if not self.server:
            return
        link, asked = self.link(on), None
        if kind == "reply" and link.waiting.get(name):
            asked = link.waiting[name].pop(0)
        got = link.receive(layout)
        self.matcher.arrived[asked] = time.monotonic_ns()
        if not any(self.matcher.accepts(one, example, got, asked) for one, example in zip(messages, examples)):
            raise Refused(f"{name} came as {str(got)[:300]}")


def check_reply(layout, expected):
    """Checks that the codec decodes an expected message, and encodes it with the values that the vector names.
    Returns the decoded message."""
    data = bytes.fromhex(expected["hex"])
    example = decode(layout, data)
    fields = expected.get("fields", {}).items()
    plain = {name: value_of(one) for name, one in fields if name != "status" and not is_match(one)}
    if encode(layout, {**example, **plain}) != data:
        raise Refused(f"the codec reads {layout['message']} as {example}")
    return example
