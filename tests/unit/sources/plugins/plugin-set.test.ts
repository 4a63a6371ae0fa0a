import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { textOf } from "../../../../src/core/call/content.ts";
import { createGate } from "../../../../src/index.ts";
import type { PluginGrade } from "../../../../src/sources/plugins/load-plugin-file.ts";
import { PluginSet } from "../../../../src/sources/plugins/plugin-set.ts";
import { createPluginWorld, type PluginWorld, plugin, shellTool, tick } from "./plugin-world.ts";

async function say({ gate }: PluginWorld, tool: string): Promise<string> {
  const outcome = await gate.dispatch({ tool, input: {} });
  return outcome.ok ? textOf(outcome.result).trim() : outcome.error.code;
}

describe("reloading plugins", () => {
  it("reads one file when one has changed, none when none has, and tells listeners once", async () => {
    const world = await createPluginWorld();
    for (const name of ["a", "b", "c", "d"]) world.write(`${name}.json`, plugin(name));
    await tick();
    await world.plugins.reload();
    expect(world.reads()).toEqual(["a.json", "b.json", "c.json", "d.json"]);
    expect(world.changes()).toBe(1);
    await world.plugins.reload();
    expect([world.reads(), world.changes()]).toEqual([[], 0]);
    world.write("c.json", { name: "c", tools: [shellTool("c", "new"), shellTool("e")] });
    await tick();
    await world.plugins.reload();
    expect([world.reads(), world.changes()]).toEqual([["c.json"], 1]);
    expect(world.names().sort()).toEqual(["a", "b", "c", "d", "e"]);
    expect(await say(world, "c")).toBe("new");
  });

  it("notices a change that keeps size and time of writing", async () => {
    const world = await createPluginWorld();
    world.write("a.json", plugin("a", "one"));
    await tick();
    await world.plugins.reload();
    const file = world.write("b.tmp", plugin("a", "two"));
    renameSync(file, join(world.folder, "a.json"));
    await world.plugins.reload();
    expect(await say(world, "a")).toBe("two");
  });

  it("reads a file again that it read in the very moment of its change", async () => {
    const world = await createPluginWorld();
    world.write("a.json", plugin("a", "one"));
    await world.plugins.reload();
    world.write("a.json", plugin("a", "two"));
    await world.plugins.reload();
    expect(await say(world, "a")).toBe("two");
  });

  it("takes out the tools of deleted files and of tools that are gone from a file", async () => {
    const world = await createPluginWorld();
    world.write("a.json", { name: "a", tools: [shellTool("a1"), shellTool("a2")] });
    const b = world.write("b.json", plugin("b"));
    await world.plugins.reload();
    world.write("a.json", plugin("a2"));
    rmSync(b);
    const report = await world.plugins.reload();
    expect(report).toMatchObject({ success: true, toolCount: 1 });
    expect(world.names()).toEqual(["a2"]);
    expect(await say(world, "b")).toBe("unknown_tool");
  });

  it("gives a name to the next file when the first no longer has it, and back again", async () => {
    const world = await createPluginWorld();
    const first = world.write("a.json", plugin("same", "first"));
    world.write("b.json", plugin("same", "second"));
    expect((await world.plugins.reload()).errors).toHaveLength(1);
    expect(await say(world, "same")).toBe("first");
    rmSync(first);
    expect((await world.plugins.reload()).errors).toEqual([]);
    expect(await say(world, "same")).toBe("second");
    world.write("a.json", plugin("same", "first"));
    await world.plugins.reload();
    expect(await say(world, "same")).toBe("first");
  });

  it("lets a call that runs finish on the old definition", async () => {
    const world = await createPluginWorld();
    const slow = (says: string) =>
      plugin("slow", says, {
        handler: { type: "shell", command: `while [ ! -e go ]; do sleep 0.02; done; echo ${says}`, cwd: "." },
      });
    world.write("a.json", slow("old"));
    await world.plugins.reload();
    const started = new Promise<void>((resolve) => world.gate.events.on("call-start", () => resolve()));
    const call = say(world, "slow");
    await started;
    world.write("a.json", slow("new"));
    await world.plugins.reload();
    rmSync(join(world.folder, "a.json"));
    await world.plugins.reload();
    expect(world.names()).toEqual([]);
    writeFileSync(join(world.folder, "go"), "");
    expect(await call).toBe("old");
  });

  it("makes the definition's hash another one when the command changes, and keeps it when only a line does", async () => {
    const world = await createPluginWorld();
    world.write("a.json", plugin("a", "one", { description: "Same." }));
    await world.plugins.reload();
    const before = world.gate.tools.get("a");
    world.write("a.json", JSON.stringify(plugin("a", "one", { description: "Same." })));
    await world.plugins.reload();
    expect(world.gate.tools.get("a")).toBe(before);
    world.write("a.json", plugin("a", "two", { description: "Same." }));
    await world.plugins.reload();
    expect(world.gate.tools.get("a")?.definitionHash).not.toBe(before?.definitionHash);
  });

  it("does not let a yes for the old command run the new one", async () => {
    const world = await createPluginWorld();
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    const ask = async () => {
      asked.resolve();
      await answered.promise;
      return { decision: "approve" as const };
    };
    const gate = await createGate({ approver: { name: "slow", ask } });
    onTestFinished(() => gate.close());
    const plugins = new PluginSet({
      host: gate.tools,
      env: {},
      folders: () => [{ path: world.folder, gradeOf: () => "trusted" }],
    });
    const marker = join(world.folder, "ran");
    world.write("a.json", plugin("a", "one", { handler: { type: "shell", command: `touch ${marker}.old` } }));
    await plugins.reload();
    const call = gate.dispatch({ tool: "a", input: {} });
    await asked.promise;
    world.write("a.json", plugin("a", "one", { handler: { type: "shell", command: `touch ${marker}.new` } }));
    await plugins.reload();
    answered.resolve();
    expect(await call).toMatchObject({ ok: false, error: { stage: "approve" } });
    expect([existsSync(`${marker}.old`), existsSync(`${marker}.new`)]).toEqual([false, false]);
  });

  it("leaves a tool alone that a program has put in the place of a plugin's", async () => {
    const world = await createPluginWorld();
    const file = world.write("a.json", plugin("a"));
    await world.plugins.reload();
    world.gate.tools.replace({
      id: "a",
      description: "Ours.",
      permission: "read",
      input: {},
      run: () => "ours",
    });
    rmSync(file);
    await world.plugins.reload();
    expect(await say(world, "a")).toBe("ours");
  });

  it("loads a file once it is trusted and takes it out when it no longer is, though the file is the same", async () => {
    let grade: PluginGrade = "refused";
    const world = await createPluginWorld({ grade: () => grade });
    world.write("a.json", plugin("a"));
    await tick();
    await world.plugins.reload();
    grade = "trusted";
    await world.plugins.reload();
    expect(world.names()).toEqual(["a"]);
    grade = "refused";
    expect((await world.plugins.reload()).skipped).toHaveLength(1);
    expect(world.names()).toEqual([]);
  });
});

describe("a file that somebody is still writing", () => {
  it("keeps its tools until it has been left alone, then reports what is wrong", async () => {
    const world = await createPluginWorld({ settleMs: 600 });
    world.write("a.json", plugin("a"));
    await world.plugins.reload();
    world.write("a.json", '{"name": "a", "tools": [');
    const reload = world.plugins.reload();
    await new Promise((resolve) => setImmediate(resolve));
    expect(world.names()).toEqual(["a"]);
    expect(await reload).toMatchObject({ success: false, toolCount: 0, errors: [{ line: 1 }] });
    expect(world.names()).toEqual([]);
  });
});
