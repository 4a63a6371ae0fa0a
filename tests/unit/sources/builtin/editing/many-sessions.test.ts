import { linkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type EditingGate, editingGate } from "./editing-gate.ts";

const numbers = Array.from({ length: 30 }, (_, index) => index);

/** Everybody adds a line of their own before the last one, all at the same time. */
async function addLines(gate: EditingGate, pathOf: (index: number) => string) {
  const outcomes = await Promise.all(
    numbers.map((index) =>
      gate.call(
        "fs.edit",
        { path: pathOf(index), old_string: "end\n", new_string: `line ${index}\nend\n` },
        { sessionId: `session ${index}` },
      ),
    ),
  );
  return outcomes.filter((outcome) => !outcome.ok).map((outcome) => outcome.ok || outcome.error.message);
}

const allLines = (text: string) => text.split("\n").filter((line) => line.startsWith("line")).length;

describe("many sessions that change the same file at the same time", () => {
  it("lose no change and refuse none", async () => {
    const gate = await editingGate({ "a.txt": "end\n" });
    expect(await addLines(gate, () => "a.txt")).toEqual([]);
    expect(allLines(gate.read("a.txt"))).toBe(numbers.length);
  });

  it("lose none when each spells the path in another way, links included", async () => {
    const gate = await editingGate({ "sub/a.txt": "end\n" });
    symlinkSync("sub/a.txt", join(gate.root, "link.txt"));
    symlinkSync("sub", join(gate.root, "folder"));
    const spellings = [
      "sub/a.txt",
      "./sub//a.txt",
      "sub/../sub/a.txt",
      "link.txt",
      "folder/a.txt",
      join(gate.root, "sub/a.txt"),
    ];
    expect(await addLines(gate, (index) => spellings[index % spellings.length]!)).toEqual([]);
    expect(allLines(gate.read("sub/a.txt"))).toBe(numbers.length);
  });

  it("still change no file that has a second name elsewhere", async () => {
    const gate = await editingGate({ "a.txt": "end\n" });
    linkSync(join(gate.root, "a.txt"), join(gate.root, "b.txt"));
    const refused = await addLines(gate, (index) => (index % 2 === 0 ? "a.txt" : "b.txt"));
    expect(refused).toHaveLength(numbers.length);
    expect(gate.read("a.txt")).toBe("end\n");
  });

  it("lose none and never wait for each other with patches over several files in any order", async () => {
    const { call, read } = await editingGate({ "a.txt": "end\n", "b.txt": "end\n", "c.txt": "end\n" });
    const orders = [
      ["a", "b", "c"],
      ["c", "b", "a"],
      ["b", "c"],
      ["c", "a"],
    ];
    const part = (name: string, index: number) => `*** Update File: ${name}.txt\n@@\n+line ${index}\n end\n`;
    const outcomes = await Promise.all(
      numbers.map((index) => {
        const files = orders[index % orders.length]!;
        const patch = `*** Begin Patch\n${files.map((name) => part(name, index)).join("")}*** End Patch`;
        return call("fs.apply_patch", { patch }, { sessionId: `session ${index}` });
      }),
    );
    expect(outcomes.map((outcome) => outcome.ok || outcome.error.message)).toEqual(numbers.map(() => true));
    const wanted = numbers.reduce((sum, index) => sum + orders[index % orders.length]!.length, 0);
    const found = ["a", "b", "c"].reduce((sum, name) => sum + allLines(read(`${name}.txt`)), 0);
    expect(found).toBe(wanted);
  });

  it("make a new file once: the others are told that it is there", async () => {
    const { call, read } = await editingGate();
    const outcomes = await Promise.all(
      numbers.map((index) =>
        call(
          "fs.edit",
          { path: "new/a.txt", old_string: "", new_string: `${index}\n` },
          { sessionId: `session ${index}` },
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(1);
    expect(read("new/a.txt")).toMatch(/^\d+\n$/);
  });
});
