// Counts what two builds of Hallmark execute for the same work, which says the same on every machine however busy:
// instructions of `hallmark load` for a request, and of the benchmarks of codec and session for an iteration.
//
// Usage: node e2e/instructions.mjs BUILD_DIR_BEFORE BUILD_DIR_AFTER [--only load,codec,session]
// Needs valgrind. The reference server of the second build answers both clients.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

const { values: options, positionals: builds } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string", default: "load,codec,session" } },
});
if (builds.length !== 2) {
  console.error("usage: node e2e/instructions.mjs BUILD_DIR_BEFORE BUILD_DIR_AFTER [--only load,codec,session]");
  process.exit(2);
}
const directory = mkdtempSync(join(tmpdir(), "hallmark-instructions-"));

/** The program of that name, wherever its component builds it. */
function program(build, name) {
  const found = readdirSync(build, { recursive: true }).find((path) => basename(path) === name);
  if (found === undefined) throw new Error(`${build} has no ${name}: build it first`);
  return join(build, found);
}

/** Runs a program under callgrind: the files of the parts that `more` tells apart, as {name, instructions}. */
async function counted(more, command, args) {
  const file = join(directory, "callgrind.out");
  const tool = ["--tool=callgrind", `--callgrind-out-file=${file}`, ...more];
  const child = spawn("valgrind", [...tool, command, ...args], { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (data) => (errors += data));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${command} ${args.join(" ")}: exit code ${code}\n${errors}`);
  const files = readdirSync(directory).filter((name) => name.startsWith("callgrind.out"));
  return files.map((name) => {
    const total = readFileSync(join(directory, name), "utf8").match(/^totals: (\d+)/m);
    rmSync(join(directory, name));
    return { name, instructions: Number(total?.[1] ?? 0) };
  });
}

function tell(name, [before, after]) {
  const columns = [before, after].map((count) => count.toFixed(1).padStart(12));
  console.log(`${name.padEnd(36)}${columns.join("")}   ${(after / before).toFixed(4)}`);
}

// --- load -----------------------------------------------------------------------------------------

async function startServer(format) {
  const args = ["serve", ...format, "--listen", "tcp://127.0.0.1:0"];
  const server = spawn(program(builds[1], "hallmark"), args, { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: server.stdout })) {
    if (line.startsWith("listening on ")) return { server, target: line.split(" ").pop() };
  }
  throw new Error("hallmark serve did not start");
}

/**
 * One run of the client alone under callgrind: instructions of its thread that sends and reads, the busiest beside the
 * first one. The first one starts, sums up each second and ends: that costs the same however many requests there are.
 */
async function loaded(build, target, args, duration) {
  const file = join(directory, "load.json");
  const all = ["load", target, ...args, "--duration", duration, "--json", file];
  const threads = await counted(["--separate-threads=yes"], program(build, "hallmark"), all);
  const others = threads.filter(({ name }) => /-\d+$/.test(name) && !name.endsWith("-01"));
  return {
    instructions: Math.max(...others.map(({ instructions }) => instructions)),
    requests: Number(JSON.parse(readFileSync(file, "utf8")).counts.completed),
  };
}

/** Two runs of different length differ by requests alone: starting and ending cost both the same. */
async function instructionsPerRequest(build, target, args) {
  const brief = await loaded(build, target, args, "500ms");
  const long = await loaded(build, target, args, "2s");
  return (long.instructions - brief.instructions) / (long.requests - brief.requests);
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)];

/** One connection: with more, the number of them that are served at a time depends on what else runs. */
async function compareAtDepth(target, format, depth) {
  const closed = ["--closed", "--depth", depth, "--connections", "1", "--mix", "query=1", "--timeout", "10s"];
  const counts = builds.map(() => []);
  for (let round = 0; round < 3; ++round) {
    for (const [i, build] of builds.entries())
      counts[i].push(await instructionsPerRequest(build, target, [...format, ...closed]));
  }
  tell(`load ${format[1]} ${format[3]}, depth ${depth}`, counts.map(median));
}

async function compareClients() {
  for (const [dialect, width] of [["throttr-2.0", "u64"], ["throttr-7.1", "u16"], ["throttr-7.3", "u16"]]) {
    const format = ["--dialect", dialect, "--width", width, "--profile", "deployed"];
    const { server, target } = await startServer(format);
    try {
      for (const depth of ["1", "64"]) await compareAtDepth(target, format, depth);
    } finally {
      server.kill("SIGTERM");
      await once(server, "exit");
    }
  }
}

// --- benchmarks -----------------------------------------------------------------------------------

async function namesOf(bench) {
  const child = spawn(bench, ["--benchmark_list_tests"], { stdio: ["ignore", "pipe", "inherit"] });
  const names = [];
  for await (const line of createInterface({ input: child.stdout })) names.push(line);
  return names;
}

/** The library tries how many iterations it needs; each try is a part, and the last of them is what it reports. */
async function instructionsPerIteration(bench, name) {
  const file = join(directory, "bench.json");
  const loop = ["--zero-before=benchmark::State::StartKeepRunning*", "--dump-before=benchmark::State::FinishKeepRunning*"];
  const parts = await counted(loop, bench, [
    `--benchmark_filter=^${name}$`, `--benchmark_out=${file}`, "--benchmark_min_time=0.2",
  ]);
  const [{ iterations }] = JSON.parse(readFileSync(file, "utf8")).benchmarks;
  const number_of = ({ name }) => Number(name.split(".")[2] ?? Infinity);
  parts.sort((one, other) => (number_of(one) < number_of(other) ? -1 : 1));
  return parts.at(-2).instructions / iterations;
}

async function compareBenches(name) {
  const benches = builds.map((build) => program(build, name));
  for (const one of await namesOf(benches[1])) {
    const counts = [];
    for (const bench of benches) counts.push(await instructionsPerIteration(bench, one));
    tell(one, counts);
  }
}

const parts = {
  load: compareClients,
  codec: () => compareBenches("hallmark_protocol_bench"),
  session: () => compareBenches("hallmark_session_bench"),
};
try {
  console.log(`${"instructions".padEnd(36)}${"before".padStart(12)}${"after".padStart(12)}   after/before`);
  for (const part of options.only.split(",")) await parts[part]();
} finally {
  rmSync(directory, { recursive: true });
}
