import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { textOf } from "../../../../src/core/call/content.ts";
import { allKnownTools } from "../../../../src/core/tool/known-tools.ts";
import { type CategoryChoice, createGate, type Gate } from "../../../../src/index.ts";
import { createBuiltinTools } from "../../../../src/sources/builtin/builtin-tools.ts";
import { stopped } from "../stopped.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const repository = join(import.meta.dirname, "../../../..");

async function open(enable: CategoryChoice = {}) {
  const stateFolder = temporaryFolder("builtin");
  const holder: { gate?: Gate } = {};
  const builtin = createBuiltinTools({ editing: { stateFolder }, gate: () => holder.gate as Gate });
  const gate = await createGate({ tools: builtin.tools, policies: builtin.policies, enable });
  holder.gate = gate;
  onTestFinished(async () => {
    await gate.close();
    await builtin.close();
  });
  return { gate, builtin };
}

function callable(gate: Gate): string[] {
  return gate.tools
    .view()
    .filter((tool) => tool.callable)
    .map(({ id }) => id)
    .sort();
}

describe("the built-in tools", () => {
  it("are all tools that the list of names knows, together in one gate", async () => {
    const { gate } = await open();
    const ids = (tools: readonly { readonly id: string }[]) => tools.map(({ id }) => id).sort();
    expect(ids(gate.tools.list())).toEqual(ids(allKnownTools()));
    for (const { id, aliases } of allKnownTools())
      for (const name of [id, ...aliases]) expect(gate.tools.get(name)?.id, name).toBe(id);
  });

  it("can at first only read", async () => {
    const { gate } = await open();
    const more = gate.tools
      .view()
      .filter((tool) => tool.callable && tool.permission !== "read")
      .map(({ id }) => id);
    expect(more).toEqual([]);
  });

  it("are opened by development exactly where it says: editing, shell, git", async () => {
    const closed = callable((await open()).gate);
    const opened = callable((await open({ enabledCategories: ["development"] })).gate);
    const added = opened.filter((id) => !closed.includes(id));
    expect(new Set(added.map((id) => allKnownTools().find((tool) => tool.id === id)?.category))).toEqual(
      new Set(["editing", "shell", "git"]),
    );
    const expected = allKnownTools().filter(
      ({ category, permission }) =>
        category === "editing" || category === "shell" || (category === "git" && permission !== "read"),
    );
    expect(added).toEqual(expected.map(({ id }) => id).sort());
  });

  it("say what every parameter means or have a name that does, and are described in words", async () => {
    const { gate } = await open();
    for (const { id, tool } of gate.tools.list()) {
      expect(tool.title, id).toMatch(/^[A-Z]/);
      expect(tool.description.length, id).toBeGreaterThan(40);
      expect(tool.description.length, id).toBeLessThan(1_500);
      expect(tool.description, id).toMatch(/\.$/);
    }
  });

  it("reach the gate that holds them: tools are found, plan mode holds until a person ends it", async () => {
    const { gate } = await open();
    const found = await gate.dispatch({ tool: "ToolSearch", input: { query: "read a file" } });
    expect(textOf(found.result)).toContain("fs_read [filesystem]");
    expect(textOf(found.result)).not.toContain("fs_write");
    const session = { sessionId: "s1" };
    await gate.dispatch({ tool: "task.mode", input: { mode: "plan" }, ...session });
    const left = await gate.dispatch({ tool: "task.mode", input: { mode: "act" }, ...session });
    expect(left).toMatchObject(stopped("no_approver"));
  });

  it("forget a session that is over", async () => {
    const { gate, builtin } = await open();
    const todo = (input: object) => gate.dispatch({ tool: "task.todo", input, sessionId: "s1" });
    await todo({ add: ["x"] });
    await builtin.endSession("local", "s1");
    expect(textOf((await todo({})).result)).toBe("The list is empty.");
  });
});

describe("docs/tools.md", () => {
  it("says what the tools say", async () => {
    const script = join(repository, "scripts/write-tools-doc.mjs");
    await expect(
      promisify(execFile)(process.execPath, ["--no-warnings", script, "--check"]),
    ).resolves.toBeDefined();
  });
});
