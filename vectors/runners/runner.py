"""Plays the golden vectors of a dialect against a server, and checks a codec against their bytes; docs/vectors.md explains them.
    runner.py VECTORS DIALECT[/WIDTH] [tcp://HOST:PORT | udp://HOST:PORT] [READING=ANSWER ...]
Without a server, only the codec. The server gives the answers of released ones, but for those named. Exit code 1: failures."""
import glob, io, json, os, re, socket, sys, time
class Refused(Exception): pass  # with the field, or what is wrong
def at_width(value, width):
    if isinstance(value, list): return [at_width(x, width) for x in value if not isinstance(x, dict) or width in x.get("widths", [width])]
    if not isinstance(value, dict): return value
    if value and set(value) <= {"u8", "u16", "u32", "u64"}: return value.get(width)
    return {name: kept for name, one in value.items() if (kept := at_width(one, width)) is not None or one is None}
def bytes_of(parts, spelled=bytes.fromhex):
    if isinstance(parts, dict): return spelled(parts.get("hex", parts.get("text"))) * parts["times"]
    return b"".join(bytes_of(one, spelled) for one in parts) if isinstance(parts, list) else spelled(parts)
def value_of(field):  # a number, bytes, or records
    if isinstance(field, list): return [{name: value_of(one) for name, one in record.items()} for record in field]
    if not isinstance(field, dict): return field.encode() if isinstance(field, str) else field
    return int(field["number"]) if "number" in field else bytes_of(field.get("hex", ""), bytes.fromhex) or bytes_of(field.get("text", ""), str.encode)
def is_match(field): return isinstance(field, dict) and "match" in field
class Codec:  # walks the layouts, for servers that give these answers; what it reads are the bytes of each field
    def __init__(self, layouts, answers): self.messages, self.answers = layouts["messages"], answers
    def layout(self, **named): return next(one["fields"] for one in self.messages if named.items() <= one.items())
    def present(self, layout, values):
        for field in layout:
            absent = "on_success" in field and values.get("status") in (0, b"\0") or field.get("when", {}).items() - self.answers.items()
            if not absent: yield field["name"], field["kind"], field
    def encode(self, layout, values):
        data = b""
        for name, kind, field in self.present(layout, values):
            value, size = values.get(name, 0 if kind == "number" else b""), field.get("size", 0)
            if "of" in field or "hex" in field: value = len(values[field["of"]]) if "of" in field else bytes.fromhex(field["hex"])
            if kind == "group": value = b"".join(self.encode(field.get(x, []), one) for x in ("head", "tail") for one in value)
            if isinstance(value, int) and value < 1 << 8 * (size or 9): value = value.to_bytes(size, "little") if size else str(value).encode()
            if isinstance(value, int) or 0 < size < len(value) or len(value) < size and "padded" not in field: raise Refused(name)
            data += value.ljust(size, b"\0") + (field.get("suffix", "").encode() if value else b"")
        return data
    def decode(self, layout, source):  # bytes of one message, or a stream
        self.source, self.records = io.BytesIO(source) if isinstance(source, bytes) else source, {}
        values = self.read(layout, {}, {})
        if isinstance(source, bytes) and self.source.read(1): raise Refused("")
        return values
    def read(self, layout, values, sizes):
        for name, kind, field in self.present(layout, values):
            if kind == "group":
                own = [(one := {}, self.read(field["head"], {}, one)) for _ in range(sizes[name])]
                values[name] = [self.read(field.get("tail", []), record, one) for one, record in own]
                self.records.setdefault(name, []).extend(values[name]); continue  # over all fragments
            at, size = self.source.tell() if kind == "text" else 0, sizes[name] if kind == "bytes" else field.get("size", 0)
            found = re.match(field["extent"].encode(), self.source.read()) if kind == "text" else None
            raw = found[1] if found else self.source.read(min(size, 2**62))
            if len(raw) < size or kind == "text" and not (found and re.fullmatch(field["pattern"].encode(), raw)) or \
                    raw.hex() not in field.get("choices", [field.get("hex", raw.hex())]): raise Refused(name)
            if kind == "text": self.source.seek(at + len(raw))
            if "of" in field: sizes[field["of"]] = int(raw) if kind == "text" else int.from_bytes(raw, "little")
            elif kind != "constant": values[name] = raw[:-1] if raw and "suffix" in field else raw
        return values
    def agree(self, want, got):  # of states: what is named is there, and numbers are equal however they are spelled
        if isinstance(want, list): return len(want) == len(got) and all(map(self.agree, want, got))
        if isinstance(want, str): return want.encode() == got or b"." in got and float(want) == float(got)
        if "fields" not in want: return all(self.agree(one, got[name]) for name, one in want.items())
        return self.agree(want["fields"], self.decode(self.layout(**{y: want[x] for x, y in (("format", "message"), ("strategy", "strategy")) if x in want}), got))
