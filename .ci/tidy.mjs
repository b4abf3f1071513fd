// clang-tidy over all sources, those of a directory at once: most of its time goes into headers, which they share.
//   node .ci/tidy.mjs BUILD [--analyse]
// BUILD is a configured build directory with a compile_commands.json. `--analyse` looks at each source by itself, and
// follows the paths through it as well (clang-analyzer-*): that takes ten times as long. Findings are printed; the exit
// code is 0 if there are none.

import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { argv, exit } from 'node:process';
import { fileURLToPath } from 'node:url';

const build = resolve(argv[2]);
const analyse = argv.includes('--analyse');
const root = fileURLToPath(new URL('..', import.meta.url));
const together = join(build, 'together');

/** What compiles each source that is ours and well-formed: {file, command}, the command without the file. */
function sources() {
  const seen = new Map();
  for (const { file, command, directory } of JSON.parse(readFileSync(join(build, 'compile_commands.json'), 'utf8'))) {
    const path = resolve(directory, file);
    if (path.startsWith(build) || path.includes('/ill_formed/') || seen.has(path)) continue;
    seen.set(path, command.replace(/ -o \S+ -c \S+$/, ''));
  }
  return [...seen].map(([file, command]) => ({ file, command }));
}

/** Sources of one directory that are compiled alike. */
function groups() {
  if (analyse) return sources().map((one) => ({ command: one.command, files: [one.file] }));
  const found = new Map();
  for (const { file, command } of sources()) {
    const key = `${dirname(file)}\n${command}`;
    if (!found.has(key)) found.set(key, { command, files: [] });
    found.get(key).files.push(file);
  }
  return [...found.values()];
}

let serial = 0;

/** Runs clang-tidy over a group: its output; empty if it found nothing. */
function findings({ command, files }) {
  const directory = join(together, String(serial++));
  const file = files.length === 1 ? files[0] : join(directory, 'all.cpp');
  mkdirSync(directory);
  if (files.length > 1) writeFileSync(file, files.map((one) => `#include "${one}"\n`).join(''));
  const commands = [{ directory: build, file, command: `${command} -c ${file}` }];
  writeFileSync(join(directory, 'compile_commands.json'), JSON.stringify(commands));
  const without = [];
  if (!analyse) without.push('-clang-analyzer-*', '-clang-diagnostic-shadow');
  if (files.length > 1) without.push('-bugprone-suspicious-include');
  // Tests need not be fast, and change their environment in one thread.
  if (/\/(tests|e2e|bench)\//.test(files[0])) without.push('-performance-*', '-concurrency-mt-unsafe');
  const checks = without.length > 0 ? [`--checks=${without.join(',')}`] : [];
  const quiet = ['-Wno-unknown-warning-option', '-Wno-unused-command-line-argument'];
  const args = ['-p', directory, '--quiet', ...checks, ...quiet.map((one) => `--extra-arg=${one}`), file];
  return new Promise((done) => {
    execFile('clang-tidy', args, { maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      done(error ? stdout || stderr : '');
    });
  });
}

/** Names that two sources have for themselves collide where both are read at once: then, in halves. */
async function judged(group) {
  const found = await findings(group);
  if (group.files.length === 1 || !found.includes('[clang-diagnostic-error]')) return found;
  const middle = group.files.length / 2;
  let parts = '';
  for (const files of [group.files.slice(0, middle), group.files.slice(middle)])
    parts += await judged({ command: group.command, files });
  return parts;
}

rmSync(together, { recursive: true, force: true });
mkdirSync(together, { recursive: true });
const left = groups();
const total = left.length;
const told = new Set();
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let group = left.pop(); group; group = left.pop()) {
      const found = await judged(group);
      // A header is read by many.
      if (!told.has(found)) console.log(found);
      told.add(found);
      console.log(`[${total - left.length}/${total}] ${relative(root, group.files[0])}`);
    }
  }),
);
exit(told.size > 1 || (told.size === 1 && !told.has('')) ? 1 : 0);
