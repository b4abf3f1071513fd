"""Plays the golden vectors of a dialect against a server, and checks a codec against their bytes. docs/vectors.md explains them.
    runner.py VECTORS DIALECT[/WIDTH] [tcp://HOST:PORT | udp://HOST:PORT] [READING=ANSWER ...]
Without a server, it only checks the codec. READING=ANSWER names where the server differs from released ones.
The exit code is 1 if a vector failed or none was played."""
import sys

from codec import Refused, decode, encode
from matching import agree
from playing import Play
from vectors import invalid_messages, load, values_of, vectors


class Layouts:
    """The layouts of messages as servers with these answers lay them out."""

    def __init__(self, messages, answers):
        self.messages, self.answers = messages, answers

    def find(self, kind, name):
        """Returns the layout of a message, or of the format that a strategy writes."""
        for one in self.messages:
            if one["kind"] == kind and name in (one["message"], one.get("strategy")):
                return {**one, "fields": self.applicable(one["fields"])}
        raise Refused(f"there is no layout of the {kind} {name}")

    def applicable(self, fields):
        """Drops fields that only servers with other answers have."""
        return [
            {**field, "head": self.applicable(field.get("head", [])), "tail": self.applicable(field.get("tail", []))}
            for field in fields
            if field.get("when", {}).items() <= self.answers.items()
        ]


def refusal(run):
    """Returns the reason if a function refuses, else None."""
    try:
        run()
    except Refused as why:
        return str(why)
    return None


def check_invalid(layouts, message, invalid):
    """Checks that the codec refuses an invalid message, and at the right field."""
    layout = layouts.find(message["kind"], message["message"])
    if "change" in invalid:
        values = values_of({**message["fields"], **invalid["change"]})
        why = refusal(lambda: encode(layout, values))
    else:
        first = invalid.get("first")
        data = bytes.fromhex(invalid["hex"] if first is None else message["valid"][: 2 * first])
        why = refusal(lambda: decode(layout, data))
    is_elsewhere = why != invalid.get("field", "") and not (why and invalid["kind"] == "size")
    if why is None or is_elsewhere:
        raise Refused(f"is refused at {why}")


def check_state(layouts, asked, answer):
    """Checks that the codec reads the right values in a state, or refuses a state that is in error."""
    want, state = (asked, answer["state"]) if asked["op"] == "encode" else (answer, asked["state"])
    if "error" in answer:
        strategies = zip(("primary", "secondary"), asked.get("of", []))
        parts = {name: {"strategy": strategy, "fields": {}} for name, strategy in strategies}
        is_right = refusal(lambda: agree(layouts, {**asked, "fields": parts}, state.encode())) is not None
    else:
        is_right = agree(layouts, want, state.encode())
    if not is_right:
        raise Refused(f"the codec reads {state} otherwise")


def run(vector, layouts, server):
    """Plays a vector. States and invalid messages concern only the codec."""
    if "invalid" in vector:
        check_invalid(layouts, vector["message"], vector["invalid"])
    elif "operation" in vector:
        for step in vector["steps"]:
            check_state(layouts, step["request"], step["answer"])
    else:
        Play(layouts, server).run(vector)


def main(directory, spoken, *options):
    dialect, _, width = spoken.partition("/")
    server = next((one for one in options if "://" in one), None)
    given = dict(one.split("=") for one in options if "://" not in one)
    file = load(f"{directory}/layouts/{dialect}.json", width)
    invalid = [] if server else invalid_messages(directory, dialect, width)
    passed = failed = skipped = 0
    for one in invalid + vectors(directory, dialect, width):
        readings = one.get("readings", {})
        if server:
            answers = {**file["answers"]["deployed"], **given}
        else:
            answers = {**file["answers"][one["profile"]], **readings}
        if one.get("operation") == "decide" or not readings.items() <= answers.items():
            skipped += 1
            continue
        try:
            run(one, Layouts(file["messages"], answers), server)
            passed += 1
        except (Refused, OSError) as why:
            failed += 1
            print(f"FAIL {one['id'].replace('{width}', width)}: {why}")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return int(failed > 0 or passed == 0)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))
