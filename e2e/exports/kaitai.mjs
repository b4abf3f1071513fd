// Descriptions compiled by Kaitai Struct's own compiler, and what they make of messages.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const KaitaiStream = require('kaitai-struct/KaitaiStream');
const compiler = require('kaitai-struct-compiler');
const yaml = require('yaml');

/** The class that the compiler makes of a description. */
export async function compiled(description) {
  const structure = yaml.parse(description);
  const files = await compiler.compile('javascript', structure, null, false);
  const [source] = Object.values(files);
  const module = { exports: {} };
  new Function('require', 'module', 'exports', source)(require, module, module.exports);
  return Object.values(module.exports)[0] ?? module.exports;
}

const camel = (name) => name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
const capital = (name) => camel(name.replace(/^./, (letter) => letter.toUpperCase()));

export const streamOf = (bytes) => new KaitaiStream(new Uint8Array(bytes).buffer);

/** What the description makes of a message; `role` is request, reply or push. */
export function parsed(Root, name, role, bytes, width) {
  const stream = streamOf(bytes);
  const overStream = width !== undefined;
  const type = role === 'request' && overStream ? 'Request' : capital(`${name.toLowerCase()}_${role}`);
  const parameters = overStream && Root.prototype.constructor.length > 3 ? [width] : [];
  const value = new Root[type](stream, null, null, ...parameters);
  return { value, stream };
}

/** The field at the path that `hallmark decode` names, wherever the description has put it. */
export function at(value, path) {
  let here = value;
  const steps = path.split('.');
  steps.forEach((step, position) => {
    const [, name, index] = /^([^[]*)(?:\[(\d+)\])?$/.exec(step);
    if (here === undefined) return;
    if (position === 0 && !(camel(name) in here) && here.body !== undefined) here = here.body;
    if (index === undefined) {
      here = here[camel(name)];
      return;
    }
    const record = here[camel(name)]?.[Number(index)];
    const tail = here[camel(`${name}_tail`)]?.[Number(index)];
    const next = steps[position + 1]?.replace(/\[.*/, '');
    here = record !== undefined && camel(next) in record ? record : tail;
  });
  return here;
}
