#!/usr/bin/env node
// Plays the golden vectors of a dialect against a server, and checks a codec against their bytes. docs/vectors.md explains them.
//   runner.mjs VECTORS DIALECT[/WIDTH] [tcp://HOST:PORT | udp://HOST:PORT] [READING=ANSWER ...]
// Without a server, it only checks the codec. READING=ANSWER names where the server differs from released ones.
// The exit code is 1 if a vector failed or none was played.
import { Refused, decode, encode } from './codec.mjs';
import { agree } from './matching.mjs';
import { Play } from './playing.mjs';
import { invalid_messages, load, of_hex, of_text, values_of, vectors } from './vectors.mjs';

const has = (answers, some) => Object.entries(some).every(([reading, answer]) => answers[reading] === answer);

/** The layouts of messages as servers with these answers lay them out. */
class Layouts {
  constructor(messages, answers) {
    this.messages = messages;
    this.answers = answers;
  }

  /** Returns the layout of a message, or of the format that a strategy writes. */
  find(kind, name) {
    const found = this.messages.find((one) => one.kind === kind && [one.message, one.strategy].includes(name));
    if (!found) throw new Refused(`there is no layout of the ${kind} ${name}`);
    return { ...found, fields: this.applicable(found.fields) };
  }

  /** Drops fields that only servers with other answers have. */
  applicable(fields = []) {
    return fields
      .filter(({ when = {} }) => has(this.answers, when))
      .map((field) => ({ ...field, head: this.applicable(field.head), tail: this.applicable(field.tail) }));
  }
}

/** Returns the reason if a function refuses, else undefined. */
function refusal(run) {
  try {
    run();
  } catch (why) {
    if (why instanceof Refused) return why.message;
    throw why;
  }
}

/** Checks that the codec refuses an invalid message, and at the right field. */
function check_invalid(layouts, { kind, message, fields, valid }, invalid) {
  const layout = layouts.find(kind, message);
  const { change, first, hex, field = '' } = invalid;
  const data = () => of_hex(first === undefined ? hex : valid.slice(0, 2 * first));
  const why = refusal(() => (change ? encode(layout, values_of({ ...fields, ...change })) : decode(layout, data())));
  if (why === undefined || (why !== field && invalid.kind !== 'size')) throw new Refused(`is refused at ${why}`);
}

/** Checks that the codec reads the right values in a state, or refuses a state that is in error. */
function check_state(layouts, asked, answer) {
  const [want, state] = asked.op === 'encode' ? [asked, answer.state] : [answer, asked.state];
  const reads = (wanted) => agree(layouts, wanted, of_text(state));
  const names = ['primary', 'secondary'];
  const parts = (asked.of ?? []).map((strategy, i) => [names[i], { strategy, fields: {} }]);
  const is_right = answer.error
    ? refusal(() => reads({ ...asked, fields: Object.fromEntries(parts) })) !== undefined
    : reads(want);
  if (!is_right) throw new Refused(`the codec reads ${state} otherwise`);
}

/** Plays a vector. States and invalid messages concern only the codec. */
async function run(vector, layouts, server) {
  if (vector.invalid) check_invalid(layouts, vector.message, vector.invalid);
  else if (vector.operation) vector.steps.forEach(({ request, answer }) => check_state(layouts, request, answer));
  else await new Play(layouts, server).run(vector);
}

async function main([directory, spoken, ...options]) {
  const [dialect, width] = spoken.split('/');
  const servers = options.filter((one) => one.includes('://')).map((one) => new URL(one));
  const given = Object.fromEntries(options.filter((one) => !one.includes('://')).map((one) => one.split('=')));
  const [server] = servers;
  const file = load(`${directory}/layouts/${dialect}.json`, width);
  const invalid = server ? [] : invalid_messages(directory, dialect, width);
  const count = { passed: 0, failed: 0, skipped: 0 };
  for (const one of [...invalid, ...vectors(directory, dialect, width)]) {
    const { id, profile, operation, readings = {} } = one;
    const answers = server ? { ...file.answers.deployed, ...given } : { ...file.answers[profile], ...readings };
    if (operation === 'decide' || !has(answers, readings)) {
      ++count.skipped;
      continue;
    }
    try {
      await run(one, new Layouts(file.messages, answers), server);
      ++count.passed;
    } catch (why) {
      if (!(why instanceof Refused)) throw why;
      ++count.failed;
      console.log(`FAIL ${id.replace('{width}', width)}: ${why.message}`);
    }
  }
  console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
  return count.failed || !count.passed ? 1 : 0;
}

if (process.argv.length < 4) {
  console.error('usage: runner.mjs VECTORS DIALECT[/WIDTH] [tcp://HOST:PORT | udp://HOST:PORT] [READING=ANSWER ...]');
  process.exit(2);
}
main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (why) => {
    console.error(why);
    process.exit(2);
  },
);
