import { describe, expect, it } from "vitest";
import { BatchedWriter } from "../../../../src/core/run/batched-writer.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

function recorded() {
  const writes: string[] = [];
  const writer = new BatchedWriter((lines) => writes.push(lines), { isAwaited: true });
  return { writes, line: (text: string) => writer.add(text) };
}

describe("lines for a pipe", () => {
  it("that come alone go out at once", async () => {
    const { writes, line } = recorded();
    for (const text of ["a", "b", "c"]) {
      line(text);
      expect(writes.at(-1)).toBe(`${text}\n`);
      await turn();
    }
    expect(writes).toEqual(["a\n", "b\n", "c\n"]);
  });

  it("that come together go out together, in their order", async () => {
    const { writes, line } = recorded();
    for (const text of ["a", "b", "c"]) line(text);
    await turn();
    expect(writes).toEqual(["a\n", "b\nc\n"]);
    for (const text of ["d", "e"]) line(text);
    expect(writes).toHaveLength(2);
    await turn();
    expect(writes.slice(2)).toEqual(["d\ne\n"]);
  });

  it("go out at once again when they come alone again", async () => {
    const { writes, line } = recorded();
    for (const text of ["a", "b"]) line(text);
    await turn();
    line("c");
    await turn();
    line("d");
    expect(writes).toEqual(["a\n", "b\n", "c\n", "d\n"]);
  });

  it("do not wait for the end of the turn when there are many", async () => {
    const { writes, line } = recorded();
    for (const text of ["a", "b"]) line(text);
    await turn();
    writes.length = 0;
    for (let index = 0; index < 40; index++) line("x");
    expect(writes).toEqual(["x\n".repeat(16), "x\n".repeat(16)]);
    await turn();
    expect(writes.slice(2)).toEqual(["x\n".repeat(8)]);
  });

  it("are never lost and never change their order, however they come", async () => {
    const { writes, line } = recorded();
    const expected: string[] = [];
    for (let round = 0; round < 300; round++) {
      const count = [0, 1, 1, 2, 7, 60][(round * 7) % 6] as number;
      for (let index = 0; index < count; index++) {
        expected.push(`${round}.${index}`);
        line(`${round}.${index}`);
      }
      if (round % 3 !== 0) await turn();
    }
    for (let index = 0; index < 4; index++) await turn();
    expect(writes.join("")).toBe(`${expected.join("\n")}\n`);
  });
});
