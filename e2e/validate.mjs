// Validates JSON files against one JSON Schema (draft 2020-12):
//   node e2e/validate.mjs SCHEMA FILE…
// Prints each violation as FILE: /place: what is wrong. Exit 0: all valid, 1: violations,
// 2: usage, or something that cannot be read.
import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    console.error(`${path}: cannot be read as JSON: ${error.message}`);
    process.exit(2);
  }
}

function compile(path) {
  const ajv = new Ajv2020({ allErrors: true, strict: true });
  addFormats(ajv);
  try {
    return ajv.compile(readJson(path));
  } catch (error) {
    console.error(`${path}: not a schema: ${error.message}`);
    process.exit(2);
  }
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

const validate = compile(schema);
let violations = 0;
for (const file of files) {
  if (validate(readJson(file))) continue;
  for (const error of validate.errors) console.error(`${file}: ${describe(error)}`);
  violations += validate.errors.length;
}
process.exit(violations === 0 ? 0 : 1);
