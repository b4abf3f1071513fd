#!/usr/bin/env python3
"""States of rate limiters behind the line protocol of docs/adapter.md.

Reads a request a line from standard input and writes its answer, a line each, until the input ends:

    hallmark certify --dialect ratelimit-state pipe:"python3 docs/adapter/ratelimit_state.py"
"""

import json
import math
import re
import sys
from decimal import Decimal

NS = 10**9
INTEGER = re.compile(r"-?(0|[1-9][0-9]*)")
FLOAT = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")


class Malformed(Exception):
    """A state, or fields, that are not as they should be."""

    def __init__(self, offset, field, reason):
        super().__init__(reason)
        self.answer = {"offset": offset, "field": field, "reason": reason}


class Unsupported(Exception):
    """Something that this adapter does not have."""


# Texts of numbers.


def read_integer(text):
    """An int64 in decimal: no plus, no superfluous zeros."""
    if not INTEGER.fullmatch(text) or text == "-0":
        raise ValueError("expected a decimal number without superfluous zeros")
    number = int(text)
    if not -(2**63) <= number < 2**63:
        raise ValueError("expected a number of 64 bits")
    return number


def read_float(text):
    """A finite float64 in decimal."""
    if not FLOAT.fullmatch(text):
        raise ValueError("expected a decimal number, perhaps with a point and an exponent")
    number = float(text)
    if math.isinf(number):
        raise ValueError("expected a number that a float64 holds")
    return number


def float_text(number):
    """The shortest digits that read back as the same number, laid out like %g: with an exponent of
    at least two digits below 1e-4 and from 1e6 on."""
    sign, digits, exponent = Decimal(repr(number)).as_tuple()
    text = "".join(map(str, digits)).rstrip("0") or "0"
    power = exponent + len(digits) - 1 if number else 0  # of the first digit
    if -4 <= power < 6:
        if power < 0:
            text = "0." + "0" * (-power - 1) + text
        elif len(text) <= power + 1:
            text = text.ljust(power + 1, "0")
        else:
            text = text[: power + 1] + "." + text[power + 1 :]
    else:
        fraction = "." + text[1:] if len(text) > 1 else ""
        text = f"{text[0]}{fraction}e{'-' if power < 0 else '+'}{abs(power):02d}"
    return "-" + text if sign else text


def read_name(text):
    if not text or "|" in text:
        raise ValueError("expected a name without a bar")
    return text


def read_nothing(text):
    if text:
        raise ValueError("expected the end of the state")


# Formats: what follows the header, field by field. Version 2 ends with a bar.

LAST_BAR = ("last bar", read_nothing)
FORMATS = {
    "token-bucket": {
        "12": [("tokens", read_float), ("last_refill", read_integer)],
        "v2": [("tokens", read_float), ("last_refill", read_integer), LAST_BAR],
        "v1": [
            ("tokens", read_float),
            ("last_refill", read_integer),
            ("capacity", read_float),
            ("refill_rate", read_float),
        ],
    },
    "fixed-window": {
        "23": "quotas",
        "v2": [("count", read_integer), ("start", read_integer), LAST_BAR],
        "v1": [("count", read_integer), ("start", read_integer), ("duration", read_integer)],
    },
    "leaky-bucket": {
        "32": [("requests", read_float), ("last_leak", read_integer)],
        "v2": [("requests", read_float), ("last_leak", read_integer), LAST_BAR],
        "v1": [
            ("level", read_float),
            ("last_leak", read_integer),
            ("capacity", read_float),
            ("leak_rate", read_float),
        ],
    },
    "gcra": {
        "42": [("tat", read_integer)],
        "v2": [("tat", read_integer), LAST_BAR],
        "v1": [
            ("tat", read_integer),
            ("emission_interval", read_integer),
            ("limit", read_integer),
        ],
    },
    "composite": {"51": "parts", "cmp1": "parts"},
}
QUOTA = [("name", read_name), ("count", read_integer), ("start", read_integer)]
MOST_QUOTAS = 8
DEFAULT = "default"
PARTS = ("primary", "secondary")


def current(strategy):
    """The header that is written today."""
    return next(iter(FORMATS[strategy]))


