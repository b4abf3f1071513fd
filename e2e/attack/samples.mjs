// Every file that Hallmark reads, valid; most are written by the program itself. Each has the commands that read it.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const nobody = 'tcp://127.0.0.1:1';
const speaks = ['--dialect', 'throttr-7.1', '--width', 'u16'];

/** Exit code 4: a busy machine sent late. */
function make(program, cwd, args) {
  const made = spawnSync(program, args, { cwd, encoding: 'utf8', timeout: 120_000 });
  if (made.signal !== null || ![0, 1, 4].includes(made.status)) throw new Error(`${args.join(' ')}: ${made.status ?? made.signal} ${made.stderr}`);
}

/** Starts a server; resolves to its endpoint and to what ends it. */
export function startServer(program) {
  const child = spawn(program, ['serve', ...speaks, '--listen', 'tcp://127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((done, fail) => {
    let said = '';
    child.stdout.on('data', (data) => {
      said += data;
      const endpoint = said.match(/listening on (\S+)\n/)?.[1];
      if (endpoint) done({ endpoint, stop: () => child.kill() });
    });
    child.on('exit', (code) => fail(new Error(`the server ended before it listened: exit code ${code}`)));
  });
}

/** A capture of one TCP segment of a QUERY, as tcpdump writes it. */
function pcap() {
  const payload = Buffer.from('0203616263', 'hex');
  const header = Buffer.alloc(24);
  header.writeUInt32LE(0xa1b2c3d4, 0);
  header.writeUInt16LE(2, 4);
  header.writeUInt16LE(4, 6);
  header.writeUInt32LE(65535, 16);
  header.writeUInt32LE(101, 20);  // raw IP
  const ip = Buffer.alloc(40);
  ip[0] = 0x45;
  ip.writeUInt16BE(40 + payload.length, 2);
  ip.set([64, 6], 8);
  ip.set([127, 0, 0, 1, 127, 0, 0, 1], 12);
  ip.writeUInt16BE(40000, 20);
  ip.writeUInt16BE(9000, 22);
  ip.set([0x50, 0x18, 0xff, 0xff], 32);
  const packet = Buffer.alloc(16);
  packet.writeUInt32LE(40 + payload.length, 8);
  packet.writeUInt32LE(40 + payload.length, 12);
  return Buffer.concat([header, packet, ip, payload]);
}

/** Makes them in `directory`; `tree`: the sources; `endpoint`: where a server listens. `%` in a command is the damaged file. */
export function makeSamples(program, tree, directory, endpoint) {
  const exec = `exec:${program} serve ${speaks.join(' ')} --listen tcp://127.0.0.1:{port}`;
  make(program, directory, ['certify', exec, ...speaks, '--filter', '*/query/*', '--json', 'certify.json', '--certificate', 'run.certificate',
    '--write-known-failures', 'known.json']);
  const write = (name, text) => writeFileSync(join(directory, name), text);
  make(program, directory, ['load', endpoint, ...speaks, '--rate', '200', '--duration', '500ms', '--json', 'load.json']);
  make(program, directory, ['certify', exec, ...speaks, '--filter', '*/query/found', '--pcap', 'session.pcapng']);
  write('known.json', JSON.stringify({ format: 'hallmark-known-failures', format_version: 1,
    failures: [{ case: 'throttr-7.1/u16/query/found', code: 'wrong-field QUERY.ttl', why: 'x', flaky: true }] }));
  write('workload.json', JSON.stringify({ description: 'x', mix: 'query=1', keys: 10, stages: true }));
  write('keys.txt', 'alpha\nbeta\ngamma\n');
  write('times.txt', '0\n0.001\n0.002\n');
  write('states.tsv', 'a\t12|8.5|1761884055342794596\nb\tv2|1761884055342794596|\n');
  write('audit.json', JSON.stringify({ rules: [{ match: 'rl:user:*', strategy: 'token-bucket' },
    { match: 'rl:*', strategy: 'fixed-window', merge: '{key}:{quota}', quotas: ['default', 'hourly'] }] }));
  write('session.pcap', pcap());
  write('bytes.hex', '02 03 61 62 63\n');
  cpSync(join(tree, 'docs/example.rules'), join(directory, 'example.rules'));
  cpSync(join(tree, 'vectors/throttr-7.1/query.json'), join(directory, 'query.json'));
  cpSync(join(tree, 'vectors'), join(directory, 'carried'), { recursive: true });
  cpSync(join(tree, 'vectors/ratelimit-state/gcra.json'), join(directory, 'gcra.json'));
  const certify = (...more) => ['certify', nobody, ...speaks, '--deadline', '1s', ...more];
  const load = (...more) => ['load', nobody, ...speaks, '--rate', '10', '--duration', '100ms', ...more];
  return [
    { file: 'certify.json', commands: [['report', '%'], ['report', '%', '--html', 'out.html', '--junit', 'out.xml', '--tap', 'out.tap'],
      ['report', 'compare', 'certify.json', '%'], certify('--baseline', '%')] },
    { file: 'run.certificate', commands: [['verify', '%'], ['verify', '%', '--json', 'out.json']] },
    { file: 'known.json', commands: [certify('--known-failures', '%')] },
    { file: 'query.json', commands: [certify('--vectors', '%'), ['vectors', 'convert', '%', 'out.json']] },
    { file: 'gcra.json', commands: [['certify', 'pipe:/bin/false', '--vectors', '%', '--deadline', '1s']] },
    { file: 'example.rules', commands: [['load', 'udp://127.0.0.1:1', '--dialect', 'ratelimit-udp', '--rules', '%', '--rate', '10', '--duration', '50ms', '--timeout', '50ms']] },
    { file: 'load.json', commands: [['report', '%'], ['report', '%', '--html', 'out.html', '--csv', 'out.csv', '--json', 'out.json'],
      ['report', 'compare', 'load.json', '%', '--html', 'out.html']] },
    { file: 'workload.json', commands: [load('--workload', '%')] },
    { file: 'keys.txt', commands: [load('--keys-from', '%')] },
    { file: 'times.txt', commands: [['load', nobody, ...speaks, '--replay', '%']] },
    { file: 'states.tsv', commands: [['audit', '%'], ['audit', '%', '--json', 'out.json', '--list', 'out.jsonl']] },
    { file: 'audit.json', commands: [['audit', 'states.tsv', '--config', '%']] },
    { file: 'session.pcap', commands: [['decode', '%', ...speaks], ['decode', '%', ...speaks, '--json']] },
    { file: 'session.pcapng', commands: [['decode', '%', ...speaks], ['decode', '%', ...speaks, '--json']] },
    { file: 'bytes.hex', commands: [['decode', '%', ...speaks]] },
  ].map((one) => {
    if (!existsSync(join(directory, one.file))) throw new Error(`${one.file} was not made`);
    return { ...one, bytes: readFileSync(join(directory, one.file)) };
  });
}
