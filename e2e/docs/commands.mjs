// The commands that a page shows, and what it shows that they print.
import { linesOf } from './pages.mjs';

/**
 * The commands of a page, in its order: { path, line (from 1), command, shown }. A command is a line of an indented block
 * that begins with `$ ` or `hallmark `; a `\` at its end continues it, and three blanks begin a remark. `shown` is the lines
 * below it, up to the next command or the end of the block.
 */
export function commandsOf(path) {
  const commands = [];
  let current = null;
  let fenced = false;
  linesOf(path).forEach((text, index) => {
    if (/^```/.test(text)) fenced = !fenced;
    if (fenced || (text !== '' && !text.startsWith('    '))) {
      current = null;
      return;
    }
    const line = text.slice(4);
    if (current?.command.endsWith('\\')) {
      current.command = `${current.command.slice(0, -1).trimEnd()} ${line.trim()}`;
    } else if (/^(\$ |hallmark [a-z]+( |$))/.test(line)) {
      const command = line.replace(/^\$ /, '').replace(/ {3,}\S.*$/, '');
      current = { path, line: index + 1, command, shown: [] };
      commands.push(current);
    } else if (current) {
      current.shown.push(line);
    }
  });
  for (const command of commands) {
    while (command.shown.at(-1) === '') command.shown.pop();
  }
  return commands;
}

const number = String.raw`(?:\d[\d,]*(?:\.\d+)?)`;
const none_or_number = `(?:·|~?${number})`;

/**
 * A regular expression for what a command prints, from the lines that a page shows. A line `…` stands for any number of
 * lines, `…` within a line for any text. Everything else is literal, but a number stands for any number, `·` (none) or a
 * number for each other, a unit of time for any unit of time, `~` may be missing, and runs of blanks have any length.
 */
export function patternOf(shown) {
  const lines = shown.map((line) => {
    if (line.trim() === '…') return String.raw`(?:.*\n)*?`;
    const parts = line.trim().split(/(\s+|…|·|~?\d[\d,]*(?:\.\d+)?(?: (?:ns|µs|us|ms|s|min)(?![a-z]))?)/);
    const body = parts.map((part) => {
      if (/^\s+$/.test(part)) return ' +';
      if (part === '…') return '.*';
      if (part === '·') return none_or_number;
      if (/^~?\d/.test(part)) {
        return / \S+$/.test(part) ? `~?${number} (?:ns|µs|us|ms|s|min)` : none_or_number;
      }
      return part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    });
    return ` *${body.join('')} *\\n`;
  });
  return new RegExp(`^${lines.join('')}$`);
}
