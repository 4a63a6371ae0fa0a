import { describe, expect, it } from "vitest";
import { shippedCategories } from "../../../../src/core/tool/categories.ts";
import {
  allKnownTools,
  findAgentsTool,
  findKnownTool,
  shellLanguage,
} from "../../../../src/core/tool/known-tools.ts";
import { explainBadToolId, toWireName } from "../../../../src/core/tool/tool-name.ts";

describe("the tools everybody knows", () => {
  it("give every name to one tool only", () => {
    const names = allKnownTools().flatMap(({ id, aliases, kin }) => [
      ...new Set([id, toWireName(id), ...aliases]),
      ...kin,
    ]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("have names a registry would take, and categories that exist", () => {
    const categories = new Set(shippedCategories.map(({ id }) => id));
    for (const { id, aliases, kin, category } of allKnownTools()) {
      for (const name of [id, ...aliases, ...kin]) expect(explainBadToolId(name)).toBeUndefined();
      expect(categories.has(category)).toBe(true);
    }
  });

  it("know the folder of a command by every name that agents give it", () => {
    const names = ["cwd", "workdir", "directory", "dir_path", "working_directory", "working_dir"];
    expect(findKnownTool("Bash")?.roles.path).toEqual(expect.arrayContaining(names));
  });

  it("know that a download is a page that is fetched and a file that is written", () => {
    expect(findAgentsTool("download")).toMatchObject({
      does: ["web.fetch", "fs.write"],
      roles: { url: ["url"], path: expect.arrayContaining(["file_path"]) },
    });
  });

  it.each([
    ["Bash", "shell.exec"],
    ["run_shell_command", "shell.exec"],
    ["execute_command", "shell.exec"],
    ["Read", "fs.read"],
    ["read_file", "fs.read"],
    ["write_to_file", "fs.write"],
    ["MultiEdit", "fs.edit"],
    ["WebFetch", "web.fetch"],
    ["git-status", "git.status"],
  ])("know %s as %s", (name, id) => {
    expect(findKnownTool(name)?.id).toBe(id);
  });

  it.each([
    ["Monitor", "shell.exec"],
    ["monitor", "shell.exec"],
    ["notebook_edit", "fs.edit"],
    ["agent", "task.spawn"],
    ["todo_write", "task.todo"],
    ["PowerShell", "shell.exec"],
    ["TaskCreate", "task.todo"],
    ["TaskOutput", "shell.output"],
    ["TaskStop", "shell.kill"],
    ["str_replace_based_edit_tool", "fs.edit"],
  ])("know %s of agents as %s, and take it for no name of our own", (name, id) => {
    expect(findAgentsTool(name)?.id).toBe(id);
    expect(findKnownTool(name)).toBeUndefined();
  });

  it("know which shells read another language", () => {
    for (const shell of ["PowerShell", "pwsh"]) expect(shellLanguage(shell)).toBe("powershell");
    for (const shell of ["Bash", "Monitor"]) expect(shellLanguage(shell)).toBeUndefined();
  });

  it.each(["constructor", "__proto__", "toString", "", "BASH", "Bash "])("do not know %j", (name) => {
    expect(findKnownTool(name)).toBeUndefined();
  });

  it("let nothing that writes or runs pass as a reader", () => {
    for (const { permission, capabilities, id } of allKnownTools())
      if (permission === "read") expect(capabilities, id).not.toContain("fs:write");
  });
});
