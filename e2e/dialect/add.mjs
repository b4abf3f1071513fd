#!/usr/bin/env node
// Adds a dialect to a copy of this tree, as docs/hacking.md says it, and tries it: builds the copy, writes the golden
// vectors, serves the dialect, certifies, identifies, decodes and loads it. Counts the files that had to be
// touched beside the dialect's own table, scenarios and cases.
//   node e2e/dialect/add.mjs [--count] [--preset NAME]
// --count: the files alone, without a build. The copy is build/dialect; it is built as the preset says (release), and
// gets from ccache what the dialect does not change.
// The last line is "N passed, N failed"; exit code 0 when nothing failed.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

import { shared, table } from './edits.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));
const tree = join(root, 'build', 'dialect');
const mostShared = 3;
const speaks = ['--dialect', 'throttr-7.4', '--width', 'u16'];
/** Paths of the dialect's own files. */
const own = [/^protocol\/dialects\/throttr_7_4\.hpp$/, /^vectors\/generator\/scenarios\/throttr_7_4\.cpp$/,
  /^conformance\/suites\/throttr\/throttr_7_4_cases\.cpp$/];

const options = readArguments();
const build = join(tree, 'build', options.preset);
const program = join(build, 'hallmark');
let passed = 0;
let failed = 0;

function readArguments() {
  const read = { count: false, preset: 'release' };
  const given = process.argv.slice(2);
  while (given.length > 0) {
    const option = given.shift();
    if (option === '--count') read.count = true;
    else if (option === '--preset' && given.length > 0) read.preset = given.shift();
    else {
      console.error(`add: unknown option '${option}'; allowed: --count, --preset NAME`);
      process.exit(2);
    }
  }
  return read;
}

function judge(holds, what, details = '') {
  console.log(`${holds ? 'passed' : 'FAILED'}  ${what}`);
  if (holds) passed += 1;
  else {
    failed += 1;
    if (details) console.log(details);
  }
  return holds;
}

function finish() {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

function edited(path, text, edits) {
  return edits.reduce((before, edit) => {
    const parts = before.split(edit.before);
    if (parts.length === 2) return parts.join(edit.after);
    judge(false, `${path} has this once`, `${edit.before}\nstands there ${parts.length - 1} times`);
    return before;
  }, text);
}

function filesBelow(directory) {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath ?? entry.path, entry.name)));
}

/** All files of this tree that git knows or would take. */
function originals() {
  const listed = spawnSync('git', ['ls-files', '-coz', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  if (listed.status !== 0) throw new Error(`git ls-files: ${listed.stderr}`);
  const paths = listed.stdout.split('\0').filter((path) => path && existsSync(join(root, path)));
  return new Map(paths.map((path) => [path, readFileSync(join(root, path))]));
}

/** The files of the tree with the dialect added. */
function withDialect(files) {
  const added = new Map(files);
  const copied = files.get(table.from).toString().replaceAll('7.3', '7.4').replaceAll('7_3', '7_4');
  added.set(table.to, Buffer.from(edited(table.to, copied, table.edits)));
  for (const path of filesBelow(join(here, 'own'))) added.set(path, readFileSync(join(here, 'own', path)));
  for (const [path, edits] of Object.entries(shared))
    added.set(path, Buffer.from(edited(path, files.get(path).toString(), edits)));
  return added;
}

function count(before, after) {
  const touched = [...after].filter(([path, text]) => !before.get(path)?.equals(text)).map(([path]) => path);
  const others = touched.filter((path) => !own.some((pattern) => pattern.test(path)));
  for (const path of touched) console.log(`  ${others.includes(path) ? 'shared' : 'own   '}  ${path}`);
  judge(others.length <= mostShared, `${others.length} shared files touched; allowed: ${mostShared}`);
}

/** Files that are as they should be stay: what was built of them is not built again. */
function writeTree(files) {
  mkdirSync(tree, { recursive: true });
  for (const path of filesBelow(tree)) {
    if (!files.has(path) && !path.startsWith('build/')) rmSync(join(tree, path));
  }
  for (const [path, text] of files) {
    const target = join(tree, path);
    if (existsSync(target) && readFileSync(target).equals(text)) continue;
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
}

function run(program, args, limitMs = 60_000) {
  const { status, stdout, stderr } = spawnSync(program, args,
    { encoding: 'utf8', timeout: limitMs, maxBuffer: 64 << 20 });
  return { status, text: `${stdout ?? ''}${stderr ?? ''}` };
}

function buildTree() {
  // The copy is tried once: to optimise it would take longer than all that it does.
  const configured = run('cmake', ['--preset', options.preset, '-S', tree, '-DHALLMARK_TESTS=OFF',
    '-DHALLMARK_BENCHMARKS=OFF', '-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG']);
  if (!judge(configured.status === 0, 'configured', configured.text)) return false;
  const built = run('ninja', ['-C', build, '-j', `${availableParallelism()}`, 'hallmark'], 3_600_000);
  return judge(built.status === 0, 'built', built.text.split('\n').slice(-60).join('\n'));
}

/** Runs a command; `holds` decides about its output. */
function expect(what, args, status, ...texts) {
  const ran = run(program, args, 300_000);
  const lacks = texts.filter((text) => !ran.text.includes(text));
  judge(ran.status === status && lacks.length === 0, what,
    `exit ${ran.status}, expected ${status}; lacks ${JSON.stringify(lacks)}\n${ran.text.slice(-4000)}`);
}

function serve() {
  const server = spawn(program, ['serve', ...speaks, '--listen', 'tcp://127.0.0.1:0'],
    { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let text = '';
    server.stdout.on('data', (bytes) => {
      text += bytes;
      const listening = /listening on (\S+)/.exec(text);
      if (listening) resolve({ target: listening[1], stop: () => server.kill('SIGTERM') });
    });
    server.on('error', reject);
    server.on('exit', (code) => reject(new Error(`serve ended with ${code}`)));
  });
}

async function tryDialect() {
  const vectors = join(tree, 'vectors');
  expect('vectors generate', ['vectors', 'generate', '--out', vectors], 0, '0 removed');
  expect('vectors check', ['vectors', 'check', '--dir', vectors], 0, 'all as generated');
  expect('vectors list', ['vectors', 'list', ...speaks, '--operation', 'EXISTS'], 0,
    'throttr-7.4/u16/exists/lives');
  expect('every MUST has a case', ['clauses', 'throttr-7.4', '--untested'], 0, ' 0 without a case');
  expect('decode', ['decode', ...speaks, '1a03616263'], 0, 'EXISTS');
  const server = await serve();
  try {
    const { target } = server;
    expect('certify', ['certify', target, ...speaks], 0, 'CERTIFIED');
    expect('certify its own cases', ['certify', target, ...speaks, '--filter', '*/exists/*', '--filter', '*listed'], 0);
    expect('identify', ['identify', target], 0, 'throttr-7.4', 'u16');
    expect('certify as 7.3', ['certify', target, '--dialect', 'throttr-7.3', '--width', 'u16'], 1,
      'the target answers as throttr-7.4 u16: --dialect throttr-7.4 --width u16');
    // A busy machine is late; how late is not what this is about.
    expect('load', ['load', target, ...speaks, '--rate', '500', '--duration', '1s', '--lag-bound', '10s'], 0);
  } finally {
    server.stop();
  }
}

const before = originals();
const after = withDialect(before);
count(before, after);
if (options.count || failed > 0) finish();
writeTree(after);
if (buildTree()) await tryDialect();
finish();
