"""Encodes and decodes messages by the layouts of plain vectors, which docs/vectors.md explains. To test your own codec, replace
this file: the runner calls encode, decode and read_message. A layout names its message: "kind" is request, reply, push or
format, and "message" is the name. Of the values, a number is its decimal digits, bytes are hexadecimal digits, and a group is
the list of its records."""
import io
import re


class Refused(Exception):
    """Names the field that is wrong, or "end" if bytes follow the message."""


def encode(layout, values):
    """Returns the bytes of a message."""
    return encode_fields(layout["fields"], values)


def decode(layout, data):
    """Returns the values of a message. The data have to be exactly one message."""
    source = io.BytesIO(data)
    values = read_message(layout, source)
    if source.read(1):
        raise Refused("end")
    return values


def read_message(layout, source):
    """Returns the values of the next message of a stream. It leaves what follows the message in the stream."""
    return read_fields(layout["fields"], source, {})


def is_present(field, values):
    return "on_success" not in field or values.get("status") != "0"


def encode_fields(fields, values):
    return b"".join(encode_field(field, values) for field in fields if is_present(field, values))


def encode_field(field, values):
    kind, name = field["kind"], field["name"]
    if kind == "constant":
        return bytes.fromhex(field["hex"])
    if kind == "group":
        parts = (field["head"], field.get("tail", []))
        return b"".join(encode_fields(part, record) for part in parts for record in values[name])
    if "of" in field or kind == "number":
        return encode_number(field, measure(values[field["of"]]) if "of" in field else int(values[name]))
    data = bytes.fromhex(values[name])
    if len(data) != field.get("size", len(data)):
        raise Refused(name)
    return data


def measure(value):
    """Returns how many bytes or records a field has."""
    return len(value) // 2 if isinstance(value, str) else len(value)


def encode_number(field, number):
    if field["kind"] == "text":
        return str(number).encode()
    if number >= 1 << 8 * field["size"]:
        raise Refused(field["name"])
    return number.to_bytes(field["size"], "little")


def read_fields(fields, source, record):
    """Adds fields to a record. A size or a count stands in the place of what it measures until that is read."""
    for field in fields:
        name, kind = field["name"], field["kind"]
        if not is_present(field, record):
            continue
        if kind == "group":
            records = [read_fields(field["head"], source, {}) for _ in range(record[name])]
            record[name] = [read_fields(field.get("tail", []), source, one) for one in records]
            continue
        raw = read_text(field, source) if kind == "text" else read_bytes(field, source, record.get(name))
        if "of" in field:
            record[field["of"]] = int(raw) if kind == "text" else int.from_bytes(raw, "little")
        elif kind == "number":
            record[name] = str(int.from_bytes(raw, "little"))
        elif kind != "constant":
            record[name] = raw.hex()
    return record


def read_bytes(field, source, measured):
    size = field.get("size", measured)
    raw = source.read(min(size, 1 << 24))
    right = field.get("choices", [field.get("hex", raw.hex())])
    if len(raw) < size or raw.hex() not in right:
        raise Refused(field["name"])
    return raw


def read_text(field, source):
    begin = source.tell()
    found = re.match(field["extent"].encode(), source.read())
    if not found or not re.fullmatch(field["pattern"].encode(), found[1]):
        raise Refused(field["name"])
    source.seek(begin + len(found[1]))
    return found[1]
