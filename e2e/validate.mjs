// Validates JSON files against one JSON Schema (draft 2020-12):
//   node e2e/validate.mjs SCHEMA FILE…
// Prints each violation as FILE: /place: what is wrong. Exit 0: all valid, 1: violations,
// 2: usage, or something that cannot be read.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const compiledSchemas = fileURLToPath(new URL('node_modules/.cache/schemas', import.meta.url));

function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    console.error(`${path}: cannot be read as JSON: ${error.message}`);
    process.exit(2);
  }
}

function readJson(path) {
  try {
    return JSON.parse(readText(path));
  } catch (error) {
    console.error(`${path}: cannot be read as JSON: ${error.message}`);
    process.exit(2);
  }
}

/** The source of a CommonJS module that validates. */
function compile(path) {
  const { default: Ajv2020 } = require('ajv/dist/2020.js');
  const { default: addFormats } = require('ajv-formats');
  const { default: standaloneCode } = require('ajv/dist/standalone/index.js');
  const ajv = new Ajv2020({ allErrors: true, strict: true, code: { source: true } });
  addFormats(ajv);
  try {
    return standaloneCode(ajv, ajv.compile(readJson(path)));
  } catch (error) {
    console.error(`${path}: not a schema: ${error.message}`);
    process.exit(2);
  }
}

/** Compiling a schema takes longer than all the rest: it is done once, and kept beside the packages. */
function validatorOf(path) {
  const hash = createHash('sha256').update(readText(fileURLToPath(import.meta.url))).update(readText(path));
  const kept = join(compiledSchemas, `${hash.digest('hex')}.cjs`);
  if (!existsSync(kept)) {
    mkdirSync(compiledSchemas, { recursive: true });
    const unfinished = `${kept}.${process.pid}`;
    writeFileSync(unfinished, compile(path));
    renameSync(unfinished, kept);
  }
  return require(kept);
}

function describe({ instancePath, message, params }) {
  const detail = params.additionalProperty ?? params.allowedValues ?? params.allowedValue;
  const suffix = detail === undefined ? '' : ` (${JSON.stringify(detail)})`;
  return `${instancePath || '/'}: ${message}${suffix}`;
}

const [schema, ...files] = process.argv.slice(2);
if (schema === undefined || files.length === 0) {
  console.error('usage: node validate.mjs SCHEMA FILE…');
  process.exit(2);
}

const validate = validatorOf(schema);
let violations = 0;
for (const file of files) {
  if (validate(readJson(file))) continue;
  for (const error of validate.errors) console.error(`${file}: ${describe(error)}`);
  violations += validate.errors.length;
}
process.exit(violations === 0 ? 0 : 1);
