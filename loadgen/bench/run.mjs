// Measures `hallmark load` beside its yardsticks, each from interleaved rounds of one run, and says
// where a ratio falls short of what is asked for: loadgen/bench/run calls it.
//
//   client    requests per client CPU-second beside those of a client that does nothing but its system
//             calls (bare_client.cpp): same frames, connections and depth
//   threads   client CPU per request of two threads beside that of one
//   mpi       client CPU per request of two ranks beside that of one process with two threads
//   reduction time and memory for adding up a thousand ranks (distributed/bench/reduction_bench.cpp)
//   redis     client CPU per request beside redis-benchmark's, each against its own server
//   accuracy  quantiles, as users are told them, beside those of the delays that a responder realised
//             (delaying_responder.cpp); those that the client marks as its own are set apart, and of the
//             others the part that the client accounts for is allowed beside what is asked for
//   memory    of the client: how it grows with the length of a run, and with connections
//   pacing    how late a sleeping thread is woken, by the means of sleeping (pacing_bench.cpp)
//   server    CPU per request of `hallmark serve` beside redis-server's
//
// Usage: node loadgen/bench/run.mjs BUILD_DIR [--only PART,…] [--rounds N] [--seconds N] [--tries N]
// Needs redis-server and redis-benchmark; for the system calls of `server` also strace; for `mpi`
// mpirun, and a build that has found MPI.
//
// Other work on the machine moves both sides of a ratio: rounds take turns in who goes first, ratios
// are of the two sides of one round, and their median counts. Where the bound lies among the middle
// half of them the rounds go on, up to twice as many. What still falls short is measured again, up to --tries times (once
// unless told): where others use the machine, each ratio has to hold in one of them.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

import { freePort } from "../../e2e/ports.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: "client,threads,mpi,reduction,redis,accuracy,memory,pacing,server" },
    rounds: { type: "string", default: "9" },
    seconds: { type: "string", default: "1" },
    tries: { type: "string", default: "1" },
  },
});
const [build] = positionals;
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
const tries = Number(options.tries);
if (build === undefined || !(rounds >= 1) || !(seconds >= 1) || !(tries >= 1)) {
  console.error("usage: node loadgen/bench/run.mjs BUILD_DIR [--only PART,…] [--rounds N] [--seconds N] [--tries N]");
  process.exit(2);
}
const program = (name) => {
  const path = join(build, name);
  if (!existsSync(path)) throw new Error(`${path} is not built`);
  return path;
};
const hallmark = program("hallmark");
const bareClient = program("loadgen/hallmark_bare_client");
const delayingResponder = program("loadgen/hallmark_delaying_responder");
const pacingBench = program("loadgen/hallmark_pacing_bench");
const reductionBench = program("distributed/hallmark_reduction_bench");
const directory = mkdtempSync(join(tmpdir(), "hallmark-bench-"));

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
const thousands = (value) => Math.round(value).toLocaleString("en");
const us = (ns) => (ns / 1000).toFixed(1);

const shortfalls = [];
/** One comparison with what is asked for. */
function ask(what, holds) {
  if (!holds) shortfalls.push(what);
  return holds ? "" : "   FALLS SHORT";
}

/** Makes a comparison, and makes it again where it falls short. */
async function tried(comparison) {
  const before = shortfalls.length;
  for (let left = tries; left > 0; --left) {
    shortfalls.length = before;
    await comparison();
    if (shortfalls.length === before) return;
  }
}

/**
 * The two sides of a comparison by turns: `sides` has a function for each, which resolves to a cost. Returns the
 * median cost of each side, and the median, least and most of the ratios of the first to the second.
 */
async function compare(sides, bound) {
  const names = Object.keys(sides);
  const samples = [];
  const ratios = () => samples.map((sample) => sample[names[0]] / sample[names[1]]).sort((a, b) => a - b);
  const undecided = () => {
    const all = ratios();
    return all[Math.floor(all.length / 4)] <= bound && bound <= all[Math.ceil((3 * all.length) / 4) - 1];
  };
  while (samples.length < rounds || (samples.length < 2 * rounds && undecided())) {
    const sample = {};
    for (const name of samples.length % 2 === 0 ? names : [...names].reverse()) sample[name] = await sides[name]();
    samples.push(sample);
  }
  const costs = Object.fromEntries(names.map((name) => [name, median(samples.map((sample) => sample[name]))]));
  const all = ratios();
  return { costs, ratio: median(all), spread: `${all[0].toFixed(3)} to ${all[all.length - 1].toFixed(3)}`, rounds: all.length };
}

