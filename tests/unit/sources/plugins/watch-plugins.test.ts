import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { PluginReport } from "../../../../src/sources/plugins/plugin-set.ts";
import { watchPlugins } from "../../../../src/sources/plugins/watch-plugins.ts";
import { createPluginWorld, type PluginWorld, plugin } from "./plugin-world.ts";

/** Watches the world's folder; `next` waits for a reload after which the gate holds these plugin tools. */
function watching(world: PluginWorld, files: readonly string[] = []) {
  const reports: PluginReport[] = [];
  let wake = () => {};
  const watch = watchPlugins({
    plugins: world.plugins,
    folders: () => [world.folder],
    files,
    onReload: (report) => {
      reports.push(report);
      wake();
    },
  });
  onTestFinished(() => watch.close());
  return {
    reports,
    watch,
    until: async (...names: string[]) => {
      while (world.names().sort().join() !== names.join())
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    },
  };
}

describe("watching folders of plugins", () => {
  it("loads new files, changed ones and those put in place by renaming, and takes out deleted ones", async () => {
    const world = await createPluginWorld();
    const { until } = watching(world);
    const file = world.write("a.json", plugin("a"));
    await until("a");
    world.write("a.json", plugin("b"));
    await until("b");
    renameSync(world.write("a.json.tmp", plugin("c")), file);
    await until("c");
    rmSync(file);
    await until();
  });

  it("makes one reload of a burst of changes", async () => {
    const world = await createPluginWorld();
    const { until, reports } = watching(world);
    const names = Array.from({ length: 50 }, (_, index) => `t${String(index).padStart(2, "0")}`);
    for (const name of names) world.write(`${name}.json`, plugin(name));
    await until(...names);
    expect(reports).toHaveLength(1);
    expect(world.changes()).toBe(1);
  });

  it("notices a folder that appears later, is removed and comes back", async () => {
    const world = await createPluginWorld();
    rmSync(world.folder, { recursive: true });
    const { until } = watching(world);
    world.write("a.json", plugin("a"));
    await until("a");
    rmSync(world.folder, { recursive: true });
    await until();
    world.write("b.json", plugin("b"));
    await until("b");
  });

  it("notices changes of what a link leads to", async () => {
    const world = await createPluginWorld();
    const target = join(dirname(world.folder), "elsewhere", "x.json");
    mkdirSync(dirname(target));
    writeFileSync(target, JSON.stringify(plugin("a")));
    symlinkSync(target, join(world.folder, "link.json"));
    await world.plugins.reload();
    const { until } = watching(world);
    writeFileSync(target, JSON.stringify(plugin("b")));
    await until("b");
  });

  it("keeps the tools of a file that is being written in pieces until the last of them is there", async () => {
    const world = await createPluginWorld({ settleMs: 2_000 });
    world.write("a.json", plugin("a", "old"));
    await world.plugins.reload();
    const { reports } = watching(world);
    world.changes();
    const text = JSON.stringify(plugin("a", "new"));
    for (let length = 20; length < text.length + 20; length += 20) {
      world.write("a.json", text.slice(0, length));
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(world.names()).toEqual(["a"]);
    }
    await expect.poll(() => world.changes()).toBe(1);
    expect(world.gate.tools.get("a")?.tool.description).toBe("Says new.");
    expect(reports.flatMap(({ errors }) => errors)).toEqual([]);
  });

  it("tells nothing any more once it is closed", async () => {
    const world = await createPluginWorld();
    const { watch, reports } = watching(world);
    await watch.close();
    world.write("a.json", plugin("a"));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(reports).toEqual([]);
    expect(world.names()).toEqual([]);
  });
});
