import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { textOf } from "../../../../src/core/call/content.ts";
import { allKnownTools } from "../../../../src/core/tool/known-tools.ts";
import { type CategoryChoice, createGate, type Gate, type GateOptions } from "../../../../src/index.ts";
import { createBuiltinTools } from "../../../../src/sources/builtin/builtin-tools.ts";
import { rule } from "../rule.ts";
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

/** A call of each tool as other agents write it, and of those that no other agent has as we do. */
const ours: Readonly<Record<string, object>> = {
  "fs.stat": { path: "a" },
  "git.diff": {},
  "git.log": {},
  "git.commit": { message: "m", all: true },
  "git.checkpoint": { action: "save" },
  "browser.open": { url: "https://example.org" },
  "browser.read": {},
  "browser.click": { ref: "e1" },
  "browser.type": { ref: "e1", text: "x" },
  "browser.scroll": { direction: "down" },
  "browser.screenshot": {},
  "browser.close": {},
  "code.diagnostics": {},
  "mcp.prompt_list": {},
  "mcp.prompt_get": { server: "s", name: "p" },
  "tools.describe": { names: ["fs.read"] },
  "cs.user_get": { id: "usr_ines" },
  "cs.user_list": {},
  "cs.tenant_get": { id: "ten_lumen" },
  "cs.tenant_list": {},
  "cs.ticket_get": { id: "tic_login" },
  "cs.ticket_list": {},
  "cs.ticket_create": { requester: "usr_ines", subject: "S", body: "B" },
  "cs.ticket_update": { id: "tic_login", version: 1, status: "pending" },
};
const foreign: readonly { readonly name: string; readonly input: object }[] = JSON.parse(
  readFileSync(join(repository, "scripts/foreign-shapes.json"), "utf8"),
);
/** A command that only reads is let through in plan mode, and so is what closes a page. */
const changing = foreign
  .filter(({ input }) => !("run_in_background" in input) && !Object.values(input).includes("close"))
  .map(({ name, input }) => ({
    name,
    input: JSON.parse(JSON.stringify(input).replaceAll('"ls', '"touch x')),
  }));

describe("each built-in tool, under every name it has,", () => {
  const gates: Gate[] = [];
  const stateFolder = mkdtempSync(join(tmpdir(), "toolgate-builtin-"));
  const builtin = createBuiltinTools({ editing: { stateFolder }, gate: () => gates[0] as Gate });
  beforeAll(async () => {
    const disabledCategories = [...new Set(allKnownTools().map(({ category }) => category))];
    const ceilings = Object.fromEntries(disabledCategories.map((name) => [name, "read" as const]));
    const policies = [rule("approve", "*")];
    const options: GateOptions[] = [
      { enable: { enableAll: true }, policies },
      { enable: { enableAll: true, disabledCategories }, policies },
      { enable: { enableAll: true, ceilings }, policies },
      { enable: { enableAll: true } },
    ];
    for (const one of options) gates.push(await createGate({ tools: builtin.tools, ...one }));
  });
  afterAll(async () => {
    for (const gate of gates) await gate.close();
    await builtin.close();
    rmSync(stateFolder, { recursive: true, force: true });
  });

  // What `mcp.call` and `tools.call` may is what the tool may that they call.
  const tools = allKnownTools().filter(({ id }) => id !== "mcp.call" && id !== "tools.call");
  it.each(tools)("$id obeys its category, its ceiling, capabilities and plan mode", async (tool) => {
    const { id, aliases, permission, capabilities } = tool;
    const [open, off, low, silent] = gates as [Gate, Gate, Gate, Gate];
    const wireName = id.replaceAll(".", "_");
    const calls = changing.filter(({ name }) => name === wireName || aliases.includes(name));
    const input = ours[id];
    if (input !== undefined) calls.push({ name: id, input }, { name: wireName, input });
    expect(calls.length, "an example").toBeGreaterThan(0);
    for (const { name, input } of calls) {
      const codeOf = async (gate: Gate, context: object = {}) => {
        const outcome = await gate.dispatch({ tool: name, input, sessionId: "s", ...context });
        return outcome.ok ? "ok" : outcome.error.code;
      };
      expect(await codeOf(off), name).toBe("category_disabled");
      for (const gone of capabilities) {
        const others = ["support:other", ...capabilities.filter((one) => one !== gone)];
        expect(await codeOf(open, { caller: { id: "weak", capabilities: others } }), name).toBe(
          "missing_capability",
        );
      }
      if (permission === "read") {
        const planned = await open.check({ tool: name, input, mode: "plan" }, { wait: false });
        expect(planned.error?.code, name).not.toBe("plan_mode");
        continue;
      }
      expect(await codeOf(open, { mode: "plan" }), name).toBe("plan_mode");
      expect(await codeOf(low), name).toBe("above_ceiling");
      expect(await codeOf(silent), name).toBe("no_approver");
    }
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
