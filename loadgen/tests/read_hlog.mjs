// Usage: node read_hlog.mjs LOG PERCENTILES
// Prints, for each interval of the HdrHistogram log: "TAG START LENGTH COUNT" and, under it, one line
// "PERCENTILE VALUE" for each line of PERCENTILES, as hdr-histogram-js sees them.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(new URL("../../e2e/package.json", import.meta.url));
const hdr = require("hdr-histogram-js");

const [log, percentiles] = process.argv.slice(2).map((path) => readFileSync(path, "utf8"));
const wanted = percentiles.trim().split("\n");
const reader = new hdr.HistogramLogReader(log, 64);
const lines = [];
for (let histogram; (histogram = reader.nextIntervalHistogram()) !== null; ) {
  const { tag, startTimeStampMsec: start, endTimeStampMsec: end, totalCount } = histogram;
  lines.push(`${tag} ${start.toFixed(0)} ${(end - start).toFixed(0)} ${totalCount}`);
  for (const text of wanted) {
    lines.push(`${text} ${histogram.getValueAtPercentile(Number(text))}`);
  }
}
console.log(lines.join("\n"));
