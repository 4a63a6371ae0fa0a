import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { ourGroups } from "../../../../src/agents/claude-code/doctor/hook-entries.ts";

const root = resolve(import.meta.dirname, "../../../..");
const read = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));

describe("the plugin for Claude Code", () => {
  it("is listed in the marketplace of this repository, under the name that the documents use", () => {
    const { name, plugins } = read(".claude-plugin/marketplace.json");
    expect(name).toBe("toolgate");
    expect(plugins).toHaveLength(1);
    expect(plugins[0].name).toBe("toolgate");
    expect(plugins[0].source).toBe("./dist/hook");
  });

  it("has the version of the package", () => {
    expect(read("plugins/claude-code/.claude-plugin/plugin.json")).toMatchObject({
      name: "toolgate",
      version: read("package.json").version,
      license: read("package.json").license,
    });
  });

  it("runs the same hooks as the settings that toolgate install writes", () => {
    const command = {
      program: { below: "CLAUDE_PLUGIN_ROOT", path: "hook.sh" },
      node: "node",
    } as const;
    const wanted = Object.entries(ourGroups(command)).map(([event, group]) => [event, [group]]);
    expect(read("plugins/claude-code/hooks/hooks.json").hooks).toEqual(Object.fromEntries(wanted));
  });

  it("is part of the published package, the folder of the marketplace too", () => {
    expect(read("package.json").files).toEqual(expect.arrayContaining(["dist/hook", ".claude-plugin"]));
  });
});