class Play:  # one vector, on connections of its own; without a server, its bytes and the codec alone
    def __init__(self, codec, server): self.codec, self.server, self.links, self.captured, self.sent, self.arrived = codec, server, {}, {}, {}, {}
    def link(self, name):  # a socket, what is read from it, and requests that wait for their replies
        if name in self.links: return self.links[name]
        link = socket.socket(type=socket.SOCK_DGRAM if self.server[0] == "udp" else socket.SOCK_STREAM)
        link.settimeout(10); link.connect((self.server[1], int(self.server[2])))
        return self.links.setdefault(name, (link, self.server[0] != "udp" and link.makefile("rb"), []))
    def receive(self, on, layout): return self.codec.decode(layout, self.link(on)[1] or self.link(on)[0].recv(65536))
    def exchange(self, on, name, values):
        self.link(on)[0].sendall(self.codec.encode(self.codec.layout(kind="request", message=name), values))
        return self.receive(on, self.codec.layout(kind="reply", message=name))
    def run(self, vector):
        if "refuse" in vector: return refuse(self.codec, *vector["refuse"])
        self.purge(vector)
        try: [self.step(place, step) for place, step in enumerate(vector["steps"])]
        finally: self.purge(vector)
    def purge(self, vector):
        for key in vector.get("keys", []) if self.server else []: self.exchange("purge", "PURGE", value_of([key])[0])
    def step(self, place, step):
        if "request" in step: self.answer(step["request"], step["answer"])
        elif "send" in step: self.send(place, step)
        elif "expect" in step or "any_of" in step: self.expect(step.get("any_of", [step]), step["on"])
        elif self.server and "close" in step: self.links.pop(step["on"])[0].shutdown(socket.SHUT_RDWR)
        elif self.server: self.exchange(step["on"], "ping", {"request_id": b"1234321"})  # nothing comes before its reply
    def answer(self, asked, answer):  # of states
        want, text = (asked, answer["state"]) if asked["op"] == "encode" else (answer, asked["state"])
        parts = {name: {"strategy": part, "fields": {}} for name, part in zip(("primary", "secondary"), asked.get("of", []))}
        refused = refusal(lambda: "error" in answer and self.codec.agree({**asked, "fields": parts}, text.encode())) is not None
        if not (refused if "error" in answer else self.codec.agree(want, text.encode())): raise Refused(f"the codec reads {text} otherwise")
    def send(self, place, step):
        data, name = bytes_of(step["hex"]), step["send"]
        if name and self.codec.encode(self.codec.layout(kind="request", message=name), value_of([step.get("fields", {})])[0]) != data:
            raise Refused(f"the codec does not encode {name} as {data.hex()}")
        for one in step.get("substitute", {}).values() if self.server else []: data = data[:one["at"][0]] + self.captured[one["name"]] + data[sum(one["at"]):]
        if self.server: self.link(step["on"])[2].append((name, place)); self.sent[place] = time.monotonic_ns(); self.link(step["on"])[0].sendall(data)
    def expect(self, messages, on):
        name, kind, examples = messages[0]["expect"], "push" if "push" in messages[0] else "reply", []
        layout = self.codec.layout(kind=kind, message=name)
        for one, data in ((one, bytes_of(one["hex"])) for one in messages):
            plain = {x: value_of(y) for x, y in one.get("fields", {}).items() if x != "status" and not is_match(y)}
            examples.append(self.codec.decode(layout, data))
            if self.codec.encode(layout, {**examples[-1], **plain}) != data: raise Refused(f"the codec reads {name} as {examples[-1]}")
        if not self.server: return
        self.asked = next((place for asked, place in self.link(on)[2] if asked == name and kind == "reply"), None)
        if self.asked is not None: self.link(on)[2].remove((name, self.asked))
        values, self.arrived[self.asked] = self.receive(on, layout), time.monotonic_ns()
        if not any(map(self.agrees, messages, examples, [values] * len(messages))): raise Refused(f"{name} came as {str(values)[:300]}")
    def agrees(self, message, example, values):
        wants, after = message.get("fields", {}), message.get("only_after")
        if after and value_of(after["full"]) * after["unit_ns"] > self.elapsed(after["since"])[1]: return False
        return values.keys() == example.keys() and all(self.matches(y, values.get(x), x) for x, y in wants.items() if is_match(y)) and \
            all(values[x] == y for x, y in example.items() if not is_match(wants.get(x)) and not isinstance(y, list))
    def elapsed(self, since): return max(0, self.sent[self.asked] - self.arrived.get(since, 1 << 64)), self.arrived[self.asked] - self.sent[since]
    def matches(self, want, raw, name):
        match, number = want["match"] if is_match(want) else "equals", int.from_bytes(raw if isinstance(raw, bytes) else b"", "little")
        if match == "equals": return value_of(want) in (raw, number)
        if match == "capture": self.captured[want["name"]] = raw
        if match.startswith("captured"): return raw in (self.captured[want["name"]], self.captured[want["name"]].hex().encode())
        if match == "one_of": return number in map(value_of, want["choices"])
        if match == "range": return value_of(want["min"]) <= number <= value_of(want["max"])
        if match == "set_of":
            known, wanted = self.codec.records.get(name, []), want["records"]
            hits = [sum(all(self.matches(y, one[x], x) for x, y in record.items()) for one in known) for record in wanted]
            return set(hits) <= {1} and not (want["exactly"] and len(known) > len(hits))
        if match != "remaining": return True
        (least, most), unit = self.elapsed(want["since"]), want["unit_ns"]; full, step = value_of(want["full"]) * unit, unit if unit < 10**9 else 1
        return full > least and max(0, full - most) // unit <= number <= (full - least // step * step) // unit  # short units pass as a whole
