import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/index.ts";
import { useCliWorld } from "./use-cli-world.ts";

const world = useCliWorld();
const { state } = world;

const write = (path: string) => {
  const call = ["tools", "call", "fs.write", JSON.stringify({ path, content: "new\n" })];
  return [...call, "--yes", "--enable-tool-categories", "development"];
};

describe("calls from the command line", () => {
  it("are in the ledger, with intent and end, refused ones too, in files that only their owner can read", async () => {
    const [done, refused] = await Promise.all([
      world.run(write("a.txt")),
      world.run(["tools", "call", "fs.read", '{"path":"../../outside"}']),
    ]);
    expect([done.code, refused.code]).toEqual([0, 1]);
    await using store = await openStore({ stateFolder: state });
    const { entries } = await store.ledger.query({ kinds: ["intent", "completion"] });
    const kinds = (tool: string) => entries.filter((entry) => entry.tool === tool).map(({ kind }) => kind);
    expect(kinds("fs.write")).toEqual(["completion", "intent"]);
    expect(kinds("fs.read")).toEqual(["completion"]);
    // That the tools were switched on is noted.
    const notes = (await store.ledger.query({ kinds: ["note"] })).entries.length;
    expect(await store.ledger.verify()).toMatchObject({ ok: true, rows: 3 + notes, sealedSeq: 3 + notes });
    for (const name of readdirSync(state, { recursive: true, encoding: "utf8" })) {
      const { mode } = statSync(join(state, name));
      expect(mode & 0o077, name).toBe(0);
    }
  });

  it("do not run when the store is damaged, and say what to do", async () => {
    const file = join(state, "toolgate.sqlite");
    const kept = readFileSync(file);
    mkdirSync(state, { recursive: true });
    writeFileSync(file, "garbage ".repeat(1_000));
    const { code, err, out } = await world.run(write("b.txt"));
    writeFileSync(file, kept);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("is damaged. Move it away");
    expect(err).not.toContain("    at ");
    expect(existsSync(join(world.project, "b.txt"))).toBe(false);
    // Looking at tools needs no record.
    expect((await world.run(["tools", "list"])).code).toBe(0);
  });
});
