// Runs the commands that README.md and the pages of docs/ show, and compares what they print with what the pages show.
//   HALLMARK=build/release/hallmark node --test e2e/docs/docs.test.mjs       ONLY=docs/tour.md: one page
// Each page runs in a directory of its own. Ports of 127.0.0.1 are replaced by free ones; targets that a page does not
// start, and files that it does not write, are made (fixtures.mjs). Heavy commands are made light (`lightened`).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commandsOf, patternOf } from './commands.mjs';
import { pagePaths } from './pages.mjs';
import { Session } from './session.mjs';

// Commands that this test cannot run: page, a part of the command, and why.
const not_run = [
  ['README.md', './quickstart', 'installs packages and builds for minutes; ./check runs it'],
  ['README.md', 'export PATH', 'the test has its own PATH'],
  ['docs/audit.md', 'redis://127.0.0.1:6379 --match', 'needs Redis'],
  ['docs/audit.md', 'redis://127.0.0.1:6379 --config', 'needs Redis'],
  ['docs/audit.md', 'postgres://', 'needs PostgreSQL'],
  ['docs/certificates.md', 'openssl', 'needs a private key'],
  ['docs/decode.md', 'tcpdump', 'needs the right to capture'],
  ['docs/decode.md', '--port 2000', 'needs a capture of datagrams'],
  ['docs/distributed.md', 'mpirun', 'needs several machines'],
  ['docs/distributed.md', 'sbatch', 'needs Slurm'],
  ['docs/distributed.md', 'date -d', 'sets a variable for the next command'],
  ['docs/distributed.md', '--start-at', 'needs several machines'],
  ['docs/distributed.md', 'report merge', 'needs the results of several machines'],
  ['docs/load.md', '--search', 'makes 30 runs'],
  ['docs/load.md', '--versus', 'makes eight runs'],
  ['docs/load.md', '--metrics 0.0.0.0', 'listens on all addresses'],
  ['docs/load.md', '--metrics-push', 'needs a Pushgateway'],
  ['docs/load.md', 'redis://', 'needs Redis'],
  ['docs/load.md', 'postgres://', 'needs PostgreSQL'],
  ['docs/localization.md', 'mutants localize', 'takes minutes'],
  ['docs/pages.md', '--search', 'makes 30 runs'],
  ['docs/pages.md', '--versus', 'makes eight runs'],
  ['docs/pages.md', 'kills.json', 'needs a result of mutants run, which takes minutes'],
  ['docs/pages.md', 'mutants run', 'takes minutes'],
  ['docs/pages.md', 'redis://', 'needs Redis'],
  ['docs/pages.md', 'load tcp://127.0.0.1:9000 --rate 20k --duration 10m', 'live pages have tests of their own'],
  ['docs/pages.md', 'certify tcp://127.0.0.1:9000 --live', 'live pages have tests of their own'],
  ['docs/pages.md', 'e2e/pages/speed.mjs', 'needs Chromium'],
  ['docs/pages.md', 'e2e/pages/live_speed.mjs', 'needs Chromium'],
  ['docs/tour.md', '--search', 'makes 30 runs'],
  ['docs/tour.md', '--versus', 'makes eight runs'],
  ['docs/tour.md', 'load redis://', 'needs Redis'],
  ['docs/tour.md', 'tcpdump', 'needs the right to capture'],
  ['docs/tour.md', 'audit redis://', 'needs Redis'],
  ['docs/tour.md', 'mutants run', 'takes minutes'],
  ['docs/tour.md', 'mutants localize', 'takes minutes'],
  ['docs/install.md', 'cp build/release', 'copies the program to a place of the user'],
  ['docs/install.md', 'vectors check', 'takes ten seconds; ./check runs it'],
  ['docs/install.md', 'vectors generate', 'writes into the tree'],
  ['docs/install.md', 'packaging/build', 'builds packages for minutes; packaging/test runs it'],
  ['docs/install.md', 'apt install', 'installs a package; packaging/test does'],
  ['docs/install.md', 'man certify', 'needs the installed manual'],
  ['docs/install.md', 'man --out', 'writes where the installed manual is'],
  ['docs/install.md', 'source <(', 'changes the shell of the reader'],
  ['docs/install.md', 'completion fish', 'writes into the home of the user'],
  ['docs/install.md', 'completion zsh', 'writes where zsh looks'],
  ['docs/ci.md', '"$TARGET"', 'needs the variables of a pipeline'],
  ['docs/observe.md', 'wireshark', 'needs a display'],
  ['docs/observe.md', 'tshark', 'tests of the exports run it'],
  ['docs/exports.md', 'tshark', 'tests of the exports run it'],
  ['docs/vectors.md', 'vectors check', 'takes ten seconds; ./check runs it'],
  ['docs/vectors.md', 'vectors generate', 'writes into the tree'],
];

