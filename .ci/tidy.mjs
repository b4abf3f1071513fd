// clang-tidy over all sources, those of a directory at once: most of its time goes into headers, which they share.
//   node .ci/tidy.mjs BUILD [--analyse | --remember] [--minutes N]
// BUILD is a configured build directory with a compile_commands.json. `--analyse` looks at each source by itself, and
// follows the paths through it as well (clang-analyzer-*): that takes ten times as long. Findings are printed; the exit
// code is 0 if there are none.
//
// .ci/tidy.clean lists groups without findings, each as a hash: of its sources and the headers of the tree that they
// include, without their comments; of the arguments, the checks and the version of clang-tidy. clang-tidy does not look
// at these again. `--remember` writes the file anew. After N minutes clang-tidy begins with no other directory: the last
// line says how many are left.

import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { argv, exit } from 'node:process';
import { fileURLToPath } from 'node:url';

const build = resolve(argv[2]);
const analyse = argv.includes('--analyse');
const remember = argv.includes('--remember');
const wanted = argv.includes('--minutes') ? argv[argv.indexOf('--minutes') + 1] : 'Infinity';
const minutes = Number(wanted);
if (!(minutes > 0)) {
  console.error(`tidy: --minutes ${wanted}: expected a number above 0`);
  exit(2);
}
const root = resolve(fileURLToPath(new URL('..', import.meta.url)));
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

/** The arguments that choose what is found in these sources. */
function arguments_for(files) {
  const without = [];
  if (!analyse) without.push('-clang-analyzer-*', '-clang-diagnostic-shadow');
  if (files.length > 1) without.push('-bugprone-suspicious-include');
  // Tests need not be fast, change their environment in one thread, and know their numbers.
  if (/\/(tests|e2e|bench)\//.test(files[0]))
    without.push('-performance-*', '-concurrency-mt-unsafe', '-cert-err34-c', '-bugprone-unused-return-value',
      '-bugprone-implicit-widening-of-multiplication-result', '-bugprone-too-small-loop-variable');
  const checks = without.length > 0 ? [`--checks=${without.join(',')}`] : [];
  // Warnings of the compiler are the build's business.
  const quiet = ['-Wno-error', '-Wno-unknown-warning-option', '-Wno-unused-command-line-argument'];
  return [...checks, ...quiet.map((one) => `--extra-arg=${one}`)];
}

const known_clean = join(root, '.ci/tidy.clean');
const judge = execFileSync('clang-tidy-19', ['--version'], { encoding: 'utf8' }) + readFileSync(join(root, '.clang-tidy'), 'utf8');
const texts = new Map();

/** A source without the comments that clang-tidy ignores, and without empty lines. */
function without_comments(text) {
  const token = /R"([^\s()\\]*)\([^]*?\)\1"|"(?:[^"\\\n]|\\[^])*"|\w+(?:'\w+)*|'(?:[^'\\\n]|\\[^])*'|\/\/.*|\/\*[^]*?\*\//g;
  const heeded = /NOLINT|=\s*\*\/$|^\/\/ namespace/;
  return text
    .replace(token, (one) => (/^\/[/*]/.test(one) && !heeded.test(one) ? '' : one))
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n');
}

/** A file of the tree and the files of the tree that it includes. */
function reachable(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  if (!texts.has(file)) texts.set(file, without_comments(readFileSync(file, 'utf8')));
  for (const [, path] of texts.get(file).matchAll(/^#include "([^"]+)"/gm)) {
    const included = join(root, path);
    if (existsSync(included)) reachable(included, found);
  }
  return found;
}

function hash_of({ command, files }) {
  const hash = createHash('sha256').update(judge).update(command.replaceAll(build, '').replaceAll(root, ''));
  hash.update(JSON.stringify(arguments_for(files)));
  const all = new Set();
  for (const file of files) reachable(file, all);
  for (const file of [...all].sort()) hash.update(`${relative(root, file)}\n`).update(texts.get(file));
  return hash.digest('hex');
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
  const args = ['-p', directory, '--quiet', ...arguments_for(files), file];
  return new Promise((done) => {
    execFile('clang-tidy-19', args, { maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
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
const clean = new Set(existsSync(known_clean) && !analyse ? readFileSync(known_clean, 'utf8').split('\n') : []);
const still_clean = [];
const left = groups().filter((group) => {
  group.hash = hash_of(group);
  if (!clean.has(group.hash)) return true;
  still_clean.push(group.hash);
  return false;
});
const total = left.length;
console.log(`${still_clean.length} directories are known to be clean, ${total} are looked at`);
const told = new Set();

function remember_clean(hash) {
  still_clean.push(hash);
  if (remember) writeFileSync(known_clean, [...new Set(still_clean)].sort().join('\n') + '\n');
}

await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    while (left.length > 0 && performance.now() < minutes * 60_000) {
      const group = left.pop();
      const found = await judged(group);
      if (found === '') remember_clean(group.hash);
      // A header is read by many.
      else if (!told.has(found)) console.log(found);
      told.add(found);
      console.log(`[${total - left.length}/${total}] ${relative(root, group.files[0])}`);
    }
  }),
);
told.delete('');
if (left.length > 0) console.log(`${left.length} directories are left: more than ${minutes} minutes would be needed`);
exit(told.size > 0 ? 1 : 0);
