// Asks a server of throttr-7.1 or throttr-7.3 for INFO: what it says that it counted.
import { connect } from 'node:net';

const replyBytes = 1 + 52 * 8 + 16;
/** Places of the fields among the numbers of eight bytes behind the status (docs/dialects/throttr-7.3.md). */
const places = { requests: 1, insert: 3, query: 5, update: 7, purge: 9, keys: 43, connections: 51 };

/** The fields of `places`; rejects if the server does not answer in time. */
export function info(port, seconds = 10) {
  return new Promise((resolve, reject) => {
    let reply = Buffer.alloc(0);
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from([8])));
    const fail = (why) => {
      socket.destroy();
      reject(new Error(`INFO: ${why}`));
    };
    socket.setTimeout(seconds * 1000, () => fail('no reply in time'));
    socket.on('error', (error) => fail(error.message));
    socket.on('close', () => fail('the server closed the connection'));
    socket.on('data', (bytes) => {
      reply = Buffer.concat([reply, bytes]);
      if (reply.length < replyBytes) return;
      socket.destroy();
      if (reply[0] !== 1) fail('the server refused');
      const numbers = Object.entries(places).map(([name, place]) => [name, Number(reply.readBigUInt64LE(1 + 8 * place))]);
      resolve(Object.fromEntries(numbers));
    });
  });
}

/** What the server counted between two answers; the second INFO itself is left out of the requests. */
export function between(before, after) {
  return Object.fromEntries(
    Object.keys(places).map((name) => [name, after[name] - before[name] - (name === 'requests' ? 1 : 0)]),
  );
}
