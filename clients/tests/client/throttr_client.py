"""A client of Throttr 2.0, 6.0, 7.1 and 7.3, written from their documents; standard library only.

Replies are read with a deadline. Bytes that no request waits for, values that are not listed and
connections that end too early are errors. Each name in BUGS is a mistake that it can be told to make.
"""

import os
import select
import socket
import struct
import time

WIDTHS = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q"}
UNITS = {1: 1e-9, 2: 1e-6, 3: 1e-3, 4: 1.0, 5: 60.0, 6: 3600.0}  # seconds of a TTL type
UNITS_2_0 = {0: 1e-9, 1: 1e-3, 2: 1.0}
KEY_TYPES = {0: "counter", 1: "buffer"}

BUGS = {
    "reads-once", "reads-what-is-there", "reads-until-quiet", "no-deadline",
    "any-status-is-success", "ttl-type-unchecked", "key-type-unchecked", "assumes-order",
    "first-fragment-only", "delivery-as-reply", "drops-deliveries", "end-as-zeros",
    "end-as-success", "surplus-unchecked", "drains-before-asking", "waits-at-the-end",
    "aborts-on-large-sizes", "takes-part-of-a-value", "ignores-value-size", "silence-as-success",
    "unknown-as-delivery", "ids-unchecked", "one-id",
    "wrong-width", "key-size-too-large", "unlisted-ttl-type", "unlisted-change",
    "unknown-opcode", "half-a-request", "leaves-replies",
}


class Broken(Exception):
    """What came is not what a server may send, or nothing came."""


