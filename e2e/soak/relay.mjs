// Relays TCP connections to a server, and resets some of them.
import { connect, createServer } from 'node:net';

/** A relay to the port: {port, resets, resetOne, close}. */
export async function relayTo(port) {
  const pairs = new Set();
  const relay = { resets: 0 };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const target = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const pair = [client, target];
    pairs.add(pair);
    const drop = () => {
      pairs.delete(pair);
      for (const socket of pair) if (!socket.destroyed) socket.resetAndDestroy();
    };
    for (const socket of pair) socket.on('error', drop);
    client.pipe(target).on('close', () => pairs.delete(pair));
    target.pipe(client);
  });
  await new Promise((resolve, reject) => server.on('error', reject).listen(0, '127.0.0.1', resolve));
  relay.port = server.address().port;
  /** Resets both sides of one connection; `choose` takes a number and returns one below it. */
  relay.resetOne = (choose) => {
    const pair = [...pairs][choose(pairs.size)];
    if (!pair) return;
    pairs.delete(pair);
    relay.resets += 1;
    for (const socket of pair) socket.resetAndDestroy();
  };
  relay.close = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
  return relay;
}
