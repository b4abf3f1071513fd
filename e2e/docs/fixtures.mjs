// Files that pages take for granted: made when a command names one that is not there.
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pages.mjs';

const copied = {
  'session.pcap': 'captures/tests/data/ethernet-ipv4.pcap',
  'limits.rules': 'docs/example.rules',
};

const now = `${Date.now()}000000`;

const written = {
  'batch.json': '{"description": "Night batch", "mix": "update=75,query=25", "keys": 200000, "key-choice": "zipf:0.8"}\n',
  'captured.bin': '17 ok N 1.4 22.0 20',
  'my.rules': '22/20 leaky "ws ip=*"\n5/10 strict "user id-*"\n',
  'states.tsv': `rl:alice\t12|8.5|${now}\nrl:bob\t12|3|${now}\n`,
};

/** The result of one operation at one width, as JSON. */
const certify = (width) => [
  `hallmark serve --width ${width} --listen tcp://127.0.0.1:91${width.slice(1).padStart(2, '0')}`,
  `hallmark certify tcp://127.0.0.1:91${width.slice(1).padStart(2, '0')} --filter '*/query/found*'`,
];
const load = ['hallmark load tcp://127.0.0.1:9000 --rate 500 --duration 200ms'];

const made = {
  'yesterday.json': certify('u16'),
  'last-week.json': certify('u16'),
  'today.json': certify('u16'),
  'certify-u8.json': certify('u8'),
  'certify-u16.json': certify('u16'),
  'certify-u32.json': certify('u32'),
  'certify-u64.json': certify('u64'),
  'load.json': load,
  'machine-1.json': load,
  'machine-2.json': load,
};

const outputs = /--(json|html|csv|hlog|list|certificate|junit|badge|write-known-failures|reproductions) \S+/g;

/** Makes the files that a command reads and that are not in the directory of the session. */
export async function makeMissing(session, command) {
  for (const word of command.replace(outputs, '').split(/\s+/)) {
    const path = join(session.directory, word);
    if (!/^[\w-]+\.\w+$/.test(word) || existsSync(path)) continue;
    if (copied[word]) copyFileSync(join(root, copied[word]), path);
    else if (written[word]) writeFileSync(path, written[word]);
    else if (made[word]) await make(session, made[word], word);
  }
}

/** Runs the servers that a result needs, and its command, the last one, which writes it. */
async function make(session, commands, file) {
  for (const server of commands.slice(0, -1)) await session.run({ command: server, shown: [] });
  const { code, printed } = await session.run({ command: `${commands.at(-1)} --json ${file}`, shown: [] });
  if (!existsSync(join(session.directory, file))) throw new Error(`${commands.at(-1)}: exit code ${code}\n${printed}`);
}

/** The option for a server of datagrams that the page has rules for. */
makeMissing.rulesIn = (directory) => {
  const file = ['my.rules', 'limits.rules'].find((name) => existsSync(join(directory, name)));
  return file ? ` --rules ${file}` : '';
};
