// Ports of the loopback address for servers that have to be told theirs.
import { createSocket } from 'node:dgram';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Above the ports that Linux gives to clients (32768 to 60999) and those that `certify` gives to its targets (10000 to
 * 32000): neither can take one between the moment it is chosen and the moment its server listens. */
const [firstPort, endOfPorts] = [61_000, 65_536];

const mostRemembered = 1000;
const given = new Set();

/** Resolves to true if a socket could be bound to the port of the loopback address. */
function binds(socket, bind) {
  return new Promise((resolve) => {
    socket.on('error', () => resolve(false));
    bind(() => socket.close(() => resolve(true)));
  });
}

async function isFree(port) {
  const stream = createServer();
  if (!(await binds(stream, (done) => stream.listen(port, '127.0.0.1', done)))) return false;
  const datagrams = createSocket('udp4');
  return binds(datagrams, (done) => datagrams.bind(port, '127.0.0.1', done));
}

/** A port that is free over TCP and over UDP, and none of the last thousand that this process was given. */
export async function freePort() {
  for (let tries = 0; tries < 1000; ++tries) {
    const port = randomInt(firstPort, endOfPorts);
    if (given.has(port)) continue;
    if (given.size === mostRemembered) given.delete(given.values().next().value);
    given.add(port);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${firstPort} to ${endOfPorts - 1} is free`);
}
