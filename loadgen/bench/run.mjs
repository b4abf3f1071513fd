// Prints the ratios that docs/performance.md quotes, each from interleaved rounds of one run:
//
//   (a) requests per client CPU-second of `hallmark load` over those of a client that does nothing but
//       its system calls (bare_client.cpp), same frames, same connections and depth, for three dialects;
//   (b) CPU time per request of `hallmark serve` answering QUERY over that of redis-server answering
//       PING, 16 connections 64 deep, and the system calls per request of both.
//
// Usage: node loadgen/bench/run.mjs BUILD_DIR [ROUNDS] [SECONDS]
// Needs redis-server and redis-benchmark for (b), and strace for the system calls.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const [build, rounds = "5", seconds = "2"] = process.argv.slice(2);
if (build === undefined) {
  console.error("usage: node loadgen/bench/run.mjs BUILD_DIR [ROUNDS] [SECONDS]");
  process.exit(2);
}
const hallmark = join(build, "hallmark");
const bareClient = join(build, "loadgen/hallmark_bare_client");
const run = promisify(execFile);
const directory = mkdtempSync(join(tmpdir(), "hallmark-bench-"));

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const thousands = (value) => Math.round(value).toLocaleString("en");

/** User and system seconds of a process so far, all threads: /proc/PID/stat. */
function cpuSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticksPerSecond = 100; // USER_HZ, which /proc counts in on every Linux
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** A server of a format, such as { dialect: "throttr-7.1", width: "u16" }. */
async function startHallmark(format) {
  const options = ["--dialect", format.dialect, "--width", format.width, "--listen", "tcp://127.0.0.1:0"];
  const server = spawn(hallmark, ["serve", ...options], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: server.stdout })) {
    if (line.startsWith("listening on ")) return { server, format, target: line.split(" ").pop() };
  }
  throw new Error("hallmark serve did not start");
}

async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  await once(probe, "close");
  return port;
}

async function startRedis() {
  const port = String(await freePort());
  const options = ["--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const server = spawn("redis-server", options, { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: server.stdout })) {
    if (line.includes("Ready to accept connections")) return { server, port };
  }
  throw new Error("redis-server did not start");
}

async function stop({ server }) {
  server.kill("SIGTERM");
  await once(server, "exit");
}

/** One closed-loop run of `hallmark load`: its result. */
async function load({ target, format }, connections, depth) {
  const file = join(directory, "load.json");
  await run(hallmark, [
    "load", target, "--dialect", format.dialect, "--width", format.width, "--mix", "query=1",
    "--closed", "--depth", String(depth), "--connections", String(connections),
    "--duration", `${seconds}s`, "--json", file,
  ]);
  return JSON.parse(readFileSync(file, "utf8"));
}

async function requestsPerClientCpuSecond(server, depth) {
  const { dialect, width } = server.format;
  const { stdout } = await run(bareClient, [server.target, "64", String(depth), seconds, dialect, width]);
  const bare = JSON.parse(stdout);
  const own = await load(server, 64, depth);
  return {
    bare: bare.requests / bare.cpu_seconds,
    load: Number(own.counts.completed) / (own.cpu_user_seconds + own.cpu_system_seconds),
  };
}

async function compareClients(server, depth) {
  const samples = [];
  for (let i = 0; i < Number(rounds); ++i) {
    samples.push(await requestsPerClientCpuSecond(server, depth));
  }
  const { dialect, width } = server.format;
  const bare = median(samples.map((sample) => sample.bare));
  const own = median(samples.map((sample) => sample.load));
  console.log(`(a) 64 connections, depth ${depth}, QUERY of ${dialect} ${width}; medians of ${rounds} rounds each`);
  console.log(`    bare epoll client  ${thousands(bare)} requests per client CPU-second`);
  console.log(`    hallmark load      ${thousands(own)} requests per client CPU-second`);
  console.log(`    ratio              ${(own / bare).toFixed(3)} (at least 0.8 is asked for)`);
}

const queries = async (server) => Number((await load(server, 16, 64)).counts.completed);

async function pings({ port }) {
  const count = 2_000_000 * Number(seconds);
  await run("redis-benchmark", [
    "-p", port, "-c", "16", "-P", "64", "-n", String(count), "-t", "ping_mbulk", "-q",
  ]);
  return count;
}

async function cpuPerRequest(target, ask) {
  const before = cpuSeconds(target.server.pid);
  const requests = await ask(target);
  return (cpuSeconds(target.server.pid) - before) / requests;
}

/** System calls per request, counted by strace while the requests are served. */
async function systemCallsPerRequest(target, ask) {
  const file = join(directory, "strace");
  const options = ["-c", "-f", "-o", file, "-p", String(target.server.pid)];
  const strace = spawn("strace", options, { stdio: ["ignore", "ignore", "pipe"] });
  await once(strace.stderr, "data"); // "Process … attached"
  const requests = await ask(target);
  strace.kill("SIGINT");
  await once(strace, "exit");
  const total = readFileSync(file, "utf8").split("\n").find((line) => line.endsWith(" total"));
  return Number(total.trim().split(/\s+/)[3]) / requests;
}

async function compareServers(own, redis) {
  const samples = [];
  for (let i = 0; i < Number(rounds); ++i) {
    samples.push({ own: await cpuPerRequest(own, queries), redis: await cpuPerRequest(redis, pings) });
  }
  const nanoseconds = (key) => median(samples.map((sample) => sample[key])) * 1e9;
  const calls = { own: await systemCallsPerRequest(own, queries), redis: await systemCallsPerRequest(redis, pings) };
  const line = (name, key) =>
    `    ${name}  ${nanoseconds(key).toFixed(1)} ns of CPU, ${calls[key].toFixed(4)} system calls`;
  console.log(`(b) per request, 16 connections, depth 64; medians of ${rounds} rounds each`);
  console.log(line("hallmark serve, QUERY u16, from hallmark load ", "own"));
  console.log(line("redis-server, PING, from redis-benchmark      ", "redis"));
  console.log(`    ratio of CPU ${(nanoseconds("own") / nanoseconds("redis")).toFixed(3)} (at most 1 is asked for)`);
  console.log("    CPU: /proc/PID/stat, all threads; system calls: strace -c -f, in a run of their own");
}

for (const program of [hallmark, bareClient]) {
  if (!existsSync(program)) throw new Error(`${program} is not built`);
}
const formats = [
  { dialect: "throttr-7.1", width: "u16" },
  { dialect: "throttr-7.3", width: "u16" },
  { dialect: "throttr-2.0", width: "u64" },
];
const servers = [];
try {
  for (const format of formats) servers.push(await startHallmark(format));
  const [own, ...others] = servers;
  for (const depth of [64, 1]) await compareClients(own, depth);
  for (const server of others) await compareClients(server, 64);
  const redis = await startRedis();
  servers.push(redis);
  await compareServers(own, redis);
} finally {
  for (const server of servers) await stop(server);
  rmSync(directory, { recursive: true });
}