class Client:
    def __init__(self, host, port, dialect, width, deadline, bugs):
        self.bugs = bugs
        self.deadline = None if self.has("no-deadline") else deadline
        self.dialect = dialect
        self.width = "u32" if self.has("wrong-width") and width == "u16" else width
        self.number = "<" + WIDTHS[self.width]
        self.has_ids = dialect == "throttr-2.0"
        self.units = UNITS_2_0 if self.has_ids else UNITS
        self.push = {"throttr-7.1": 0x03, "throttr-7.3": 0x19}.get(dialect)
        self.next_id = 1
        self.buffer = b""
        self.deliveries = []
        self.subscribed = False
        self.started = False   # a reply has begun
        self.in_value = False  # the rest of it is a value
        self.held = None       # requests that leave together
        self.socket = socket.create_connection((host, port), timeout=10)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def has(self, bug):
        return bug in self.bugs

    def close(self):
        if self.has("half-a-request"):
            self.socket.sendall(b"\x02")
        self.socket.close()

    # Bytes.

    def fill(self, until):
        """Waits for more bytes; Broken when the deadline is over or the connection ends."""
        left = None if until is None else max(0.0, until - time.monotonic())
        if not select.select([self.socket], [], [], left)[0]:
            raise Broken("no reply within the deadline")
        came = self.socket.recv(65536)
        if not came:
            if self.has("waits-at-the-end"):
                while True:
                    time.sleep(0.05)
            raise EOFError("the connection ended within a reply")
        self.buffer += came

    def until(self):
        return None if self.deadline is None else time.monotonic() + self.deadline

    def take(self, size):
        until = self.until()
        if self.has("reads-what-is-there") and not self.buffer:
            time.sleep(0.02)
            until = time.monotonic()
        if self.has("reads-until-quiet"):
            if not self.buffer:
                self.fill(until)
                while select.select([self.socket], [], [], 0.004)[0]:
                    self.fill(until)
            until = time.monotonic()
        if self.has("reads-once") and len(self.buffer) < size:
            self.fill(until)
        elif len(self.buffer) < size:
            self.fill_to(size, until)
        taken, self.buffer = self.buffer[:size], self.buffer[size:]
        if len(taken) < size and not self.has("takes-part-of-a-value"):
            raise Broken("a part of a reply")
        return taken

    def fill_to(self, size, until):
        while len(self.buffer) < size:
            try:
                self.fill(until)
            except EOFError as error:
                if self.has("end-as-zeros"):
                    self.buffer += bytes(size - len(self.buffer))
                elif self.has("end-as-success"):
                    self.buffer += b"\x01" * (size - len(self.buffer))
                else:
                    raise Broken(str(error)) from error
            except Broken:
                if self.has("silence-as-success") and not self.started:
                    self.buffer += b"\x01"
                elif self.has("takes-part-of-a-value") and self.in_value:
                    return
                else:
                    raise

    def unpack(self, layout):
        return struct.unpack("<" + layout, self.take(struct.calcsize("<" + layout)))

    def values(self, layout):
        """As unpack; N stands for a number of the server's width."""
        return self.unpack(layout.replace("N", WIDTHS[self.width]))

    # Requests.

    def send(self, opcode, body):
        if self.has("drains-before-asking") and not self.subscribed:
            if select.select([self.socket], [], [], 0.02)[0]:
                self.socket.recv(65536)
        elif not self.has("surplus-unchecked"):
            self.check_nothing_waits()
        identity = b""
        if self.has_ids:
            identity = struct.pack("<I", self.next_id)
            if not self.has("one-id"):
                self.next_id += 1
        request = bytes([opcode]) + identity + body
        if self.held is None:
            self.socket.sendall(request)
        else:
            self.held += request
        return identity

    def pipelined(self, asks):
        """Sends the requests of all these functions at once; returns their ids."""
        self.held = b""
        identities = [ask() for ask in asks]
        requests, self.held = self.held, None
        self.socket.sendall(requests)
        return identities

    def check_nothing_waits(self):
        """Nothing is asked yet: whatever is there are deliveries."""
        while self.buffer or select.select([self.socket], [], [], 0)[0]:
            if not self.buffer:
                try:
                    self.fill(self.until())
                except EOFError as error:
                    raise Broken("the connection has ended") from error
            if not self.subscribed or not self.is_push(self.buffer[0]):
                raise Broken("bytes that no request waits for")
            self.take_delivery()

    def is_push(self, byte):
        return byte == self.push or (self.has("unknown-as-delivery") and byte > 1)

    def named(self, name):
        size = len(name) + (1 if self.has("key-size-too-large") else 0)
        if self.has_ids:
            return struct.pack("<BB", size, 1) + name + b"r"
        return struct.pack("<B", size) + name

    def status(self, identity):
        self.started = self.in_value = False
        if self.has_ids:
            answered = self.take(4)
            if answered != identity and not self.has("ids-unchecked"):
                raise Broken("the reply to another request")
        elif self.push is not None and self.subscribed and not self.has("delivery-as-reply"):
            self.take_deliveries()
        status = self.take(1)[0]
        self.started = True
        if status == 1 or (status > 1 and self.has("any-status-is-success")):
            return True
        if status == 0:
            return False
        raise Broken(f"status {status:02x}")

    # Deliveries.

    def take_deliveries(self):
        while True:
            first = self.take(1)
            self.buffer = first + self.buffer
            if not self.is_push(first[0]):
                return
            self.take_delivery()
            if self.has("drops-deliveries"):
                self.deliveries.pop()

    def take_delivery(self):
        self.started = self.in_value = False
        self.take(1)
        self.started = True
        channel = b""
        if self.dialect == "throttr-7.3":
            size, payload_size = self.values("BN")
            channel = self.take(size)
        else:
            (payload_size,) = self.values("N")
        payload = self.take(payload_size)
        self.deliveries.append((channel, payload))

    def wait_for(self, payload):
        """Waits for a delivery of that payload; those of others are passed over."""
        until = self.until()
        while True:
            for delivery in self.deliveries:
                if delivery[1] == payload:
                    self.deliveries.remove(delivery)
                    return
            if not self.buffer:
                try:
                    self.fill(until)
                except EOFError as error:
                    raise Broken("the connection has ended") from error
            if not self.is_push(self.buffer[0]):
                raise Broken("a delivery of no known kind")
            self.take_delivery()

    # Operations.

    def ttl_type(self, seconds):
        if self.has("unlisted-ttl-type"):
            return 9
        return 2 if self.has_ids else 4

    def ask_insert(self, key, quota, ttl):
        return self.send(1, struct.pack(self.number, quota) + bytes([self.ttl_type(ttl)]) +
                         struct.pack(self.number, ttl) + self.named(key))

    def insert(self, key, quota, ttl):
        return self.status(self.ask_insert(key, quota, ttl))

    def ask_query(self, key):
        return self.send(2, self.named(key))

    def answer_query(self, identity):
        if not self.status(identity):
            return None
        quota, unit, ttl = self.values("NBN")
        return quota, self.seconds(ttl, unit)

    def query(self, key):
        """The quota and the seconds that are left; None: there is no such counter."""
        return self.answer_query(self.ask_query(key))

    def seconds(self, ttl, unit):
        if unit not in self.units and not self.has("ttl-type-unchecked"):
            raise Broken(f"TTL type {unit:02x}")
        return ttl * self.units.get(unit, 1.0)

    def update(self, key, change, value):
        if self.has("unlisted-change") and change == 0:
            change = 9
        return self.status(self.send(3, bytes([0, change]) + struct.pack(self.number, value) +
                                     self.named(key)))

    def purge(self, key):
        return self.status(self.send(4, self.named(key)))

    def set(self, key, value, ttl):
        return self.status(self.send(5, bytes([self.ttl_type(ttl)]) + struct.pack(self.number, ttl) +
                                     bytes([len(key)]) + struct.pack(self.number, len(value)) +
                                     key + value))

    def get(self, key, expected_size):
        if not self.status(self.send(6, self.named(key))):
            return None
        unit, ttl, size = self.values("BNN")
        self.seconds(ttl, unit)
        if self.has("aborts-on-large-sizes") and size > 200:
            os.abort()
        self.in_value = True
        return self.take(expected_size if self.has("ignores-value-size") else size)

    def list(self):
        """The kinds of all keys."""
        if not self.status(self.send(7, b"")):
            raise Broken("LIST failed")
        found = {}
        (fragments,) = self.unpack("Q")
        for _ in range(1 if self.has("first-fragment-only") else fragments):
            _, count = self.unpack("QQ")
            heads = [self.values("BBBQN") for _ in range(count)]
            for size, kind, unit, _, _ in heads:
                if kind not in KEY_TYPES and not self.has("key-type-unchecked"):
                    raise Broken(f"key type {kind:02x}")
                self.seconds(0, unit)
                name = self.take(size)
                guessed = "counter" if name == b"first" else "buffer"
                found[name] = KEY_TYPES.get(kind, guessed)
        if self.has("assumes-order"):
            return dict(zip(sorted(found), (found[name] for name in found)))
        return found

    def subscribe(self, channel):
        identity = self.send(0x11, bytes([len(channel)]) + channel)
        status = self.status(identity)
        self.subscribed = True
        return status

    def publish(self, channel, payload):
        """7.1 does not answer it."""
        self.send(0x13, bytes([len(channel)]) + struct.pack(self.number, len(payload)) + channel +
                  payload)
        if self.dialect == "throttr-7.3":
            self.status(b"")

    def whoami(self):
        if not self.status(self.send(0x18, b"")):
            raise Broken("WHOAMI failed")
        return self.take(16)