/** Why a command is not run, or undefined. */
function reason({ path, command }) {
  return not_run.find(([page, part]) => page === path && command.includes(part))?.[2];
}

/** A command with the words that stand for something, such as `ID`: it cannot be run as it stands. */
function isForm({ command }) {
  return /(^|[\s:'])(ID|OLD|NEW|FILE|DIR|TARGET|STORE|COMMAND)($|[\s'])/.test(command);
}

/** True if a command changes the machine: it must stand in the table, and is never run. */
function changesMachine({ command }) {
  return /(^|[\s|;&])(apt|apt-get|sudo|rm|mv|cp|make|ninja|cmake)\s|(^|[\s>=])(~|\/usr|\/etc|\/var|\/opt)\//.test(command);
}

/** The exit codes that the shown lines allow. A load run on a busy machine may be inconclusive, or miss an objective. */
function allowedCodes({ command, shown }, printed) {
  const last = shown.at(-1) ?? '';
  if (/^(FAILED|FAULTY|REFUTED)/.test(last)) return [1];
  if (/^(INCOMPLETE|INDETERMINATE|UNDECIDED)/.test(last)) return [4];
  if (/^hallmark (load|report merge) /.test(command) && /^INCONCLUSIVE/m.test(printed)) return [4];
  if (command.includes('--slo') && /^FAILED .*(p99|errors|rate)/m.test(printed)) return [1];
  return [0];
}

const pages = pagePaths()
  .filter((path) => !process.env.ONLY || path === process.env.ONLY)
  .map((path) => ({ path, commands: commandsOf(path) }))
  .filter(({ commands }) => commands.length > 0);

async function runPage({ path, commands }) {
  const session = await Session.begin();
  const problems = [];
  try {
    for (const command of commands) {
      if (isForm(command) || reason(command)) continue;
      if (changesMachine(command)) {
        problems.push(`${path}:${command.line}: ${command.command}\nchanges the machine; expected a row in not_run`);
        continue;
      }
      const ran = await session.run(command);
      const where = `${path}:${command.line}: ${ran.command}`;
      const allowed = allowedCodes(command, ran.printed);
      if (!allowed.includes(ran.code)) {
        problems.push(`${where}\nexit code ${ran.code}; allowed: ${allowed}\n${ran.printed.slice(-1500)}`);
      }
      if (command.shown.length > 0) {
        const shown = command.shown.map((line) =>
          ran.code === 4 && line.startsWith('DONE ') ? 'INCONCLUSIVE …' : session.replacePorts(line));
        if (!patternOf(shown).test(ran.printed)) {
          problems.push(`${where}\nshows\n${command.shown.join('\n')}\nbut prints\n${ran.printed.slice(0, 6000)}`);
        }
      }
    }
  } finally {
    await session.end();
  }
  assert.equal(problems.join('\n\n'), '');
}

describe('commands of the pages', { concurrency: 2 }, () => {
  for (const page of pages) test(page.path, { timeout: 300_000 }, () => runPage(page));
});

test('the table of commands that are not run is as long as it was, and each row is needed', { skip: !!process.env.ONLY }, () => {
  assert.equal(not_run.length, 52);
  const commands = pages.flatMap((page) => page.commands);
  for (const [page, part] of not_run) {
    assert.ok(commands.some(({ path, command }) => path === page && command.includes(part)), `${page} has no ${part}`);
  }
});

test('most commands are run', { skip: !!process.env.ONLY }, () => {
  const commands = pages.flatMap((page) => page.commands);
  const run = commands.filter((command) => !isForm(command) && !reason(command));
  assert.ok(run.length >= 50, `only ${run.length} of ${commands.length}`);
});

test('commands that change the machine are not run', () => {
  const changing = ['apt install ./x.deb', 'sudo hallmark', 'cp a b', 'hallmark man --out /usr/share/man', 'x > ~/.y'];
  for (const command of changing) assert.ok(changesMachine({ command }), command);
  for (const { commands } of pages) {
    for (const command of commands) assert.ok(reason(command) || !changesMachine(command), command.command);
  }
});

test('shown lines match by shape', () => {
  const shown = ['…', 'QUERY  60  ·', 'p99  ~1.20 ms …', 'DONE in 2.87 s'];
  assert.ok(patternOf(shown).test('a 1\nb\nQUERY   59   ·\np99 31.0 µs 7\nDONE in 1,234.5 ms\n'));
  assert.ok(!patternOf(shown).test('QUERY   59   ·\np99 31.0 µs 7\nFAILED in 2.87 s\n'));
  assert.ok(!patternOf(shown).test('QUERY   59   ·\np99 31.0 µs 7\nDONE in 2.87 s\nmore\n'));
  assert.ok(!patternOf(['QUERY  60  ·']).test('UPDATE  60  ·\n'));
});
