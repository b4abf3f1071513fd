"""Compares replies with what a vector expects, and the contents of states with what a codec reads."""
from codec import decode
from vectors import value_of

SECOND = 10**9  # in nanoseconds


def is_match(want):
    return isinstance(want, dict)


class Matcher:
    """Remembers what later steps of a vector need: captured values, and when each step sent and was answered."""

    def __init__(self):
        self.captured, self.sent, self.arrived = {}, {}, {}

    def accepts(self, expected, example, got, asked):
        """Returns true if a reply to the step asked is right. The example is a right reply, decoded from the vector."""
        self.got, self.asked = got, asked
        wants, lifetime = expected.get("fields", {}), expected.get("only_after")
        if lifetime and lifetime["full"] > self.elapsed(lifetime)[1] // lifetime["unit_ns"]:
            return False
        matched = {name: want for name, want in wants.items() if is_match(want)}
        same = [name for name, right in example.items() if name not in matched and not isinstance(right, list)]
        return (
            got.keys() == example.keys()
            and all(got[name] == example[name] for name in same)
            and all(self.matches(want, got.get(name), name) for name, want in matched.items())
        )

    def matches(self, want, value, name):
        """Returns true if a field has the value that a vector wants, or satisfies the match."""
        match = want["match"] if is_match(want) else "equal"
        if match == "equal":
            return value == value_of(want)
        if match == "capture":
            self.captured[want["name"]] = value
        elif match == "captured":
            return value == self.captured[want["name"]]
        elif match == "captured_hex":
            return value == self.captured[want["name"]].hex().encode()
        elif match == "range":
            return want["min"] <= value <= want["max"]
        elif match == "one_of":
            return value in want["choices"]
        elif match == "set_of":
            return self.is_set(want, list(records_of(self.got, name)))
        elif match == "remaining":
            return self.remains(want, value)
        return True

    def is_set(self, want, records):
        """Returns true if each record that a vector wants occurs exactly once."""
        found = [sum(self.is_record(wanted, record) for record in records) for wanted in want["records"]]
        return all(times == 1 for times in found) and not (want["exactly"] and len(records) > len(found))

    def is_record(self, wanted, record):
        return all(self.matches(want, record[name], name) for name, want in wanted.items())

    def remains(self, lifetime, left):
        """Returns true if so many units can be left, whenever between request and reply the server looked."""
        full, unit = lifetime["full"], lifetime["unit_ns"]
        least, most = self.elapsed(lifetime)
        if full <= least // unit:
            return False
        # Of units below a second, only whole ones count as gone.
        gone = least // unit if unit < SECOND else rounded_up(least, unit)
        return full - rounded_up(most, unit) <= left <= full - gone

    def elapsed(self, lifetime):
        """Returns the least and the most nanoseconds from when the server began a lifetime to when it made the reply."""
        since, sent = lifetime["since"], self.sent[self.asked]
        least = max(0, sent - self.arrived.get(since, sent))
        return least, self.arrived[self.asked] - self.sent[since]


def rounded_up(time, unit):
    return -(-time // unit)


def records_of(values, group):
    """Returns all records of a group. In a listing, several fragments have records of the group."""
    for name, records in values.items():
        if isinstance(records, list):
            yield from records if name == group else ()
            for record in records:
                yield from records_of(record, group)


def agree(layouts, want, got):
    """Returns true if a state has the wanted values. Numbers may be spelled differently."""
    if isinstance(want, list):
        return len(want) == len(got) and all(agree(layouts, one, other) for one, other in zip(want, got))
    if isinstance(want, str):
        return want.encode() == got or b"." in got and is_same_number(want, got)
    if "fields" not in want:
        return all(agree(layouts, one, got[name]) for name, one in want.items())
    layout = layouts.find("format", want.get("format") or want.get("strategy"))
    return agree(layouts, want["fields"], decode(layout, got))


def is_same_number(want, got):
    try:
        return float(want) == float(got)
    except ValueError:
        return False
