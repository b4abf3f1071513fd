#!/usr/bin/env python3
"""Plays the golden vectors of throttr-7.1 against a server, and checks a codec against their bytes.

    play.py VECTORS WIDTH HOST PORT

An example for runners in other languages, written from docs/vectors.md alone, for a server that gives the answers of
released ones. Prints each failure. Exit code 1: there is one; 2: usage.
"""
import io, socket, sys, time

from throttr_7_1 import WIDTHS, Codec, number
from vector_files import bytes_of, value_of, vectors_of


class Failure(Exception):
    pass


def equal(field, data):
    status = {"success": 1, "failure": 0}
    return isinstance(field, str) and number(data) == status.get(field) or value_of(field) in (data, number(data))


class Play:
    """One vector, on connections of its own."""

    def __init__(self, codec, address):
        self.codec, self.address, self.connections = codec, address, {}
        self.captured, self.sent, self.arrived = {}, {}, {}  # values by name, times by step

    def step(self, place, step):
        if step["on"] not in self.connections:
            link = socket.create_connection(self.address, 10)
            self.connections[step["on"]] = link, link.makefile("rb"), []
        link, incoming, unanswered = self.connections[step["on"]]
        if "close" in step:
            link.shutdown(socket.SHUT_RDWR)
        elif "send" in step:
            self.sent[place] = time.monotonic_ns()
            link.sendall(self.request(step))
            unanswered.append((step["send"], place))
        else:
            self.expect(step.get("any_of", [step]), incoming, unanswered)

    def request(self, step):
        data = bytes_of(step["hex"])
        values = {name: value_of(value) for name, value in step.get("fields", {}).items()}
        if step["send"] and self.codec.encode(step["send"], values) != data:
            raise Failure(f"the codec does not encode {step['send']} as {data.hex()}")
        for field in step.get("substitute", {}).values():
            at, size = field["at"]
            data = data[:at] + self.captured[field["name"]] + data[at + size:]
        return data

    def expect(self, messages, incoming, unanswered):
        """Tries the shorter ones first: nobody waits for bytes that will not come."""
        name, push = messages[0]["expect"], "push" in messages[0]
        reply = [one for one in unanswered if one[0] == name and not push][:1]
        for one in reply:
            unanswered.remove(one)
        self.asked, data = reply[0][1] if reply else None, b""
        for message in sorted(messages, key=lambda one: len(bytes_of(one["hex"]))):
            example, records, fields = bytes_of(message["hex"]), [], message.get("fields", {})
            matches = {field: one for field, one in fields.items() if isinstance(one, dict) and "match" in one}
            if not push:
                self.check_codec(name, example, {field: fields[field] for field in fields if field not in matches})
            if any(one["match"] == "set_of" for one in matches.values()):
                data, records = self.listing(name, incoming)
            else:
                data += incoming.read(len(example) - len(data))
            self.arrived[self.asked] = time.monotonic_ns()
            if self.agrees(message.get("only_after"), matches.values(), example, data, records):
                return
        raise Failure(f"{name} came as {data[:60].hex()}, expected {example[:60].hex()}")

    def check_codec(self, name, example, fields):
        values, _ = self.codec.reply(io.BytesIO(example).read, name)
        for field, value in fields.items():
            if field in values and not equal(value, values[field]):
                raise Failure(f"the codec reads {field} of {name} as {values[field].hex()}")

    def listing(self, name, incoming):
        """Only its layout tells where a listing ends."""
        data = []
        _, records = self.codec.reply(lambda size: data.append(incoming.read(size)) or data[-1], name)
        return b"".join(data), records

    def elapsed(self, since):
        """The least and the most time between the requests, in nanoseconds."""
        asked, answered = self.sent[self.asked], self.arrived[self.asked]
        return max(0, asked - self.arrived.get(since, asked)), answered - self.sent[since]

    def agrees(self, after, matches, example, data, records):
        if after and value_of(after["full"]) * after["unit_ns"] > self.elapsed(after["since"])[1]:
            return False
        free = set()
        for one in matches:
            at, size = one["at"]
            end = max(len(data), len(example)) if one["match"] == "set_of" else at + size
            free.update(range(at, end))
            if not self.holds(one, data[at:end], records):
                return False
        return all(i in free or example[i:i + 1] == data[i:i + 1] for i in range(max(len(example), len(data))))

    def holds(self, field, data, records=()):
        match = field.get("match", "equals") if isinstance(field, dict) else "equals"
        if match == "capture":
            self.captured[field["name"]] = data
        elif match == "set_of":
            found = [sum(all(self.holds(one, record[name]) for name, one in wanted.items()) for record in records)
                     for wanted in field["records"]]
            return set(found) <= {1} and not (field["exactly"] and len(records) > len(found))
        elif match == "remaining":
            least, most = self.elapsed(field["since"])
            unit = field["unit_ns"]
            full = value_of(field["full"]) * unit
            return full > least and max(0, full - most) // unit <= number(data) <= (full - least) // unit
        elif match == "range":
            return value_of(field["min"]) <= number(data) <= value_of(field["max"])
        known = self.captured.get(field["name"]) if match.startswith("capture") else b""
        return {"equals": lambda: equal(field, data), "one_of": lambda: number(data) in field["choices"],
                "captured": lambda: data == known, "captured_hex": lambda: data == known.hex().encode()
                }.get(match, lambda: True)()


def play(vector, codec, address):
    """Returns what is wrong, or nothing. Keys are purged before and after."""
    player = Play(codec, address)
    keys = [{name: value_of(one) for name, one in key.items()} for key in vector.get("keys", [])]
    def purge():
        for key in keys:
            player.step(None, {"on": "purge", "send": None, "hex": codec.encode("PURGE", key).hex()})
            player.connections["purge"][1].read(1)
    try:
        purge()
        for place, step in enumerate(vector["steps"]):
            player.step(place, step)
        purge()
    except (Failure, OSError) as failure:
        return f"step {place}: {failure}"
    finally:
        for link, _, _ in player.connections.values():
            link.close()
    return ""


def main(arguments):
    if len(arguments) != 4 or arguments[1] not in WIDTHS:
        print(__doc__, file=sys.stderr)
        return 2
    directory, width, host, port = arguments
    vectors = vectors_of(directory, "throttr-7.1", width)
    wrong = [(vector["id"], play(vector, Codec(width), (host, int(port)))) for vector in vectors]
    failures = [(name.replace("{width}", width), why) for name, why in wrong if why]
    print("".join(f"FAIL {name}: {why}\n" for name, why in failures) +
          f"{len(vectors) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures or not vectors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
