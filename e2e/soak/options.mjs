// The command line of the soak. Run by itself, it says what is wrong with one: before ./soak builds the program.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const usage = `Usage: ./soak [HOURS] [OPTIONS]

Runs servers, a proxy, an observer and stores for HOURS (1; 0.05 are three minutes), loads and certifies them under
faults, and prints a line a minute (docs/soak.md).

  --seed N           Choose faults by another seed (1)
  --json FILE        Write the figures of each minute as JSON
  --minute SECONDS   The length of a line's minute (60)
  --only ROUNDS      Play these rounds only, such as plain,killed; no certification before them
  --mutant ID        Give the server that runs all the time a bug: the soak has to tell it
  --program FILE     Another program than build/release/hallmark

Exit code 0: everything agreed and nothing grew; 1: not so; 2: usage; 3: the soak could not begin; 4: interrupted.`;

/** True if this file is what Node.js was told to run. */
const ofFront = process.argv[1] === fileURLToPath(import.meta.url);

function refuse(why) {
  console.error(`soak: ${why}`);
  process.exit(2);
}

/** A number above 0. */
function positive(name, text) {
  const number = Number(text);
  if (!(number > 0 && number <= 10_000)) refuse(`${name} '${text}' is not a number from 0 to 10,000, such as 1 or 0.05`);
  return number;
}

/** {hours, seed, json, minute, only, mutant, program}; ends the process where the command line is not allowed. */
export function readOptions(given) {
  const options = { hours: 1, seed: 1, json: null, minute: 60, only: null, mutant: null,
    program: join(root, 'build/release/hallmark') };
  const rest = [...given];
  while (rest.length > 0) {
    const name = rest.shift();
    const value = () => rest.shift() ?? refuse(`${name} needs a value`);
    if (name === '--help' || name === '-h') { console.log(usage); process.exit(0); }
    else if (name === '--seed') options.seed = Math.floor(positive(name, value()));
    else if (name === '--json') options.json = resolve(value());
    else if (name === '--minute') options.minute = positive(name, value());
    else if (name === '--only') options.only = value().split(',');
    else if (name === '--mutant') options.mutant = value();
    else if (name === '--program') options.program = resolve(value());
    else if (name.startsWith('-')) refuse(`unknown option '${name}'; \`./soak --help\` lists them`);
    else options.hours = positive('HOURS', name);
  }
  if (!ofFront && !existsSync(options.program)) refuse(`there is no program ${options.program}`);
  return options;
}

if (ofFront) readOptions(process.argv.slice(2));
