// Conversations as a capture: pcap with raw IPv4 packets, a millisecond apart.

const linkTypeRaw = 101;
const mostPayload = 32_000;
export const ports = { tcp: 9000, udp: 2000 };

function ipv4(protocol, segment, fromClient, client) {
  const header = Buffer.alloc(20);
  header[0] = 0x45;
  header.writeUInt16BE(20 + segment.length, 2);
  header[8] = 64;
  header[9] = protocol;
  const ends = [Buffer.from([10, 0, client >> 8, client & 255]), Buffer.from([10, 1, 0, 1])];
  ends[fromClient ? 0 : 1].copy(header, 12);
  ends[fromClient ? 1 : 0].copy(header, 16);
  let sum = 0;
  for (let i = 0; i < 20; i += 2) sum += header.readUInt16BE(i);
  sum = (sum & 0xffff) + (sum >> 16);
  header.writeUInt16BE(~(sum + (sum >> 16)) & 0xffff, 10);
  return Buffer.concat([header, segment]);
}

/** Returns the capture and, for each of its packets, the connection and the side that sent it. */
export function captureOf(connections, transport) {
  const records = [];
  const packets = [];
  const add = (connection, side, packet) => {
    const head = Buffer.alloc(16);
    const at = packets.length;
    head.writeUInt32LE(1_700_000_000 + Math.floor(at / 1000), 0);
    head.writeUInt32LE((at % 1000) * 1000, 4);
    head.writeUInt32LE(packet.length, 8);
    head.writeUInt32LE(packet.length, 12);
    records.push(head, packet);
    packets.push({ connection, side });
  };
  connections.forEach((messages, connection) => {
    const client = 40_000 + (connection % 20_000);
    const host = 1 + Math.floor(connection / 20_000);
    const next = { client: 1, server: 1 };
    const send = (side, bytes, flags = 0x18) => {
      const fromClient = side === 'client';
      const [from, to] = fromClient ? [client, ports[transport]] : [ports[transport], client];
      let head;
      if (transport === 'udp') {
        head = Buffer.alloc(8);
        head.writeUInt16BE(8 + bytes.length, 4);
      } else {
        head = Buffer.alloc(20);
        head.writeUInt32BE(next[side] >>> 0, 4);
        head.writeUInt32BE(flags === 0x02 ? 0 : next[fromClient ? 'server' : 'client'] >>> 0, 8);
        head[12] = 0x50;
        head[13] = flags;
        head.writeUInt16BE(65_535, 14);
        next[side] += bytes.length;
      }
      head.writeUInt16BE(from, 0);
      head.writeUInt16BE(to, 2);
      add(connection, side, ipv4(transport === 'udp' ? 17 : 6, Buffer.concat([head, bytes]), fromClient, host));
    };
    if (transport === 'tcp') {
      next.client = next.server = 0;
      send('client', Buffer.alloc(0), 0x02);
      next.client = 1;
      send('server', Buffer.alloc(0), 0x12);
      next.server = 1;
      send('client', Buffer.alloc(0), 0x10);
    }
    for (const { side, bytes } of messages) {
      for (let at = 0; at < bytes.length; at += mostPayload) send(side, bytes.subarray(at, at + mostPayload));
    }
  });
  const head = Buffer.alloc(24);
  head.writeUInt32LE(0xa1b2c3d4, 0);
  head.writeUInt16LE(2, 4);
  head.writeUInt16LE(4, 6);
  head.writeUInt32LE(262_144, 16);
  head.writeUInt32LE(linkTypeRaw, 20);
  return { file: Buffer.concat([head, ...records]), packets };
}
