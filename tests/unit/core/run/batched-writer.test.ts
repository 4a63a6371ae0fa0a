import { describe, expect, it } from "vitest";
import { BatchedWriter } from "../../../../src/core/run/batched-writer.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("lines that come together", () => {
  it("are written when somebody needs them, and not again", async () => {
    const writes: (readonly [lines: string, count: number])[] = [];
    const together = new BatchedWriter((lines, count) => writes.push([lines, count]), { isAwaited: true });
    together.add("alone");
    for (const line of ["c", "d"]) together.add(line);
    together.flush();
    const written = [
      ["alone\n", 1],
      ["c\nd\n", 2],
    ];
    expect(writes).toEqual(written);
    together.flush();
    await turn();
    expect(writes).toEqual(written);
  });

  it("say with the line that comes alone that it is written, or why it is not", async () => {
    const full = new Error("full");
    let problem: Error | undefined;
    const write = () => {
      if (problem !== undefined) throw problem;
    };
    const together = new BatchedWriter(write, { isAwaited: false });
    expect(together.add("a")).toBe(true);
    await turn();
    problem = full;
    expect(() => together.add("b")).toThrow(full);
    problem = undefined;
    await turn();
    expect(together.add("c")).toBe(true);
  });
});

describe("lines for a pipe", () => {
  function recorded() {
    const writes: string[] = [];
    const writer = new BatchedWriter((lines) => writes.push(lines), { isAwaited: true });
    return { writes, line: (text: string) => writer.add(text) };
  }

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
