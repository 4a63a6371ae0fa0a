/** Files that a tool is given in a field whose name does not say so. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Policy } from "../../src/index.ts";
import { createGate } from "../../src/index.ts";

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-path-looks-")));
  mkdirSync(join(root, "secret"));
  for (const file of [".env", "a.txt", "secret/b.txt"]) writeFileSync(join(root, file), "x");
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const yes: Policy = { name: "yes", tools: "*", action: "approve" };
const noSecret: Policy = {
  name: "no-secret",
  tools: "*",
  action: "deny",
  priority: 1,
  conditions: [{ type: "path", operator: "inside", value: "secret" }],
};

async function verdict(input: Record<string, unknown>, policies = [yes, noSecret]): Promise<string> {
  const gate = await createGate({ roots: [root], policies });
  const call = { tool: "mcp__store__fetch_item", input, cwd: root };
  return (await gate.explain(call, { as: "check" })).verdict;
}

describe("a path in a field without a telling name", () => {
  it.each(["target", "resource", "location", "uri", "item", "asset"])("is a path in %s", async (field) => {
    for (const value of ["./.env", join(root, ".env"), `file://${join(root, ".env")}`, "~/.ssh/id_rsa"])
      expect([value, await verdict({ [field]: value })]).toEqual([value, "deny"]);
    for (const value of ["./secret/b.txt", join(root, "secret/b.txt"), "./x/../secret/b.txt"])
      expect([value, await verdict({ [field]: value })]).toEqual([value, "deny"]);
  });

  it("is found deep in the input and in lists", async () => {
    expect(await verdict({ options: { things: [{ target: "./.env" }] } })).toBe("deny");
    expect(await verdict({ resources: ["./a.txt", "./secret/b.txt"] })).toBe("deny");
  });

  it.each([
    [{ target: "./a.txt" }],
    [{ resource: "/api/v1/users" }],
    [{ location: "/en/about" }],
    [{ target: "/etc/hosts" }],
    [{ target: "production" }],
    [{ query: "./.env" }],
    [{ message: "./.env" }],
    [{ target: "./.env is not tracked" }],
  ])("changes nothing where no rule speaks of it: %j", async (input) => {
    expect(await verdict(input)).toBe("allow");
    expect(await verdict(input, [])).toBe(await verdict({ target: "x" }, []));
  });

  it("approves nothing", async () => {
    const inside: Policy = {
      name: "inside",
      tools: "*",
      action: "approve",
      conditions: [{ type: "path", operator: "inside", value: "." }],
    };
    expect(await verdict({ target: "./a.txt" }, [inside])).not.toBe("allow");
    expect(await verdict({ target: "./a.txt" }, [inside, noSecret])).not.toBe("allow");
  });
});