/**
 * Runs a program to its end; its output. A load that is inconclusive (4) has still measured, as has a reduction that
 * falls short (1).
 */
async function run(command, args, environment = {}) {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, ...environment } });
  let text = "";
  child.stdout.on("data", (data) => (text += data));
  const [code] = await once(child, "close");
  const measured = code === 0 || code === 4 || (code === 1 && command === reductionBench);
  if (!measured) throw new Error(`${command} ${args.join(" ")}: exit code ${code}\n${text}`);
  return text;
}

/** User and system seconds of a process so far, all threads: /proc/PID/stat. */
function cpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticksPerSecond = 100; // USER_HZ, which /proc counts in on every Linux
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

async function firstLine(child, start) {
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes(start)) return line;
  }
  throw new Error(`no line with '${start}'`);
}

/** A server of a format, such as { dialect: "throttr-7.1", width: "u16" }. */
async function startHallmark(format) {
  const args = ["--dialect", format.dialect, "--width", format.width, "--listen", "tcp://127.0.0.1:0"];
  const server = spawn(hallmark, ["serve", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  return { server, format, target: (await firstLine(server, "listening on ")).split(" ").pop() };
}

async function startRedis() {
  const port = String(await freePort());
  const args = ["--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const server = spawn("redis-server", args, { stdio: ["ignore", "pipe", "inherit"] });
  await firstLine(server, "Ready to accept connections");
  return { server, port };
}

async function stop({ server }) {
  server.kill("SIGTERM");
  await once(server, "exit");
}

/** One run of `hallmark load`, or of what stands for it: its result. */
async function load({ target, format }, more, command = [hallmark]) {
  const file = join(directory, "load.json");
  const args = ["--dialect", format.dialect, "--width", format.width, "--json", file];
  const asRoot = { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };
  await run(command[0], [...command.slice(1), "load", target, ...args, ...more], asRoot);
  return JSON.parse(readFileSync(file, "utf8"));
}

const closed = (connections, depth) => [
  "--mix", "query=1", "--closed", "--connections", String(connections), "--depth", String(depth),
  "--duration", `${seconds}s`,
];

/** Client CPU-seconds per request. */
const costOf = (result) => (result.cpu_user_seconds + result.cpu_system_seconds) / Number(result.counts.completed);
const nanoseconds = (seconds) => `${(seconds * 1e9).toFixed(0)} ns`;

// --- client ---------------------------------------------------------------------------------------

async function compareClients(server, depth, asked) {
  const { dialect, width } = server.format;
  const bareClientCost = async () => {
    const bare = JSON.parse(await run(bareClient, [server.target, "64", String(depth), String(seconds), dialect, width]));
    return bare.cpu_seconds / bare.requests;
  };
  const own = async () => costOf(await load(server, closed(64, depth)));
  const { costs, ratio, spread, rounds: made } = await compare({ bare: bareClientCost, own }, asked);
  console.log(`client: 64 connections, depth ${depth}, QUERY of ${dialect} ${width}; medians of ${made} rounds`);
  console.log(`    bare epoll client  ${thousands(1 / costs.bare)} requests per client CPU-second`);
  console.log(`    hallmark load      ${thousands(1 / costs.own)} requests per client CPU-second`);
  console.log(`    ratio              ${ratio.toFixed(3)}, of rounds ${spread} (at least ${asked} is asked for)` +
    ask(`client, depth ${depth}, ${dialect} ${width}: ${ratio.toFixed(3)} of the bare client, asked ${asked}`, ratio >= asked));
}

async function partClient() {
  const formats = [
    { dialect: "throttr-7.1", width: "u16" },
    { dialect: "throttr-7.3", width: "u16" },
    { dialect: "throttr-2.0", width: "u64" },
  ];
  for (const format of formats) {
    const server = await startHallmark(format);
    await tried(() => compareClients(server, 1, 0.93));
    await tried(() => compareClients(server, 64, 0.85));
    await stop(server);
  }
}

// --- threads, mpi, reduction ----------------------------------------------------------------------

/** Client CPU per request of two ways to load a server, closed loops over 64 connections: compareCostsOnce's arguments. */
const compareCosts = (...comparison) => tried(() => compareCostsOnce(...comparison));

async function compareCostsOnce(name, depth, sides, most) {
  const { costs, ratio, spread, rounds: made } = await compare(sides, most);
  console.log(`${name}: client CPU per request, 64 connections, depth ${depth}; medians of ${made} rounds`);
  for (const [side, cost] of Object.entries(costs).reverse()) console.log(`    ${side.padEnd(24)} ${nanoseconds(cost)}`);
  console.log(`    ratio                    ${ratio.toFixed(3)}, of rounds ${spread} (at most ${most} is asked for)` +
    ask(`${name}, depth ${depth}: ${ratio.toFixed(3)}, asked at most ${most}`, ratio <= most));
}

async function partThreads() {
  const server = await startHallmark({ dialect: "throttr-7.1", width: "u16" });
  for (const depth of [1, 64]) {
    const cost = async (threads) => costOf(await load(server, [...closed(64, depth), "--threads", threads]));
    await compareCosts("threads", depth, { "two threads": () => cost("2"), "one thread": () => cost("1") }, 1.1);
  }
  await stop(server);
}

async function partMpi() {
  const mpirun = ["mpirun", "--quiet", "--oversubscribe", "--mca", "btl", "self,vader", "--mca", "oob_tcp_if_include", "lo",
    "-n", "2", program("hallmark-mpi")];
  const server = await startHallmark({ dialect: "throttr-7.1", width: "u16" });
  for (const depth of [1, 64]) {
    const ranks = async () => costOf(await load(server, closed(64, depth), mpirun));
    const threads = async () => costOf(await load(server, [...closed(64, depth), "--threads", "2"]));
    await compareCosts("mpi", depth, { "two ranks": ranks, "one process, two threads": threads }, 1.05);
  }
  await stop(server);
}

const partReduction = () => tried(reduceOnce);

async function reduceOnce() {
  const made = [];
  for (let i = 0; i < rounds; ++i) made.push(JSON.parse(await run(reductionBench, ["1000"])));
  const took = median(made.map((one) => one.seconds));
  const more = Math.max(...made.map((one) => one.more_bytes));
  const [{ ranks, message_bytes: message }] = made;
  console.log(`reduction: ${thousands(ranks)} ranks with every bucket in use; median of ${rounds} rounds`);
  console.log(`    processor time  ${took.toFixed(2)} s (at most 2 is asked for)` +
    ask(`reduction: ${took.toFixed(2)} s, asked at most 2`, took < 2));
  console.log(`    memory          ${thousands(more)} bytes beside the sum and a message of ${thousands(message)} ` +
    "(less than a message is asked for)" +
    ask(`reduction: ${thousands(more)} bytes beside the sum and a message`, more < message));
}

// --- redis ----------------------------------------------------------------------------------------

/** Client CPU-seconds per request of redis-benchmark, by what the shell says of its child. */
async function redisBenchmark({ port }, depth) {
  const count = (depth === 1 ? 100_000 : 1_500_000) * seconds;
  const command = `redis-benchmark -p ${port} -c 64 -P ${depth} -n ${count} -t ping_mbulk -q >/dev/null; times`;
  const last = (await run("bash", ["-c", command])).trim().split("\n").pop();
  const [, user, system] = last.match(/^(\S+)s (\S+)s$/).map((text) => {
    const [minutes, rest] = text.split("m");
    return Number(minutes) * 60 + Number(rest);
  });
  return (user + system) / count;
}

async function partRedis() {
  const own = await startHallmark({ dialect: "throttr-7.1", width: "u16" });
  const redis = await startRedis();
  for (const depth of [1, 64]) {
    await compareCosts("redis", depth, {
      "hallmark load, QUERY": async () => costOf(await load(own, closed(64, depth))),
      "redis-benchmark, PING": () => redisBenchmark(redis, depth),
    }, 1);
  }
  await stop(own);
  await stop(redis);
}

// --- accuracy -------------------------------------------------------------------------------------

const channel = "load:channel";
const payload = 16;
// PUBLISH of 7.1 at u16: opcode, size of the channel, size of the payload, and both; its reply is a status.
const requestBytes = 1 + 1 + 2 + channel.length + payload;
const quantiles = ["p50", "p90", "p99", "p99_9", "p99_99"];

/** What a load says of a responder with that distribution, and the responder of itself. */
async function delayed(distribution, more) {
  const server = spawn(delayingResponder, [distribution, "1", String(requestBytes)], { stdio: ["pipe", "pipe", "inherit"] });
  let text = "";
  server.stdout.on("data", (data) => (text += data));
  while (!text.includes("\n")) await once(server.stdout, "data");
  const port = text.split("\n")[0].split(" ").pop();
  const target = { target: `tcp://127.0.0.1:${port}`, format: { dialect: "throttr-7.1", width: "u16" } };
  const result = await load(target, ["--mix", "publish=1", "--value-bytes", String(payload), "--connections", "64",
    "--reading", "publish-reply=status", "--timeout", "10s", "--lag-bound", "1s", ...more]);
  server.stdin.end();
  await once(server, "close");
  return { result, realised: JSON.parse(text.trim().split("\n").pop()) };
}

/** From the actual send, with the marks of what the client could explain. */
const told = (result) => result.uncorrected.quantiles_ns;

const accuracyRounds = 5;
const accuracySeconds = 10; // so that p99.99 is of two requests

async function partAccuracy() {
  const plan = ["--rate", "2k", "--duration", `${accuracySeconds}s`];
  const distributions = {
    "constant 5 ms": "constant:5000000",
    "bimodal 1 ms, 20 ms (15 %)": "bimodal:1000000,20000000,0.15",
    "log-normal, median 2 ms, sigma 0.7": "lognormal:2000000,0.7",
  };
  for (const [name, distribution] of Object.entries(distributions)) {
    const errors = Object.fromEntries(quantiles.map((q) => [q, { target: [], client: [] }]));
    const shown = {};
    for (let i = 0; i < accuracyRounds; ++i) {
      // What lies between the responder and the client when nothing is delayed.
      const nothing = await delayed("none", ["--rate", "2k", "--duration", "2s"]);
      const { result, realised } = await delayed(distribution, plan);
      for (const q of quantiles) {
        const floor = told(nothing.result).p50 - nothing.realised.p50;
        const exact = realised[q] + floor;
        const part = Number(told(result)[`${q}_client_part`] ?? 0);
        const error = Math.abs(told(result)[q] - exact);
        errors[q][told(result)[`${q}_by_client`] ? "client" : "target"].push({ error, part, beside: error - part });
        shown[q] = { exact, allowed: Math.max(0.02 * exact, 20_000) };
      }
    }
    console.log(`accuracy: ${name}; 2,000 requests/s for ${accuracySeconds} s, medians of the errors of ${accuracyRounds} rounds`);
    for (const q of quantiles) {
      const { target, client } = errors[q];
      const { exact, allowed } = shown[q];
      const of = (rounds, what) => median(rounds.map((one) => one[what]));
      const marked = client.length === 0 ? "" :
        `; marked as the client's ${client.length} times, off by ${us(of(client, "error"))} us`;
      const start = `    ${q.replace("_", ".").padEnd(7)} exact ${us(exact).padStart(9)} us, `;
      if (target.length === 0) {
        console.log(start + `always the client's, off by ${us(of(client, "error"))} us`);
        continue;
      }
      const [error, part, beside] = ["error", "part", "beside"].map((what) => of(target, what));
      console.log(start + `off by ${us(error).padStart(7)} us, the client's part ${us(part).padStart(6)} us ` +
        `(at most ${us(allowed)} us beside that is asked for)${marked}` +
        ask(`accuracy, ${name}, ${q}: off by ${us(beside)} us beside the client's part, asked ${us(allowed)} us`,
          beside <= allowed));
    }
  }
  // A stall of one second in ten: a tenth of the requests wait for its end, the first of them for all of it.
  const { result } = await delayed("stall:3000,1000", ["--rate", "2k", "--duration", "10s"]);
  console.log("accuracy: one stall of 1 s within 10 s, 2,000 requests/s; from the planned send");
  const corrected = result.corrected.quantiles_ns;
  const expected = { max: 1e9, p99: 0.9e9, p99_9: 0.99e9 };
  for (const [q, exact] of Object.entries(expected)) {
    const error = Math.abs(corrected[q] - exact);
    console.log(`    ${q.replace("_", ".").padEnd(7)} exact ${us(exact).padStart(9)} us, off by ${us(error).padStart(7)} us ` +
      `(at most ${us(0.02 * exact)} us is asked for)` +
      ask(`accuracy, stall, ${q}: off by ${us(error)} us`, error <= 0.02 * exact));
  }
}

// --- memory ---------------------------------------------------------------------------------------

/** The most memory that a run of `hallmark load` had, in MiB: VmHWM, looked at until it ends. */
async function peakOf(server, more) {
  const args = ["load", server.target, "--width", server.format.width, "--mix", "query=1", ...more];
  const child = spawn(hallmark, args, { stdio: "ignore" });
  let peak = 0;
  const look = setInterval(() => {
    try {
      const found = readFileSync(`/proc/${child.pid}/status`, "utf8").match(/VmHWM:\s+(\d+) kB/);
      if (found) peak = Math.max(peak, Number(found[1]) / 1024);
    } catch {} // it has ended
  }, 20);
  const [code] = await once(child, "exit");
  clearInterval(look);
  if (code !== 0 && code !== 4) throw new Error(`hallmark ${args.join(" ")}: exit code ${code}`);
  return peak;
}

async function partMemory() {
  const server = await startHallmark({ dialect: "throttr-7.1", width: "u16" });
  const plan = (duration) => ["--rate", "50k", "--connections", "64", "--duration", `${duration}s`];
  const short = await peakOf(server, plan(2));
  const long = await peakOf(server, plan(20));
  console.log("memory of the client: 50,000 requests/s");
  console.log(`    2 s    ${short.toFixed(1)} MiB`);
  console.log(`    20 s   ${long.toFixed(1)} MiB`);
  console.log(`    ratio  ${(long / short).toFixed(3)} (at most 1.1 is asked for)` +
    ask(`memory: ${(long / short).toFixed(3)} for ten times the requests`, long <= 1.1 * short));
  const many = await peakOf(server, ["--rate", "20k", "--connections", "10000", "--duration", "3s"]);
  console.log(`    10,000 connections  ${many.toFixed(1)} MiB (at most 500 is asked for)` +
    ask(`memory: ${many.toFixed(1)} MiB for 10,000 connections`, many <= 500));
  await stop(server);
}

// --- pacing ---------------------------------------------------------------------------------------

async function partPacing() {
  console.log("pacing: a thread that sleeps until a time");
  for (const line of (await run(pacingBench, ["2"])).trim().split("\n")) console.log(`    ${line}`);
}

// --- server ---------------------------------------------------------------------------------------

const queries = async (server) => Number((await load(server, closed(16, 64))).counts.completed);

async function pings({ port }) {
  const count = 2_000_000 * seconds;
  await run("redis-benchmark", ["-p", port, "-c", "16", "-P", "64", "-n", String(count), "-t", "ping_mbulk", "-q"]);
  return count;
}

async function cpuPerRequest(target, asked) {
  const before = cpuSeconds(target.server.pid);
  const requests = await asked(target);
  return (cpuSeconds(target.server.pid) - before) / requests;
}

/** System calls per request, counted by strace while the requests are served. */
async function systemCallsPerRequest(target, asked) {
  const file = join(directory, "strace");
  const args = ["-c", "-f", "-o", file, "-p", String(target.server.pid)];
  const strace = spawn("strace", args, { stdio: ["ignore", "ignore", "pipe"] });
  await once(strace.stderr, "data"); // "Process … attached"
  const requests = await asked(target);
  strace.kill("SIGINT");
  await once(strace, "exit");
  const total = readFileSync(file, "utf8").split("\n").find((line) => line.endsWith(" total"));
  return Number(total.trim().split(/\s+/)[3]) / requests;
}

async function partServer() {
  const own = await startHallmark({ dialect: "throttr-7.1", width: "u16" });
  const redis = await startRedis();
  const cost = {
    own: () => cpuPerRequest(own, queries),
    redis: () => cpuPerRequest(redis, pings),
  };
  const { costs, ratio, spread, rounds: made } = await compare(cost, 1);
  const calls = { own: await systemCallsPerRequest(own, queries), redis: await systemCallsPerRequest(redis, pings) };
  const line = (name, key) => `    ${name}  ${nanoseconds(costs[key])} of CPU, ${calls[key].toFixed(4)} system calls`;
  console.log(`server: per request, 16 connections, depth 64; medians of ${made} rounds`);
  console.log(line("hallmark serve, QUERY u16, from hallmark load ", "own"));
  console.log(line("redis-server, PING, from redis-benchmark      ", "redis"));
  console.log(`    ratio of CPU ${ratio.toFixed(3)}, of rounds ${spread} (at most 1 is asked for)` +
    ask(`server: ${ratio.toFixed(3)} of redis-server's CPU`, ratio <= 1));
  console.log("    CPU: /proc/PID/stat, all threads; system calls: strace -c -f, in a run of their own");
  await stop(own);
  await stop(redis);
}

const parts = {
  client: partClient, threads: partThreads, mpi: partMpi, reduction: partReduction, redis: partRedis,
  accuracy: partAccuracy, memory: partMemory, pacing: partPacing, server: partServer,
};
try {
  for (const name of options.only.split(",")) {
    if (!(name in parts)) throw new Error(`no part '${name}'; allowed: ${Object.keys(parts).join(", ")}`);
    await parts[name]();
    console.log();
  }
} finally {
  rmSync(directory, { recursive: true });
}
for (const shortfall of shortfalls) console.log(`FALLS SHORT  ${shortfall}`);
if (shortfalls.length === 0) console.log("every ratio is as asked for");
process.exitCode = shortfalls.length === 0 ? 0 : 1;