class Parts:
    """What stands between the bars, with its offset in bytes."""

    def __init__(self, text, offset):
        self.parts = text.split("|")
        self.offset = offset

    def take(self, field, read):
        if not self.parts:
            raise Malformed(self.offset - 1, field, "the state ends before it")
        part = self.parts.pop(0)
        try:
            value = read(part)
        except ValueError as error:
            raise Malformed(self.offset, field, str(error)) from None
        self.offset += len(part.encode()) + 1
        return value

    def end(self):
        if self.parts:
            raise Malformed(self.offset - 1, "end", "the state goes on where it should end")


def quota_count(part):
    number = read_integer(part)
    if not 1 <= number <= MOST_QUOTAS:
        raise ValueError(f"expected 1 to {MOST_QUOTAS} quotas")
    return number


def parse(strategy, text, of=(None, None), offset=0):
    """Strategy, header and values of a state. `of`: the strategies within a composite. None: as the
    header says, which v1 and v2 do not."""
    header, bar, rest = text.partition("|")
    named = [name for name in FORMATS if header in FORMATS[name]]
    if strategy is None and len(named) == 1:
        strategy = named[0]
    if not bar or strategy not in named:
        raise Malformed(offset, "header", f"no header of {strategy or 'one strategy alone'}")
    form = FORMATS[strategy][header]
    offset += len(header) + 1
    if form == "parts":
        return strategy, header, parse_parts(rest, of, offset)
    parts = Parts(rest, offset)
    if form == "quotas":
        values = {"quotas": []}
        for _ in range(parts.take("quota_count", quota_count)):
            values["quotas"].append({field: parts.take(field, read) for field, read in QUOTA})
    else:
        values = {}
        for field, read in form:
            value = parts.take(field, read)
            if value is not None:
                values[field] = value
    parts.end()
    return strategy, header, values


def parse_parts(text, of, offset):
    primary, dollar, secondary = text.partition("$")
    if not dollar:
        raise Malformed(offset + len(text.encode()), "$", "the state ends before its separator")
    return {
        "primary": parse(of[0], primary, offset=offset),
        "secondary": parse(of[1], secondary, offset=offset + len(primary.encode()) + 1),
    }


def text_of(strategy, _header, values):
    """The state in its current format, whichever it had."""
    header = current(strategy)
    form = FORMATS[strategy][header]
    if form == "parts":
        return f"{header}|" + "$".join(text_of(*values[name]) for name in PARTS)
    if form == "quotas":
        records = [f"{one['name']}|{one['count']}|{one['start']}" for one in values["quotas"]]
        return "|".join([header, str(len(records)), *records])
    texts = [
        float_text(values[name]) if read is read_float else str(values[name]) for name, read in form
    ]
    return "|".join([header, *texts])


# The strategies: (configuration, values of the state or None, now, whether to take) to results,
# values of the state after, and ns until it may be forgotten.


def quota_result(allowed, remaining, reset, quota=DEFAULT):
    return {"quota": quota, "allowed": allowed, "remaining": max(0, remaining), "reset": reset}


def after_seconds(now, seconds):
    return now + math.ceil(seconds * NS)


def expiry(burst, rate):
    return max(NS, int(5 * burst / rate * NS))


def token_bucket(configuration, state, now, take):
    burst, rate = number(configuration, "burst", 1), number(configuration, "rate")
    tokens, last = (state["tokens"], state["last_refill"]) if state else (burst, now)
    tokens = min(tokens + (now - last) * rate / NS, burst)
    allowed = math.floor(tokens) >= 1
    if allowed and take:
        tokens -= 1
    reset = after_seconds(now, (burst - tokens if allowed else 1 - tokens) / rate)
    after = {"tokens": tokens, "last_refill": now}
    return [quota_result(allowed, int(tokens), reset)], after, expiry(burst, rate)


def leaky_bucket(configuration, state, now, take):
    capacity, rate = number(configuration, "capacity", 1), number(configuration, "rate")
    requests, last = 0.0, now
    if state:  # version 1 calls the requests a level
        requests, last = state.get("requests", state.get("level")), state["last_leak"]
    requests = max(0.0, requests - (now - last) * rate / NS)
    allowed = requests + 1 <= capacity
    if allowed and take:
        requests += 1
    reset = after_seconds(now, (requests if allowed else requests + 1 - capacity) / rate)
    after = {"requests": requests, "last_leak": now}
    result = quota_result(allowed, int(capacity) - int(requests), reset)
    return [result], after, expiry(capacity, rate)


