import { describe, expect, it } from "vitest";
import { BatchedWriter } from "../../../../src/core/run/batched-writer.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
/** After everything that this event has brought about, and before the next one of the same turn. */
const event = () => new Promise<void>((resolve) => process.nextTick(() => process.nextTick(resolve)));

async function busy(isAwaited = true) {
  const writes: (readonly [lines: string, count: number])[] = [];
  const together = new BatchedWriter((lines, count) => writes.push([lines, count]), { isAwaited });
  for (const line of ["a", "b"]) together.add(line);
  await turn();
  writes.length = 0;
  return { together, writes };
}

describe("lines that come together", () => {
  it("wait for the end of the turn where an event brings few of them", async () => {
    const { together, writes } = await busy();
    for (let index = 0; index < 7; index++) expect(together.add("x")).toBe(false);
    await event();
    expect(writes).toEqual([]);
    await turn();
    expect(writes).toEqual([["x\n".repeat(7), 7]]);
  });

  it("do not wait for other events of the turn where one brings many", async () => {
    const { together, writes } = await busy();
    let turnIsOver = false;
    setImmediate(() => {
      turnIsOver = true;
    });
    for (let index = 0; index < 8; index++) await Promise.resolve(together.add("x"));
    await event();
    expect(turnIsOver).toBe(false);
    expect(writes).toEqual([["x\n".repeat(8), 8]]);
    await turn();
    expect(writes).toHaveLength(1);
  });

  it("wait for the end of the turn, however many there are, where nobody waits for them", async () => {
    const { together, writes } = await busy(false);
    for (let index = 0; index < 40; index++) together.add("x");
    await event();
    expect(writes).toEqual([]);
    await turn();
    expect(writes).toEqual([["x\n".repeat(40), 40]]);
  });

  it("are written when somebody needs them, and not again", async () => {
    const { together, writes } = await busy();
    for (const line of ["c", "d"]) together.add(line);
    together.flush();
    expect(writes).toEqual([["c\nd\n", 2]]);
    together.flush();
    await turn();
    expect(writes).toHaveLength(1);
  });

  it("say with the line that comes alone that it is written, or why it is not", async () => {
    const full = new Error("full");
    let problem: Error | undefined;
    const together = new BatchedWriter(
      () => {
        if (problem !== undefined) throw problem;
      },
      { isAwaited: false },
    );
    expect(together.add("a")).toBe(true);
    await turn();
    problem = full;
    expect(() => together.add("b")).toThrow(full);
    problem = undefined;
    await turn();
    expect(together.add("c")).toBe(true);
  });
});
