// Prints the ratio that docs/performance.md quotes, from interleaved rounds of one run: client CPU per
// request of `hallmark load` at a constant rate over UDP, over that of a client that does nothing but
// its system calls (bare_datagram_client.cpp), same datagrams, same sockets, same rate. User and system
// time are printed apart; with --rules, the cost of the limit oracle as well.
//
// Usage: node loadgen/bench/run_datagram.mjs BUILD_DIR [ROUNDS] [SECONDS] [RATE] [SOCKETS]
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const [build, rounds = "7", seconds = "3", rate = "50000", sockets = "4"] = process.argv.slice(2);
if (build === undefined) {
  console.error("usage: node loadgen/bench/run_datagram.mjs BUILD_DIR [ROUNDS] [SECONDS] [RATE] [SOCKETS]");
  process.exit(2);
}
const hallmark = join(build, "hallmark");
const bareClient = join(build, "loadgen/hallmark_bare_datagram_client");
const run = promisify(execFile);
const directory = mkdtempSync(join(tmpdir(), "hallmark-bench-"));
const rules = join(directory, "limits.rules");
writeFileSync(rules, '22/20 strict stats "ws ip=*"\n');

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function startServer() {
  const options = ["--dialect", "ratelimit-udp", "--rules", rules, "--listen", "udp://127.0.0.1:0"];
  const server = spawn(hallmark, ["serve", ...options], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: server.stdout })) {
    if (line.startsWith("listening on ")) return { server, target: line.split(" ").pop() };
  }
  throw new Error("hallmark serve did not start");
}

/** Nanoseconds of CPU per request that was sent. */
const perRequest = ({ user, system, sent }) => ({
  user: (user / sent) * 1e9,
  system: (system / sent) * 1e9,
  total: ((user + system) / sent) * 1e9,
});

async function bare(target) {
  const { stdout } = await run(bareClient, [target, sockets, rate, seconds]);
  return JSON.parse(stdout);
}

async function load(target, options) {
  const file = join(directory, "load.json");
  const loss = (error) => {
    if (error.code !== 1) throw error; // requests were lost, which the result says
  };
  await run(hallmark, [
    "load", target, "--dialect", "ratelimit-udp", "--connections", sockets, "--rate", rate,
    "--duration", `${seconds}s`, "--json", file, ...options,
  ]).catch(loss);
  const result = JSON.parse(readFileSync(file, "utf8"));
  return {
    user: result.cpu_user_seconds,
    system: result.cpu_system_seconds,
    sent: Number(result.datagram.counts.sent),
    received: Number(result.datagram.counts.received),
  };
}

const clients = [
  ["bare sendmmsg/recvmmsg client", (target) => bare(target)],
  ["hallmark load", (target) => load(target, [])],
  ["hallmark load --rules", (target) => load(target, ["--rules", rules])],
];

async function compare(target) {
  const samples = clients.map(() => []);
  for (let round = 0; round < Number(rounds); ++round) {
    for (const [i, [, measure]] of clients.entries()) samples[i].push(await measure(target));
  }
  const costs = samples.map((of) => of.map(perRequest));
  console.log(`${rate} requests/s over ${sockets} sockets, ${seconds} s; medians of ${rounds} interleaved rounds; ns of client CPU per request`);
  for (const [i, [name]] of clients.entries()) {
    const cost = (which) => median(costs[i].map((sample) => sample[which])).toFixed(0).padStart(6);
    const answered = samples[i].reduce((sum, sample) => sum + sample.received / sample.sent, 0) / samples[i].length;
    console.log(`    ${name.padEnd(30)} user ${cost("user")}  system ${cost("system")}  total ${cost("total")}  answered ${(100 * answered).toFixed(2)} %`);
  }
  const ratio = (i) => median(costs[i].map((cost, round) => cost.total / costs[0][round].total)).toFixed(3);
  console.log(`    ratio ${ratio(1)} (at most 1.3 is asked for), with the limit oracle ${ratio(2)}`);
}

for (const program of [hallmark, bareClient]) {
  if (!existsSync(program)) throw new Error(`${program} is not built`);
}
const { server, target } = await startServer();
try {
  await compare(target);
} finally {
  server.kill("SIGTERM");
  await once(server, "exit");
  rmSync(directory, { recursive: true });
}