def gcra(configuration, state, now, take):
    burst, rate = number(configuration, "burst", 1), number(configuration, "rate")
    if rate > NS:
        raise Malformed(0, "rate", "expected at most 1e9")
    interval = int(NS / rate)
    limit = int(burst * interval)
    tat = max(state["tat"], now) if state else now
    following = tat + interval
    allowed = following - now <= limit
    if allowed and take:
        tat = following
    remaining = min((limit - (tat - now)) // interval, int(burst))
    reset = tat if allowed else following - limit
    return [quota_result(allowed, remaining, reset)], {"tat": tat}, expiry(burst, rate)


def fixed_window(configuration, state, now, take):
    quotas = read_quotas(configuration)
    known = {one["name"]: one for one in records_of(state, quotas)}
    windows = []
    for name, limit, window in quotas:
        one = known.get(name)
        over = one is None or now - one["start"] >= window
        windows.append((0, now) if over else (one["count"], one["start"]))
    below = [count < limit for (_, limit, _), (count, _) in zip(quotas, windows)]
    taken = 1 if all(below) and take else 0
    results, records, expires_in = [], [], 0
    for (name, limit, window), (count, start), free in zip(quotas, windows, below):
        reset = start + window
        results.append(quota_result(free, limit - count - taken, reset, name))
        records.append({"name": name, "count": count + taken, "start": start})
        expires_in = max(expires_in, 5 * (reset - now))
    return results, {"quotas": records}, expires_in


def read_quotas(configuration):
    quotas = []
    for one in of_type(configuration, "quotas", list):
        name, limit, window = of_type(one, "name", str), integer(one, "limit"), integer(one, "window_ns")
        if not name or "|" in name or limit < 0 or window <= 0:
            raise Malformed(0, "quotas", "expected names without bars, limits, and windows above 0")
        quotas.append((name, limit, window))
    if not 1 <= len({name for name, _, _ in quotas}) == len(quotas) <= MOST_QUOTAS:
        raise Malformed(0, "quotas", f"expected 1 to {MOST_QUOTAS} quotas of different names")
    return quotas


def records_of(state, quotas):
    """Of a state, by quota. Versions before 3 name none: theirs is the only one."""
    if state is None or "quotas" in state:
        return state["quotas"] if state else []
    if len(quotas) != 1:
        raise Malformed(0, "header", "this version names no quota, and there are several")
    return [{**state, "name": quotas[0][0]}]


STRATEGIES = {
    "token-bucket": token_bucket,
    "fixed-window": fixed_window,
    "leaky-bucket": leaky_bucket,
    "gcra": gcra,
}


def decide_single(configuration, state, now):
    strategy = known_strategy(of_type(configuration, "strategy", str), STRATEGIES)
    values = None if state is None else parse(strategy, state)[2]
    results, after, expires_in = STRATEGIES[strategy](configuration, values, now, True)
    return results, (strategy, None, after), expires_in


def decide_composite(configuration, state, now):
    parts = [of_type(configuration, name, dict) for name in PARTS]
    of = [known_strategy(of_type(part, "strategy", str), STRATEGIES) for part in parts]
    held = parse("composite", state, of)[2] if state is not None else {}

    def ask(take):
        return [
            STRATEGIES[strategy](part, held[name][2] if held else None, now, take)
            for name, strategy, part in zip(PARTS, of, parts)
        ]

    answers = ask(False)
    if all(allows(results) for results, _, _ in answers):
        answers = ask(True)  # both take, or none does
    after = {name: (one, None, answer[1]) for name, one, answer in zip(PARTS, of, answers)}
    results = [result for one, _, _ in answers for result in one]
    return results, ("composite", None, after), max(longest for _, _, longest in answers)


def allows(results):
    return all(result["allowed"] for result in results)


# Requests and their members.


def of_type(holder, name, kind):
    value = holder.get(name) if isinstance(holder, dict) else None
    if not isinstance(value, kind):
        raise Malformed(0, name, f"expected a member '{name}' of another type")
    return value


def integer(holder, name):
    try:
        return read_integer(of_type(holder, name, str))
    except ValueError as error:
        raise Malformed(0, name, str(error)) from None


def number(holder, name, least=0):
    try:
        value = read_float(of_type(holder, name, str))
    except ValueError as error:
        raise Malformed(0, name, str(error)) from None
    if value <= 0 or value < least:
        raise Malformed(0, name, f"expected a number above 0, and at least {least}")
    return value


def known_strategy(name, known=FORMATS):
    if name not in known:
        raise Unsupported(f"no strategy '{name}' here")
    return name


def shown(values):
    """Values as texts."""
    return {
        name: [shown(one) for one in value]
        if isinstance(value, list)
        else float_text(value)
        if isinstance(value, float)
        else str(value)
        for name, value in values.items()
    }


def shown_state(strategy, header, values):
    if strategy == "composite":
        values = {name: shown_state(*part) for name, part in values.items()}
    else:
        values = shown(values)
    return {"format": f"{strategy}/{header}", "fields": values}


def read_fields(strategy, fields):
    form = FORMATS[strategy][current(strategy)]
    if form == "parts":
        return {name: read_part(of_type(fields, name, dict)) for name in PARTS}
    if form == "quotas":
        quotas = [read_record(one, QUOTA) for one in of_type(fields, "quotas", list)]
        if not 1 <= len(quotas) <= MOST_QUOTAS:
            raise Malformed(0, "quotas", f"expected 1 to {MOST_QUOTAS}")
        return {"quotas": quotas}
    return read_record(fields, form)


def read_part(part):
    strategy = known_strategy(of_type(part, "strategy", str))
    return strategy, None, read_fields(strategy, of_type(part, "fields", dict))


def read_record(fields, form):
    values = {}
    for name, read in form:
        try:
            values[name] = read(of_type(fields, name, str))
        except ValueError as error:
            raise Malformed(0, name, str(error)) from None
    return values


def hello(_request):
    return {
        "protocol": 1,
        "implementation": "ratelimit_state.py 1",
        "supports": {
            "decode": [f"{strategy}/{header}" for strategy in FORMATS for header in FORMATS[strategy]],
            "encode": list(FORMATS),
            "decide": [*STRATEGIES, "composite"],
        },
    }


def decode(request):
    strategy = known_strategy(of_type(request, "strategy", str))
    of = (None, None)
    if strategy == "composite":
        of = [known_strategy(name) for name in of_type(request, "of", list)]
        if len(of) != 2:
            raise Malformed(0, "of", "expected two strategies")
    state = of_type(request, "state", str)
    return shown_state(*parse(strategy, state, of))


def encode(request):
    strategy = known_strategy(of_type(request, "strategy", str))
    text = text_of(strategy, None, read_fields(strategy, of_type(request, "fields", dict)))
    return {"state": text}


def decide(request):
    configuration = of_type(request, "configuration", dict)
    strategy = known_strategy(of_type(configuration, "strategy", str))
    state = request.get("state", 0)
    if state is not None and not isinstance(state, str):
        raise Malformed(0, "state", "expected a text or null")
    decision = decide_composite if strategy == "composite" else decide_single
    results, after, expires_in = decision(configuration, state, integer(request, "now"))
    allowed = allows(results)
    answer = {"allowed": allowed, "results": [], "state": text_of(*after) if allowed else None}
    for result in results:
        texts = {name: str(result[name]) for name in ("remaining", "reset")}
        answer["results"].append({**result, **texts})
    if allowed:
        answer["expires_in_ms"] = str(-(-expires_in // 10**6))
    return answer


OPERATIONS = {"hello": hello, "decode": decode, "encode": encode, "decide": decide}


def answer(request):
    operation = request.get("op")
    if not isinstance(operation, str) or operation not in OPERATIONS:
        return {"unsupported": f"no operation {operation!r} here"}
    try:
        return OPERATIONS[operation](request)
    except Unsupported as lack:
        return {"unsupported": str(lack)}
    except Malformed as malformed:
        return {"error": malformed.answer}
    except ArithmeticError:
        return {"error": {"offset": 0, "field": "state", "reason": "beyond what numbers hold"}}


def main():
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps({"id": request["id"], **answer(request)}), flush=True)


if __name__ == "__main__":
    main()
