import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";

const settle = new URL("../../../../src/surfaces/http/settle-shapes.ts", import.meta.url).href;

/** So many bytes a response takes with its request, after a number of them, a pause and the collection that comes with it. */
function bytesOfOne({ settles, before }: { settles: boolean; before: number }): number {
  const script = `
    import { IncomingMessage, ServerResponse } from "node:http";
    import { setTimeout } from "node:timers/promises";
    const make = () => new ServerResponse(new IncomingMessage(null));
    if (${settles}) (await import(${JSON.stringify(settle)})).settleShapes();
    await setTimeout(50);
    for (let count = 0; count < ${before}; count++) make();
    await setTimeout(20);
    for (let count = 0; count < 2; count++) gc({ type: "major", execution: "sync", flavor: "last-resort" });
    const kept = Array.from({ length: 20 }, make);
    const start = process.memoryUsage().heapUsed;
    for (let count = 0; count < 2_000; count++) kept.push(make());
    process.stdout.write(String((process.memoryUsage().heapUsed - start) / 2_000));`;
  // Nothing may be collected while it is measured.
  const flags = ["--expose-gc", "--max-semi-space-size=64", "--input-type=module", "--eval", script];
  return Number(execFileSync(process.execPath, flags, { encoding: "utf8" }));
}

describe("the objects that Node has for a request", () => {
  it.each([[0], [5], [6], [7]])(
    "take no more room after %i of them and a pause than without a pause",
    (before) => {
      const withoutPause = bytesOfOne({ settles: false, before: 8 });
      expect(bytesOfOne({ settles: true, before })).toBeLessThan(1.2 * withoutPause);
    },
  );
});
