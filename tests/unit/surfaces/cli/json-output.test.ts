/** What `--json` and `--ndjson` print: one value everywhere, and a line for each where there are many. */
import { describe, expect, it } from "vitest";
import { call, goodFile, useCliWorld } from "./cli-world.ts";
import { refuses } from "./expect-end.ts";

const world = useCliWorld(async (world) => {
  world.file("toolgate.yaml", goodFile);
  for (const command of ["git push --force", "git status"]) await world.run(["check", "Bash", command]);
}, "file");

const one = `${call("Bash", { command: "git push --force" })}\n`;
const lists = ["audit tail", "audit query", "audit show 1", "approvals", "approvals list", "grants list"];
const objects = [
  ...["audit stats", "audit verify", "list", "test", "tools list", "config show", "config path"],
  ...["config validate", "trust --list", "tokens list", "upstreams list", "upstreams review", "replay"],
  ...["explain Bash ls", "grants revoke --all"],
];

describe("--json", () => {
  it.for([...lists.map((line) => [line, ""] as const), ["explain --batch", one], ["explain --batch", ""]])(
    "of %s is one list",
    async ([line = "", stdin = ""]) => {
      expect(Array.isArray(await world.json(line, { stdin }))).toBe(true);
    },
  );

  it.for(objects)("of %s is one object", async (line) => {
    expect(await world.json(line)).toBeTypeOf("object");
  });

  it("of a batch holds an answer for each line, in their order", async () => {
    const said = await world.json("explain --batch", { code: 1, stdin: `${one}no call\n` });
    expect(said).toMatchObject([{ verdict: "deny" }, { line: 2 }]);
  });

  it.for(["audit tail -f", "test --watch", "approvals watch"])(
    "is refused by %s, which has no end, with what to write instead",
    async (line) => {
      await refuses(world.run(`${line} --json`), "--ndjson");
    },
  );
});

describe("--ndjson", () => {
  it("is one line of JSON for each", async () => {
    const list = await world.json("audit tail");
    const lines = (await world.run("audit tail --ndjson")).out.trimEnd().split("\n");
    expect(list.length).toBeGreaterThan(1);
    expect(lines.map((line) => JSON.parse(line))).toEqual(list);
  });

  it("prints nothing where there is nothing", async () => {
    for (const line of ["grants list", "approvals"])
      expect((await world.run(`${line} --ndjson`)).out).toBe("");
  });

  it("does not go together with --json", async () => {
    await refuses(world.run("audit tail --json --ndjson"), "cannot be used with");
  });

  it("of a test run is its report on one line", async () => {
    const { out } = await world.run("test toolgate.yaml --ndjson");
    expect(out.trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(out)).toMatchObject({ passed: 2, failed: 0 });
  });
});
