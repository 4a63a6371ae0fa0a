import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createGate, createPlugins, validatePlugin } from "../../../src/index.ts";
import { plugin } from "../sources/plugins/plugin-world.ts";

function createFolder(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-plugins-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

describe("plugins of a program that names no folders", () => {
  it("come from where the command looks, with its trust", async () => {
    const home = createFolder({
      "home/.config/toolgate/tools/mine.json": JSON.stringify(plugin("mine")),
      "elsewhere/theirs.json": JSON.stringify(plugin("theirs")),
    });
    const env = { HOME: join(home, "home"), TOOLGATE_TOOLS_DIR: join(home, "elsewhere") };
    const gate = await createGate();
    await using plugins = await createPlugins(gate, { env });
    expect(plugins.report).toMatchObject({ success: true, toolCount: 2 });
    expect(gate.tools.list().map(({ id }) => id)).toEqual(["mine", "theirs"]);
    await gate.close();
  });

  it("are refused as folders that are no list, and as an option that is misspelt", async () => {
    const gate = await createGate();
    await expect(createPlugins(gate, { folders: "x" as never })).rejects.toThrow(/takes a list of folders/);
    await expect(createPlugins(gate, { folder: [] } as never)).rejects.toThrow(/did you mean "folders"/);
    await gate.close();
  });
});

describe("a plugin that is only looked at", () => {
  it("is fine as a file and as an object, and its tools are named", async () => {
    const folder = createFolder({ "a.json": JSON.stringify(plugin("hello")) });
    const fine = { success: true, tools: ["hello"], errors: [], warnings: [] };
    expect(await validatePlugin(join(folder, "a.json"))).toEqual(fine);
    expect(await validatePlugin(plugin("hello"))).toEqual(fine);
  });

  it("is told with all its errors, each with its place", async () => {
    const [tool] = (plugin("hello") as { readonly tools: readonly object[] }).tools;
    const tools = [{ ...tool, name: "a b" }, { ...tool, category: "nowhere" }, tool, tool];
    const text = JSON.stringify({ ...plugin("x"), tools }, undefined, 2);
    const file = join(createFolder({ "a.json": text }), "a.json");
    const { success, errors } = await validatePlugin(file);
    expect(success).toBe(false);
    expect(errors.length).toBeGreaterThanOrEqual(3);
    for (const error of errors) expect(error).toMatchObject({ source: file, line: expect.any(Number) });
    expect(errors.map(({ message }) => message).join("\n")).toMatch(/nowhere/);
  });

  it("never throws for what is in it, only for what cannot be a plugin", async () => {
    const folder = createFolder({ "a.json": "{" });
    expect(await validatePlugin(join(folder, "a.json"))).toMatchObject({ success: false });
    expect(await validatePlugin(join(folder, "none.json"))).toMatchObject({ success: false });
    const ring: Record<string, unknown> = {};
    ring.self = ring;
    const errors = [{ message: expect.stringContaining("JSON") }];
    expect(await validatePlugin(ring)).toMatchObject({ errors });
    await expect(validatePlugin(1 as never)).rejects.toThrow(/takes the path of a plugin file/);
  });
});
