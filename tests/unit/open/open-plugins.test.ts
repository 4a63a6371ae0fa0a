import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { revokeTrust } from "../../../src/config/trust/trust.ts";
import { openTools } from "../../../src/open/open-tools.ts";
import { createWorld, type World } from "../config/world.ts";
import { plugin, shellTool } from "../sources/plugins/plugin-world.ts";

function text(tool: string, more: object = {}): string {
  return JSON.stringify({ ...plugin(tool), ...more });
}

async function load(world: World, env: Record<string, string> = {}) {
  const config = await world.open({ env: { ...world.env, ...env } });
  expect(config.problems).toEqual([]);
  await using open = await openTools(config, { durable: false });
  const { tools, report } = open.plugins;
  return {
    tools: tools.map(({ tool, trusted }) => `${tool.id}${trusted ? "" : " (limited)"}`),
    errors: report.errors,
    skipped: report.skipped.map(({ file }) => file),
    ignored: config.ignored,
  };
}

describe("the folders that plugins are loaded from", () => {
  it("are the user's own and those that the user's configuration names, relative to it", async () => {
    const world = createWorld();
    const missing = join(world.home, "missing");
    world.user(`plugins:\n  folders: [more, ~/shared, ${missing}]\n`);
    const { config } = world.folders;
    world.write(join(config, "tools", "a.json"), text("a"));
    world.write(join(config, "more", "b.yaml"), text("b"));
    world.write(join(world.home, "shared", "c.json"), text("c"));
    const loaded = await load(world);
    expect(loaded.tools).toEqual(["a", "b", "c"]);
    expect(loaded.errors).toEqual([{ source: missing, message: "There is no such folder." }]);
  });

  it("are only those of the file when one is given", async () => {
    const world = createWorld();
    world.write(join(world.folders.config, "tools", "a.json"), text("a"));
    world.write(".toolgate/tools/p.json", text("p"));
    world.write("alone/tools/b.json", text("b"));
    const configFile = world.write("alone/strict.yaml", "plugins: {folders: [tools]}\n");
    await using open = await openTools(await world.open({ configFile }), { durable: false });
    expect(open.plugins.tools.map(({ tool }) => tool.id)).toEqual(["b"]);
  });

  it("come in the order of trust: a project cannot take a user's name away", async () => {
    const world = createWorld();
    const mine = world.write(join(world.folders.config, "tools", "z.json"), text("same"));
    const theirs = world.write(".toolgate/tools/a.json", text("same"));
    world.trust(theirs);
    const message = expect.stringContaining(mine);
    expect((await load(world)).errors).toMatchObject([{ source: theirs, toolName: "same", message }]);
  });

  it("count once, where they are most trusted, when reached in two ways", async () => {
    const world = createWorld();
    world.write(join(world.folders.config, "tools", "a.json"), text("a"));
    const link = join(world.home, "link");
    symlinkSync(join(world.folders.config, "tools"), link);
    expect(await load(world, { TOOLGATE_TOOLS_DIR: link })).toMatchObject({ tools: ["a"], errors: [] });
  });

  it("load beside the built-in tools, whose names and aliases are taken", async () => {
    const world = createWorld();
    const names = ["fs_read", "Bash", "mine"].map((name) => shellTool(name));
    world.write(join(world.folders.config, "tools", "a.json"), text("a", { tools: names }));
    const { tools, errors } = await load(world);
    expect(tools).toEqual(["mine"]);
    expect(errors.map(({ toolName, message }) => `${toolName}: ${message}`)).toEqual([
      "fs_read: The name is taken by the built-in tool fs.read; choose another one.",
      "Bash: The name is taken by the built-in tool shell.exec; choose another one.",
    ]);
  });
});

describe("a project's plugins", () => {
  it("are loaded only while each file is trusted as it is", async () => {
    const world = createWorld();
    const a = world.write(".toolgate/tools/a.json", text("a"));
    const b = world.write(".toolgate/tools/b.json", text("b"));
    expect(await load(world)).toMatchObject({ tools: [], errors: [], skipped: [a, b] });
    world.trust(a);
    expect(await load(world)).toMatchObject({ tools: ["a"], skipped: [b] });
    world.write(a, `${text("a")} `);
    expect(await load(world)).toMatchObject({ tools: [], skipped: [a, b] });
    world.trust(a);
    revokeTrust(world.folders.state, [a]);
    expect(await load(world)).toMatchObject({ tools: [], skipped: [a, b] });
  });

  it("are not loaded from folders that an untrusted project file names, and one by one where it is trusted", async () => {
    const world = createWorld();
    const named = world.write("extra/x.json", text("x"));
    const file = world.write("toolgate.yaml", "plugins: {folders: [extra]}\n");
    const ignored = [{ file, what: "plugins", why: "it would add tools" }];
    expect(await load(world)).toMatchObject({ tools: [], skipped: [], ignored });
    world.trust(file);
    expect(await load(world)).toMatchObject({ tools: [], skipped: [named] });
    world.trust(named);
    expect(await load(world)).toMatchObject({ tools: ["x"], skipped: [] });
  });

  it("cannot borrow the trust of another file by a link", async () => {
    const world = createWorld();
    const trusted = world.write(".toolgate/tools/a.json", text("a"));
    world.trust(trusted);
    world.write("evil.json", text("evil"));
    mkdirSync(join(world.project, "other", ".toolgate", "tools"), { recursive: true });
    const link = join(world.project, ".toolgate/tools/b.json");
    symlinkSync(join(world.project, "evil.json"), link);
    expect(await load(world)).toMatchObject({ tools: ["a"], skipped: [link] });
  });
});

describe("TOOLGATE_TOOLS_DIR", () => {
  it("names folders whose tools load with less power until the file is trusted", async () => {
    const world = createWorld();
    const a = world.write(join(world.home, "env", "a.json"), text("a"));
    const env = { TOOLGATE_TOOLS_DIR: join(world.home, "env") };
    expect((await load(world, env)).tools).toEqual(["a (limited)"]);
    world.trust(a);
    expect((await load(world, env)).tools).toEqual(["a"]);
  });

  it("takes several folders, relative ones from the working folder, and wants each of them", async () => {
    const world = createWorld();
    world.write("one/a.json", text("a"));
    const { tools, errors } = await load(world, { TOOLGATE_TOOLS_DIR: "one:two" });
    expect(tools).toEqual(["a (limited)"]);
    expect(errors).toEqual([{ source: join(world.project, "two"), message: "There is no such folder." }]);
  });
});
