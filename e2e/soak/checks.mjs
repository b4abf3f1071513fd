// Holds what a run of `hallmark load` or `certify` wrote and how it ended to each other. Each check returns complaints.
import { existsSync, readFileSync, rmSync } from 'node:fs';

const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);

/** A results file that is whole JSON is returned and removed; one that is cut is a complaint; null if there is none. */
export function takeJson(file, complaints) {
  if (!existsSync(file)) return null;
  const text = readFileSync(file, 'utf8');
  rmSync(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    complaints.push(`${file} is not whole: ${error.message}, ${text.length} characters`);
    return null;
  }
}

/** Every request ends once: for all operations together, and for each. */
function ledger(result) {
  const complaints = [];
  const ended = (counts) => counts.completed + counts.timed_out + counts.shed + counts.failed;
  for (const { operation, counts } of [{ operation: 'all', counts: result.counts }, ...result.operations]) {
    if (counts.planned !== ended(counts)) complaints.push(`${operation}: ${JSON.stringify(counts)} do not add up`);
  }
  for (const name of Object.keys(result.counts)) {
    const parts = sum(result.operations.map(({ counts }) => counts[name]));
    if (result.counts[name] !== parts) complaints.push(`${name}: ${result.counts[name]}, its operations have ${parts}`);
  }
  const completed = sum(result.series.map((second) => second.completed));
  if (completed !== result.counts.completed) {
    complaints.push(`the seconds have ${completed} completed requests, the run ${result.counts.completed}`);
  }
  return complaints;
}

/** Every id ends once, and every datagram is accounted for (docs/load.md). */
function datagramLedger({ counts: of, accounting_error: error }) {
  const complaints = error ? [error] : [];
  const hold = (what, left, right) => left === right || complaints.push(`${what}: ${left} and ${right} in ${JSON.stringify(of)}`);
  hold('ids planned', of.planned, of.shed + of.not_sent + of.sent);
  hold('ids sent', of.sent, of.received + of.malformed + of.late + of.lost);
  hold('datagrams', of.datagrams, of.received + of.malformed + of.late + of.duplicate + of.unmatched + of.unreadable);
  return complaints;
}

/** Each completed decision allowed or denied, and no limit was exceeded. */
function storeLedger({ counts, admissions }, completed) {
  const complaints = [];
  if (counts.allowed + counts.denied !== completed) {
    complaints.push(`${counts.allowed} allowed and ${counts.denied} denied, but ${completed} completed`);
  }
  if (admissions.exceeded > 0) complaints.push(`${admissions.exceeded} admissions beyond a limit`);
  return complaints;
}

/** The exit codes that the result of a load allows. */
function codesFor(result) {
  if (result.run_error) return [3];
  if (result.counts.failed + result.counts.timed_out > 0 || result.records?.violated > 0) return [1];
  if (result.inconclusive) return [4];
  return result.interrupted ? [0, 4] : [0];
}

/** A load: that its exit code says what happened, and that its counts agree. A target that was killed `forgets` records. */
export function checkLoad(run, result, forgets = false) {
  const complaints = [];
  if (!codesFor(result).includes(run.code)) {
    complaints.push(`exit code ${run.code}, but ${JSON.stringify({ ...result.counts, error: result.run_error,
      inconclusive: result.inconclusive, errors: result.errors })}`);
  }
  if (result.exit_code !== run.code) complaints.push(`exit code ${run.code}, in the result ${result.exit_code}`);
  complaints.push(...ledger(result));
  if (result.datagram) complaints.push(...datagramLedger(result.datagram));
  if (result.store) complaints.push(...storeLedger(result.store, result.counts.completed));
  if (!forgets && result.records?.violated > 0) complaints.push(`${result.records.violated} keys have no order that explains them`);
  return complaints;
}

/** A proxy: that each datagram that came or was doubled went on or has a reason. */
export function checkProxy(report) {
  const complaints = [];
  for (const [direction, of] of Object.entries(report.counts)) {
    const came = of.received + of.duplicated;
    const went = of.forwarded + of.dropped + of.held + of.refused + sum(Object.values(of.discarded));
    if (came !== went) complaints.push(`${direction}: ${came} came, ${went} went: ${JSON.stringify(of)}`);
  }
  return complaints;
}

/** A server of datagrams: the counts of the line that it prints at its end; null without one. */
export function servedDatagrams(text) {
  const found = /(\d+) datagrams received, (\d+) answered, (\d+) ignored, (\d+) dropped by the kernel/.exec(text);
  if (!found) return null;
  const [received, answered, ignored, overflowed] = found.slice(1).map(Number);
  return { received, answered, ignored, overflowed };
}
