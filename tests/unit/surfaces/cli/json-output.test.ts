/** What `--json` and `--ndjson` print: one value everywhere, and a line for each where there are many. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CliWorld, call, createCliWorld, goodFile } from "./cli-world.ts";

let world: CliWorld;
beforeAll(async () => {
  world = createCliWorld();
  world.file("toolgate.yaml", goodFile);
  for (const command of ["git push --force", "git status"]) await world.run(["check", "Bash", command]);
});
afterAll(() => world.close());

const two = `${call("Bash", { command: "git push --force" })}\nno call\n`;

describe("--json", () => {
  it.each<[string[], string?]>([
    [["audit", "tail"]],
    [["audit", "query"]],
    [["audit", "show", "1"]],
    [["approvals"]],
    [["approvals", "list"]],
    [["grants", "list"]],
    [["explain", "--batch"], two],
    [["explain", "--batch"], ""],
  ])("of %j is one list", async (argv, stdin = "") => {
    const { out } = await world.run([...argv, "--json"], { stdin });
    expect(Array.isArray(JSON.parse(out))).toBe(true);
  });

  it.each<[string[]]>([
    [["audit", "stats"]],
    [["audit", "verify"]],
    [["list"]],
    [["test"]],
    [["tools", "list"]],
    [["config", "show"]],
    [["config", "path"]],
    [["config", "validate"]],
    [["trust", "--list"]],
    [["tokens", "list"]],
    [["upstreams", "list"]],
    [["upstreams", "review"]],
    [["replay"]],
    [["explain", "Bash", "ls"]],
    [["grants", "revoke", "--all"]],
  ])("of %j is one object", async (argv) => {
    const { out } = await world.run([...argv, "--json"]);
    expect(JSON.parse(out)).toBeTypeOf("object");
  });

  it("of a batch holds an answer for each line, in their order", async () => {
    const { code, out } = await world.run(["explain", "--batch", "--json"], { stdin: two });
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject([{ verdict: "deny" }, { line: 2 }]);
  });

  it.each<[string[]]>([[["audit", "tail", "-f"]], [["test", "--watch"]], [["approvals", "watch"]]])(
    "is refused by %j, which has no end, with what to write instead",
    async (argv) => {
      const { code, out, err } = await world.run([...argv, "--json"]);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toContain("--ndjson");
    },
  );
});

describe("--ndjson", () => {
  it("is one line of JSON for each", async () => {
    const list = JSON.parse((await world.run(["audit", "tail", "--json"])).out) as unknown[];
    const lines = (await world.run(["audit", "tail", "--ndjson"])).out.trimEnd().split("\n");
    expect(list.length).toBeGreaterThan(1);
    expect(lines.map((line) => JSON.parse(line))).toEqual(list);
  });

  it("prints nothing where there is nothing", async () => {
    expect((await world.run(["grants", "list", "--ndjson"])).out).toBe("");
    expect((await world.run(["approvals", "--ndjson"])).out).toBe("");
  });

  it("does not go together with --json", async () => {
    const { code, err } = await world.run(["audit", "tail", "--json", "--ndjson"]);
    expect(code).toBe(1);
    expect(err).toContain("cannot be used with");
  });

  it("of a test run is its report on one line", async () => {
    const { out } = await world.run(["test", "toolgate.yaml", "--ndjson"]);
    expect(out.trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(out)).toMatchObject({ passed: 2, failed: 0 });
  });
});
