/** Which files of the hook a call loads: each that it does not need costs every call of every session. */
import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProcessWorld, type ProcessWorld } from "../../../../attack/hook-process.ts";
import { bash, settle } from "../../../../hook-home.ts";

let world: ProcessWorld;

beforeAll(async () => {
  world = createProcessWorld();
  await settle();
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
  const page = { tool_name: "WebFetch", tool_input: { url: "https://example.org/page" } };

  it.each([
    ["bash", bash("git status --short")],
    ["the web", page],
  ])(
    "of %s that no rule stops and that holds nothing secret loads the main part and its agent's alone",
    async (_, call) => {
      expect(await partsOf(call)).toEqual(["agent-claude-code", "main"]);
    },
  );

  it("that may hold a secret loads the redaction, too", async () => {
    const parts = await partsOf(bash("echo password=hunter2"));
    expect(parts).toEqual(["agent-claude-code", "main", "redact"]);
    expect(world.spoolText()).not.toContain("hunter2");
  });
});
