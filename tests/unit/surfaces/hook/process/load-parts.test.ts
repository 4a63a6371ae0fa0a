/** Which files of the hook a call loads: each that it does not need costs every call of every session. */
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProcessWorld, type ProcessWorld } from "../../../../attack/hook-process.ts";

const plain = { tool_name: "Bash", tool_input: { command: "git status --short" } };
const page = { tool_name: "WebFetch", tool_input: { url: "https://example.org/page" } };

let world: ProcessWorld;

beforeAll(async () => {
  world = createProcessWorld();
  await wait(100);
});
afterAll(() => world.remove());

/** What V8 made of a part is kept when the part was loaded, so the kept files tell which were. */
async function partsOf(call: unknown): Promise<string[]> {
  for (let count = 0; count < 3; count++) await world.run(call);
  return readdirSync(world.codeFolder)
    .map((name) => /(?:agent-)?(?:claude-)?[a-z]+\d?$/.exec(name)?.[0] ?? name)
    .sort();
}

describe("a call", () => {
  it("that no rule stops and that holds nothing secret loads the main part and that of its agent alone", async () => {
    expect(await partsOf(plain)).toEqual(["agent-claude-code", "main"]);
    expect(await partsOf(page)).toEqual(["agent-claude-code", "main"]);
  });

  it("that may hold a secret loads the redaction, too", async () => {
    expect(await partsOf({ tool_name: "Bash", tool_input: { command: "echo password=hunter2" } })).toEqual([
      "agent-claude-code",
      "main",
      "redact",
    ]);
    expect(world.spoolText()).not.toContain("hunter2");
  });

  it("takes the kept code while it is good, and does not write it again", async () => {
    await partsOf(plain);
    const files = readdirSync(world.codeFolder).map((name) => join(world.codeFolder, name));
    for (const file of files) utimesSync(file, 1_000_000, 1_000_000);
    await world.run(plain);
    expect(files.map((file) => statSync(file).mtimeMs)).toEqual(files.map(() => 1_000_000_000));
  });

  it("does not run kept code that says it is for another build or another Node", async () => {
    await partsOf(plain);
    const main = readdirSync(world.codeFolder).find((name) => name.endsWith("-main")) ?? "";
    const file = join(world.codeFolder, main);
    const bytes = readFileSync(file);
    const foreign = Buffer.from(bytes);
    foreign.write("9", 0);
    foreign.write("9", foreign.length / 2);
    // What is kept for others is replaced by what is good for us.
    writeFileSync(file, foreign);
    expect(await world.run(plain)).toMatchObject({ code: 0, out: "", err: "" });
    expect(readFileSync(file).subarray(0, 20)).toEqual(bytes.subarray(0, 20));
  });
});
