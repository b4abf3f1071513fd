"""Reads the files of a dialect for one width: vectors, layouts of messages, and messages that a codec has to refuse."""
import glob
import json

WIDTHS = {"u8", "u16", "u32", "u64"}


def vectors(directory, dialect, width):
    """Returns the vectors of a dialect, of both profiles."""
    found = []
    for path in sorted(glob.glob(f"{directory}/{dialect}/**/*.json", recursive=True)):
        file = load(path, width)
        if is_for(width, file):
            profile = file.get("profile", "deployed")
            found += [{**vector, "profile": profile} for vector in file["vectors"]]
    return found


def invalid_messages(directory, dialect, width):
    """Returns the messages that a codec has to refuse, each with the valid message that was changed."""
    found = []
    for message in load(f"{directory}/invalid/{dialect}.json", width)["messages"]:
        for invalid in message["invalid"]:
            name = f"invalid/{message['message']}/{invalid['id']}"
            found.append({"id": name, "profile": "deployed", "message": message, "invalid": invalid})
    return found


def load(path, width):
    """Returns what a file says for a width."""
    with open(path, "rb") as file:
        return at_width(json.load(file), width)


def at_width(part, width):
    """Returns what a part of a file says for a width, or None. It spells out runs, bytes and large numbers."""
    if isinstance(part, list):
        return [at_width(one, width) for one in part if is_for(width, one)]
    if not isinstance(part, dict):
        return part
    kept = {name: at_width(one, width) for name, one in part.items()}
    if part and set(part) <= WIDTHS:
        return kept.get(width)
    return spelled_out({name: one for name, one in kept.items() if one is not None or part[name] is None})


def is_for(width, part):
    return not isinstance(part, dict) or width in part.get("widths", [width])


def spelled_out(found):
    """Returns the digits or the text of a run, the value that an object stands for, or the object itself."""
    for spelling in ("hex", "text"):
        if isinstance(found.get(spelling), list):
            found[spelling] = "".join(found[spelling])
        if spelling in found and "times" in found:
            return found[spelling] * found["times"]
    if found.keys() == {"hex"}:
        return bytes.fromhex(found["hex"])
    if found.keys() == {"text"}:
        return found["text"]
    if found.keys() == {"number"}:
        return int(found["number"])
    return found


def values_of(fields):
    """Returns fields as a codec takes them: with bytes in place of text."""
    return {name: value_of(one) for name, one in fields.items()}


def value_of(one):
    if isinstance(one, list):
        return [values_of(record) for record in one]
    return one.encode() if isinstance(one, str) else one