def refusal(run):  # why it is refused
    try: run()
    except Refused as why: return str(why)
def refuse(codec, message, one):  # bytes or values of a message that is not legal
    layout, valid = codec.layout(kind=message["kind"], message=message["message"]), bytes_of(message["valid"])
    why = refusal(lambda: codec.encode(layout, value_of([{**message["fields"], **one["change"]}])[0]) if "change" in one else
                  codec.decode(layout, valid[:one["first"]] if "first" in one else bytes_of(one["hex"])))
    if why not in ([why] if why and one["kind"] == "size" else [one.get("field", "")]): raise Refused(f"is refused at {why}")
def main(directory, spoken, *options):
    (dialect, _, width), load = spoken.partition("/"), lambda path: at_width(json.load(open(f"{directory}/{path}", "rb")), width)
    layouts, server = load(f"layouts/{dialect}.json"), next((re.split("://|:", one) for one in options if "://" in one), None)
    given, failures, passed, skipped = dict(one.split("=") for one in options if "://" not in one), 0, 0, 0
    cases = [(f"invalid/{message['message']}/{one['id']}", "deployed", {"refuse": (message, one)})
             for message in load(f"invalid/{dialect}.json")["messages"] for one in message["invalid"] if not server]
    for file in (load(os.path.relpath(path, directory)) for path in sorted(glob.glob(f"{directory}/{dialect}/**/*.json", recursive=True))):
        cases += [(one["id"].replace("{width}", width), file.get("profile", "deployed"), one) for one in file["vectors"] if width in file.get("widths", [width])]
    for name, profile, vector in cases:
        answers = {**layouts["answers"]["deployed"], **given} if server else {**layouts["answers"][profile], **vector.get("readings", {})}
        if vector.get("readings", {}).items() - answers.items() or vector.get("operation") == "decide": skipped += 1; continue
        try: Play(Codec(layouts, answers), server).run(vector); passed += 1
        except (Refused, OSError) as why: failures += 1; print(f"FAIL {name}: {why}")
    print(f"{passed} passed, {failures} failed, {skipped} skipped"); return int(failures > 0 or passed == 0)
sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 2 else print(__doc__, file=sys.stderr) or 2)
