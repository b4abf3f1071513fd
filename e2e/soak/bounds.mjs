// The bounds of what long-lived processes may hold, and of the disk.

/** Minutes at the beginning that are not judged, because caches, queues and pools fill; at most a sixth of the run. */
const warmupMinutes = 10;
const warmupShare = 1 / 6;
/** An allocator keeps what rounds need at different times: 4 MiB, and of what is there 5 %. */
const rssSlackKib = 4096;
const memoryShare = 0.05;
/** Memory that was allocated and not used yet: each of the threads below has a stack of 8 MiB. */
const dataSlackKib = 32 * 1024;
/** Connections that a round has open at the moment of the sample; each round opens 16 and closes them. */
const descriptorSlack = 32;
/** Threads that serve one request, such as those of PostgreSQL's and Redis' background work. */
const threadSlack = 4;
/** The results of the rounds that run, and the logs: a certificate has 2 MB. */
export const diskLimitMib = 48;
/** Two stores: PostgreSQL begins with 40 MB, and its log of writes is limited to 64 MB. */
export const storesLimitMib = 256;

/** Growth goes on: a quarter of the bound lies in each half. What rises once, as an allocator does, has a wider bound. */
const shareOfHalf = 1 / 4;
const boundsOfStep = 8;

/** Lows of the first, second and last third of the samples after the warm-up, by figure; null: too few samples. */
function lows(samples, planned) {
  const judged = samples.slice(Math.min(warmupMinutes, Math.floor(planned * warmupShare)));
  const length = Math.floor(judged.length / 3);
  if (length === 0) return null;
  const thirds = [judged.slice(0, length), judged.slice(length, -length), judged.slice(-length)];
  return (name) => thirds.map((part) => Math.min(...part.map((sample) => sample[name])));
}

function grew([first, second, last], bound) {
  const goesOn = second - first > bound * shareOfHalf && last - second > bound * shareOfHalf;
  return last - first > bound && (goesOn || last - first > bound * boundsOfStep);
}

/** What grew beyond its bound, of samples by process ([{rss, data, fds, threads}]); `planned` samples make a whole run. */
export function growth(samplesOf, planned) {
  const figures = [
    ['rss', 'memory', 'KiB', (first) => first * memoryShare + rssSlackKib],
    ['data', 'allocated memory', 'KiB', (first) => first * memoryShare + dataSlackKib],
    ['fds', 'descriptors', '', () => descriptorSlack],
    ['threads', 'threads', '', () => threadSlack],
  ];
  const found = [];
  for (const [process, samples] of Object.entries(samplesOf)) {
    const of = lows(samples, planned);
    for (const [name, what, unit, boundOf] of of ? figures : []) {
      const values = of(name);
      if (grew(values, boundOf(values[0]))) found.push(`${process}: ${what} grew: ${values.join(', ')} ${unit}`.trim());
    }
  }
  return found;
}
