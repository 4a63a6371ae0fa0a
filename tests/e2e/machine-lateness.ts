/** How late timers come while a test measures: what a busy machine adds to every wait, and no fault of what is measured. */
const everyMs = 10;

export function measureLateness(): { medianMs(): number } & Disposable {
  const late: number[] = [];
  let due = performance.now() + everyMs;
  const timer = setInterval(() => {
    late.push(Math.max(0, performance.now() - due));
    due = performance.now() + everyMs;
  }, everyMs);
  return {
    medianMs: () => median(late),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

export function median(values: readonly number[], share = 0.5): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}
