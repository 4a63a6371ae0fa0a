/** The ways to put the gate into the client, each judged by a call that must not run. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { bash, callOnce, describeClaudeCode, refused } from "./session.ts";
import { createWorkbench, ourPlugin, root, type Workbench } from "./workbench.ts";

const rules = `
routes:
  no-touch: { tool: Bash, pattern: "^touch", message: "The gate is here." }
`;
const touch = bash("touch ran.txt");

describeClaudeCode("the gate in Claude Code", () => {
  it.for([
    ["the plugin", ourPlugin],
    ["the marketplace", root],
  ] as const)("passes the client's own strict validation: %s", async ([, folder]) => {
    const bench = createWorkbench();
    const { code, stdout } = await bench.claude(["plugin", "validate", "--strict", folder]);
    expect(stdout).toContain("Validation passed");
    expect(code).toBe(0);
  });

  it.for(nodesHere())("holds with --plugin-dir, on %s", async ([, folder]) => {
    const bench = createWorkbench();
    bench.writeRules(rules);
    const told = await callOnce(bench, touch, {
      allow: ["Bash"],
      env: { PATH: `${folder}:${bench.env.PATH}` },
    });
    expect(told.text).toContain("The gate is here.");
    expect(told.session.plugins).toContain("toolgate@inline");
    expect(told.session.pluginErrors).toEqual([]);
    expect(bench.has("project/ran.txt")).toBe(false);
  });

  it("holds when it is installed from the marketplace of this repository", async () => {
    const bench = createWorkbench();
    bench.writeRules(rules);
    await succeed(bench, ["plugin", "marketplace", "add", root]);
    await succeed(bench, ["plugin", "install", "toolgate@toolgate"]);
    const told = await callOnce(bench, touch, { plugin: false, allow: ["Bash"] });
    expect(told.text).toContain("The gate is here.");
    expect(told.session.plugins).toContain("toolgate@toolgate");

    await succeed(bench, ["plugin", "uninstall", "toolgate@toolgate"]);
    expect((await callOnce(bench, touch, { plugin: false, allow: ["Bash"] })).isError).toBe(false);
  });

  /** The scope `user` is that of the checks which all agents pass. */
  it.for(["project", "local"])(
    "holds after toolgate install --scope %s, and is gone after uninstall",
    async (scope) => {
      const bench = createWorkbench();
      bench.writeRules(rules);
      bench.write(".claude/settings.json", { permissions: { allow: ["Bash"] } });
      expect(await bench.toolgate(["install", "claude-code", "--scope", scope])).toMatchObject({
        code: 0,
        stderr: "",
      });
      const told = await callOnce(bench, touch, { plugin: false });
      expect(told).toMatchObject(refused("The gate is here."));
      expect(bench.has("project/ran.txt")).toBe(false);

      expect((await bench.toolgate(["uninstall", "claude-code", "--scope", scope])).code).toBe(0);
      expect((await callOnce(bench, touch, { plugin: false })).isError).toBe(false);
    },
  );
});

async function succeed(bench: Workbench, args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await bench.claude(args);
  expect(code, `claude ${args.join(" ")}: ${stdout}${stderr}`).toBe(0);
}

/** The Node of this run, and an older one if the system has it: the hook runs on what the user has. */
function nodesHere(): (readonly [version: string, folder: string])[] {
  const folders = [dirname(process.execPath), "/usr/local/bin", "/usr/bin"];
  const found = folders
    .filter((folder) => existsSync(join(folder, "node")))
    .map(
      (folder) =>
        [execFileSync(join(folder, "node"), ["--version"], { encoding: "utf8" }).trim(), folder] as const,
    );
  return [...new Map(found.map(([version, folder]) => [version, folder]))].map(
    ([version, folder]) => [`Node ${version}`, folder] as const,
  );
}
