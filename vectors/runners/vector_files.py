"""Reads vector files, as docs/vectors.md says."""
import glob, json, os

WIDTHS = ("u8", "u16", "u32", "u64")


def at_width(value, width):
    """The part of a file that is for one width; None where it has none."""
    if isinstance(value, dict) and value and set(value) <= set(WIDTHS):
        return value.get(width)
    if isinstance(value, dict):
        return {name: kept for name, one in value.items() if (kept := at_width(one, width)) is not None or one is None}
    return [at_width(one, width) for one in value] if isinstance(value, list) else value


def bytes_of(parts, spelled=bytes.fromhex):
    """A text, or a list of texts and of runs."""
    parts = parts if isinstance(parts, list) else [parts]
    return b"".join(spelled(one) if isinstance(one, str) else spelled(one.get("hex", one.get("text"))) * one["times"]
                    for one in parts)


def value_of(field):
    """A number or bytes."""
    if isinstance(field, dict) and "number" in field:
        return int(field["number"])
    if isinstance(field, dict):
        return bytes_of(field["hex"]) if "hex" in field else bytes_of(field["text"], str.encode)
    return field.encode() if isinstance(field, str) else field


def vectors_of(directory, dialect, width):
    """Those of both profiles that are right for a server that gives the answers of the deployed one."""
    chosen, answers = [], {}
    for profile in ("", "literal"):
        for path in sorted(glob.glob(os.path.join(directory, dialect, profile, "*.json"))):
            for vector in json.load(open(path))["vectors"]:
                vector = at_width(vector, width) if width in vector.get("widths", WIDTHS) else None
                if vector and profile == "":
                    answers.update(vector.get("readings", {}))
                if vector and vector.get("readings", {}).items() <= answers.items():
                    chosen.append(vector)
    return chosen
