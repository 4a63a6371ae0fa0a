// Measures many subjects side by side, in interleaved rounds, so that a noisy machine disturbs all of them alike.

/**
 * CPU time of a batch. Long, because each must hold its share of garbage collection: some peers collect for 10 ms once in 3,000 calls, and
 * with batches of 40 ms the median showed them with or without it, by chance.
 */
const batchCpuMs = 120;
const warmUpCpuMs = 300;
/** Untimed calls before each batch: the first ones after another subject ran cost up to three times as much. */
const leadInShare = 0.05;

/**
 * `subjects`: `{ name, call(i) }`, where `call` returns a promise. Gives one row per subject, with the CPU and wall time of one call in
 * microseconds for each round. `warmUpCalls`, `fewestLeadIn`: fewer for calls that are long.
 * CPU time is that of the whole process, so a subject pays for the garbage it makes;
 * `process.threadCpuUsage` would not do, because it lags behind by milliseconds.
 */
export async function measure(
  subjects,
  { rounds = 15, onRound = () => {}, warmUpCalls = 100, fewestLeadIn = 50 } = {},
) {
  const runs = subjects.map(({ name, call }) => ({ name, call, batch: 1, cpuUs: [], wallUs: [] }));
  for (const run of runs) await warmUp(run.call, warmUpCalls);
  // Sized only when all are warm, and by CPU time: by wall time, who happened to be interrupted would get shorter batches.
  for (const run of runs) run.batch = await sizeBatch(run.call, warmUpCalls, fewestLeadIn);
  for (let round = 0; round < rounds; round++) {
    onRound(round, rounds);
    // Another order each round: nobody always runs after the one that leaves the most garbage.
    for (const run of shuffled(runs)) {
      const { cpuUs, wallUs } = await timeBatch(run.call, run.batch, fewestLeadIn);
      run.cpuUs.push(cpuUs);
      run.wallUs.push(wallUs);
    }
  }
  return new Map(runs.map(({ name, batch, cpuUs, wallUs }) => [name, { name, batch, cpuUs, wallUs }]));
}

/** How much one costs of the other: the ratio is taken inside each round, then the median and the middle half over the rounds. */
export function ratio(row, base) {
  const ratios = row.cpuUs.map((value, round) => value / base.cpuUs[round]);
  return { value: median(ratios), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) };
}

export function median(values) {
  return quantile(values, 0.5);
}

/** Compares a measured ratio with what was promised. */
export function bar(name, { value, low, high }, max) {
  return { bar: name, value: round3(value), low: round3(low), high: round3(high), max, ok: value <= max };
}

export function round3(value) {
  return Number(value.toPrecision(3));
}

/** A table with the first column left and numbers right. */
export function table(head, lines) {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...lines.map((line) => line[column].length)),
  );
  const one = (cells) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join("  ");
  return [one(head), ...lines.map(one)].map((line) => line.trimEnd()).join("\n");
}

export function printBars(bars) {
  console.log(
    "\nBars (CPU time; the ratio is taken inside each round: median, and the middle half of the rounds)",
  );
  const told = bars.map(({ bar: name, value, low, high, max, ok }) => [
    name,
    value.toFixed(3),
    `${low.toFixed(3)} to ${high.toFixed(3)}`,
    String(max),
    ok ? "ok" : "MISSED",
  ]);
  console.log(table(["", "measured", "middle half", "at most", ""], told));
}

async function timeBatch(call, batch, fewestLeadIn) {
  const leadIn = Math.max(fewestLeadIn, Math.round(batch * leadInShare));
  for (let index = 0; index < leadIn; index++) await call(index);
  const cpu = process.cpuUsage();
  const start = process.hrtime.bigint();
  for (let index = 0; index < batch; index++) await call(index);
  const wallNs = Number(process.hrtime.bigint() - start);
  const used = process.cpuUsage(cpu);
  return { cpuUs: (used.user + used.system) / batch, wallUs: wallNs / 1_000 / batch };
}

async function warmUp(call, calls) {
  const start = process.cpuUsage();
  for (let index = 0; ; index++) {
    await call(index);
    if (index % calls !== calls - 1) continue;
    const used = process.cpuUsage(start);
    if (used.user + used.system >= warmUpCpuMs * 1_000) return;
  }
}

/** Grows a trial until it is long enough to be believed. */
async function sizeBatch(call, calls, fewestLeadIn) {
  for (let batch = calls; ; batch *= 2) {
    const { cpuUs } = await timeBatch(call, batch, fewestLeadIn);
    if (cpuUs * batch >= (batchCpuMs * 1_000) / 2)
      return Math.max(1, Math.round((batchCpuMs * 1_000) / cpuUs));
  }
}

export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)];
  return low + (sorted[Math.ceil(at)] - low) * (at - Math.floor(at));
}

export function shuffled(items) {
  const copy = [...items];
  for (let index = copy.length - 1; index > 0; index--) {
    const other = Math.floor(Math.random() * (index + 1));
    [copy[index], copy[other]] = [copy[other], copy[index]];
  }
  return copy;
}
