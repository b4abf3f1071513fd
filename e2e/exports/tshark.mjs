// What tshark shows of a capture with an exported dissector.
import { spawnSync } from 'node:child_process';

/** What is shown of a message besides its fields: which it is, and expert infos. */
const notFields = ['operation', 'refused', 'unlisted', 'unasked'];

const attribute = (line, name) => new RegExp(` ${name}="([^"]*)"`).exec(line)?.[1];

/** The messages of each packet, each with its fields in order; throws where tshark complains. */
export function dissected(script, id, width, port, file) {
  const options = ['-X', `lua_script:${script}`, '-o', `${id}.port:${port}`];
  if (width !== undefined) options.push('-o', `${id}.width:${width}`);
  const { status, stdout: pdml, stderr } = spawnSync('tshark',
    ['-r', file, ...options, '-T', 'pdml', '-J', `${id} _ws.malformed _ws.lua`], { encoding: 'utf8', maxBuffer: 1 << 30 });
  if (status !== 0 || stderr.includes('Lua')) throw new Error(`tshark: ${stderr}`);
  const packets = [];
  const complaints = [];
  for (const line of pdml.split('\n')) {
    if (line.includes('<packet>')) packets.push([]);
    const name = attribute(line, 'name');
    if (name === undefined) continue;
    if (name === '_ws.malformed' || name === `${id}.malformed` || (name.startsWith('_ws.lua') && name !== '_ws.lua.fake')) complaints.push(`packet ${packets.length}: ${line.trim()}`);
    if (name === `${id}.operation`) packets.at(-1).push({ name: attribute(line, 'show'), fields: [], links: {} });
    const message = packets.at(-1)?.at(-1);
    if (message === undefined || !name.startsWith(`${id}.`)) continue;
    const short = name.slice(id.length + 1);
    if (notFields.includes(short)) continue;
    if (['reply_in', 'request_in', 'time'].includes(short)) message.links[short] = attribute(line, 'show');
    else if (attribute(line, 'value') !== undefined || attribute(line, 'size') === '0') {
      message.fields.push({ name: short, hex: attribute(line, 'value') ?? '', show: attribute(line, 'show') });
    }
  }
  return { packets, complaints };
}
