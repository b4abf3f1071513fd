"""A codec of throttr-7.1 as released servers speak it, written from docs/dialects/throttr-7.1.md alone."""

WIDTHS = {"u8": 1, "u16": 2, "u32": 4, "u64": 8}

# Layouts: fields with their bytes; N is the value width, * as many as the field's size says.
KEY, CHANNEL = "key_size:1 key:*", "channel_size:1 channel:*"
REQUESTS = {"INSERT": "quota:N ttl_type:1 ttl:N " + KEY, "QUERY": KEY, "UPDATE": "attribute:1 change:1 value:N " + KEY,
            "PURGE": KEY, "SET": "ttl_type:1 ttl:N key_size:1 value_size:N key:* value:*", "GET": KEY, "LIST": "",
            "INFO": "", "STAT": KEY, "STATS": "", "SUBSCRIBE": CHANNEL, "UNSUBSCRIBE": CHANNEL,
            "PUBLISH": "channel_size:1 payload_size:N channel:* payload:*", "CONNECTIONS": "", "CONNECTION": "id:16",
            "CHANNELS": "", "CHANNEL": CHANNEL, "WHOAMI": ""}
CODES = {name: int(f"{place:02}", 16) for place, name in enumerate(REQUESTS, 1)}
REPLIES = {"QUERY": "quota:N ttl_type:1 ttl:N", "GET": "ttl_type:1 ttl:N value_size:N value:*", "WHOAMI": "id:16",
           "STAT": "reads_per_minute:8 writes_per_minute:8 total_reads:8 total_writes:8"}
# Listings: heads of all records of a fragment, then their tails.
CONNECTION = "id:16 ip_version:1 ip:16 port:2 connected_at:8 read_bytes:8 " + \
    " ".join(f"count_{i}:8" for i in range(22)) + " whoami_requests:8"
LISTS = {"LIST": ("key_size:1 key_type:1 ttl_type:1 time_point:8 bytes_used:N", "key:*"), "CONNECTIONS": (CONNECTION, ""),
         "STATS": ("key_size:1 " + REPLIES["STAT"], "key:*"), "CHANNEL": ("connection_id:16 rest:24", ""),
         "CHANNELS": ("channel_size:1 read_bytes:8 write_bytes:8 subscribed_connections:8", "channel:*")}


def number(data):
    return int.from_bytes(data, "little")


class Codec:
    def __init__(self, width):
        self.size = {"N": WIDTHS[width], "*": None}

    def fields(self, layout):
        return [(name, self.size.get(size) if size in self.size else int(size))
                for name, size in (field.split(":") for field in layout.split())]

    def encode(self, operation, values):
        data = bytes([CODES[operation]])
        for name, size in self.fields(REQUESTS[operation]):
            value = len(values[name[:-5]]) if name.endswith("_size") else values[name]
            data += value if isinstance(value, bytes) else value.to_bytes(size, "little")
        return data

    def record(self, read, layout, known=()):
        """The bytes of each field; `read(n)` gives the next n bytes."""
        values = dict(known)
        for name, size in self.fields(layout):
            values[name] = read(number(values[name + "_size"]) if size is None else size)
        return values

    def reply(self, read, operation):
        """The fields of a reply, and the records of a listing."""
        values, records = {"status": read(1)}, []
        if values["status"] == b"\1" and operation in REPLIES:
            values = self.record(read, REPLIES[operation], values)
        elif values["status"] == b"\1" and operation in LISTS:
            head, tail = LISTS[operation]
            for _ in range(1 if operation == "CHANNEL" else number(read(8))):
                read(0 if operation == "CHANNEL" else 8)  # the number of the fragment
                heads = [self.record(read, head) for _ in range(number(read(8)))]
                records += [self.record(read, tail, one) for one in heads]
        return values, records
