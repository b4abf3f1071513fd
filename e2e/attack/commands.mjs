// The commands that attacks run with undamaged files: those that write files, those that print, those that take a while.

const speaks = ['--dialect', 'throttr-7.1', '--width', 'u16'];

export const writers = [
  { args: ['report', 'certify.json'], outputs: ['--json', '--html', '--junit', '--tap', '--badge'] },
  { args: ['report', 'load.json'], outputs: ['--json', '--html', '--csv'] },
  { args: ['report', 'compare', 'load.json', 'load.json'], outputs: ['--json', '--html'] },
  { args: ['verify', 'run.certificate'], outputs: ['--json', '--pcap'] },
  { args: ['audit', 'states.tsv'], outputs: ['--json', '--html', '--list'] },
  { args: ['clauses', 'throttr-7.1'], outputs: ['--json'] },
  { args: ['certify', 'tcp://127.0.0.1:1', ...speaks, '--deadline', '1s'],
    outputs: ['--json', '--html', '--junit', '--certificate', '--pcap'] },
  { args: ['load', 'tcp://127.0.0.1:1', ...speaks, '--rate', '10', '--duration', '100ms'], outputs: ['--json', '--html'] },
];

export const talkers = [['--help'], ['readings'], ['clauses', 'throttr-7.1'], ['report', 'certify.json'], ['report', 'load.json'],
  ['vectors', 'list', '--dialect', 'throttr-6.0'], ['decode', 'session.pcap', ...speaks], ['schema', 'load'], ['man', 'certify'],
  ['completion', 'bash'], ['export', 'kaitai', '--dialect', 'throttr-7.1'], ['audit', 'states.tsv'], ['serve', '--list-mutants']];

/** Commands that take a while, or (`serves`) run until they are told to end. `endpoint`: where a server listens. */
export function runningCommands(program, endpoint) {
  const exec = `exec:${program} serve ${speaks.join(' ')} --listen tcp://127.0.0.1:{port}`;
  const ending = [
    ['certify', exec, ...speaks, '--deadline', '1s', '--filter', '*/query/*', '--json', 'out.json', '--certificate', 'out.certificate'],
    ['certify', exec, ...speaks, '--deadline', '1s', '--filter', '*/insert/*', '--json', 'out.json', '--pcap', 'out.pcapng', '--html', 'out.html'],
    ['identify', exec],
    ['load', endpoint, ...speaks, '--rate', '500', '--duration', '1s', '--json', 'out.json'],
    ['load', endpoint, ...speaks, '--closed', '--duration', '500ms', '--json', 'out.json', '--html', 'out.html'],
    ['certify-client', ...speaks, '--json', 'out.json', '--html', 'out.html', '--', '/bin/sleep', '1'],
    ['mutants', 'run', '--quick', '--filter', 'id.missing'],
    ['vectors', 'check'],
    ['vectors', 'generate', '--out', 'generated'],
    ['vectors', 'pack', '--vectors', 'carried', '--output', 'packed'],
    ['man', '--out', 'pages'],
    ['clauses', '--json', 'out.json'],
    ['readings'],
    ['verify', 'run.certificate', '--json', 'out.json'],
    ['report', 'certify.json', '--json', 'out.json', '--html', 'out.html'],
    ['report', 'compare', 'load.json', 'load.json', '--json', 'out.json'],
    ['decode', 'session.pcapng', ...speaks, '--json'],
    ['audit', 'states.tsv', '--json', 'out.json', '--list', 'out.jsonl'],
    ['export', 'kaitai', '--dialect', 'throttr-7.1'],
    ['schema', 'certify'],
    ['completion', 'zsh'],
  ];
  const serving = [
    ['serve', ...speaks, '--listen', 'tcp://127.0.0.1:0'],
    ['serve', '--dialect', 'ratelimit-udp', '--listen', 'udp://127.0.0.1:0'],
    ['proxy', '--listen', 'udp://127.0.0.1:0', '--target', 'udp://127.0.0.1:1', '--json', 'out.json', '--log', 'out.log'],
    ['observe', '--listen', 'tcp://127.0.0.1:0', '--target', 'tcp://127.0.0.1:1', ...speaks, '--json', 'out.json'],
  ];
  return [...ending.map((args) => ({ args, serves: false })), ...serving.map((args) => ({ args, serves: true }))];
}
