import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findRoutes } from "../../../../src/agents/claude-code/routes.ts";
import { createWorld, type World } from "./world.ts";

const files = (world: World, env: Record<string, string> = {}) =>
  findRoutes({ ...world.request, env }).files.map(({ file }) => file);
const notes = (world: World) => findRoutes(world.request).notes;

/** One plugin, its route file and its folder. */
function withTools(options?: Parameters<World["addPlugin"]>[1]) {
  const world = createWorld();
  const file = world.addPlugin("tools", options);
  return { world, file, root: dirname(dirname(file)) };
}

const switches = (world: World, file: string, isOn: boolean) =>
  world.write(file, { enabledPlugins: { "tools@market": isOn } });
/** What a marketplace says about it. */
const lists = (world: World, source: unknown, more = {}) =>
  world.write("market/.claude-plugin/marketplace.json", { ...more, plugins: [{ name: "tools", source }] });
const copied = (world: World, version = "1.0.0") =>
  world.write(`home/.claude/plugins/cache/market/tools/${version}/hooks/tool-routes.yaml`, "routes: {}\n");

describe("the plugins of Claude Code", () => {
  it("have no routes where nothing is installed, and nothing needs to be said about it", () => {
    const found = findRoutes(createWorld().request);
    expect(found).toMatchObject({ files: [], notes: [] });
  });

  it("are read from a marketplace's folder in place, in the order of their ids, not from the stale copy", () => {
    const world = createWorld();
    const second = world.addPlugin("zebra");
    const first = world.addPlugin("ant");
    world.write("home/.claude/plugins/cache/market/ant/1.0.0/hooks/tool-routes.yaml", "routes: {}\n");
    expect(findRoutes(world.request)).toMatchObject({
      files: [
        { file: first, plugin: "ant@market" },
        { file: second, plugin: "zebra@market" },
      ],
      notes: [],
    });
  });

  it("are read from where they were copied to when the marketplace is a repository, never from another version in the cache", () => {
    const { world } = withTools();
    const git = { source: "git", url: "https://example.com/market.git" };
    world.write("home/.claude/plugins/known_marketplaces.json", {
      market: { source: git, installLocation: world.path("market") },
    });
    copied(world, "0.9.0");
    const current = copied(world);
    expect(files(world)).toEqual([current]);
  });

  it("are read from where they were copied to when the marketplace's folder only names a package", () => {
    const { world } = withTools();
    lists(world, { source: "npm", package: "tools" });
    const current = copied(world);
    expect(files(world)).toEqual([current]);
  });

  it("are found under the folder that a marketplace names for bare sources", () => {
    const { world, file } = withTools();
    lists(world, "tools", { metadata: { pluginRoot: "./plugins" } });
    expect(files(world)).toEqual([file]);
  });

  it("count only if they are switched on, and later settings override earlier ones", () => {
    const { world, file } = withTools();
    const user = world.path("home/.claude/settings.json");
    switches(world, "project/.claude/settings.json", false);
    expect(files(world)).toEqual([]);
    expect(notes(world)).toEqual([
      `The plugin tools@market is switched off by ${world.path("project/.claude/settings.json")}, so its routes do not count here.`,
    ]);
    switches(world, "project/.claude/settings.local.json", true);
    expect(files(world)).toEqual([file]);
    switches(world, "etc/managed-settings.json", false);
    expect(files(world)).toEqual([]);
    switches(world, "etc/managed-settings.d/10-team.json", true);
    expect(files(world)).toEqual([file]);
    rmSync(user);
    expect(files(world)).toEqual([file]);
  });

  it("count in their own project only, when installed for one", () => {
    const { world, file } = withTools({ enabled: false });
    world.write("home/.claude/settings.json", {});
    switches(world, "project/.claude/settings.json", true);
    const installedFor = (projectPath: string) =>
      world.write("home/.claude/plugins/installed_plugins.json", {
        version: 2,
        plugins: { "tools@market": [{ scope: "project", projectPath, installPath: "/nowhere" }] },
      });
    installedFor(world.project);
    expect(files(world)).toEqual([file]);
    installedFor(world.path("elsewhere"));
    expect(files(world)).toEqual([]);
    expect(notes(world)).toEqual([
      "The plugin tools@market is enabled but not installed here, so its routes do not count.",
    ]);
  });

  it("count when the user enabled them and their marketplace is a folder, as in the client, though they were never installed", () => {
    const { world, file } = withTools({ installed: false });
    expect(files(world)).toEqual([file]);
  });

  it("do not count when only a repository enabled them and the user never installed them", () => {
    const { world } = withTools({ enabled: false, installed: false });
    switches(world, "project/.claude/settings.json", true);
    expect(files(world)).toEqual([]);
    switches(world, "home/.claude/settings.json", false);
    expect(files(world)).toEqual([]);
  });

  it("are also found in the skills folder, unless switched off by the name in their manifest", () => {
    const world = createWorld();
    world.write("home/.claude/skills/plain/SKILL.md", "No plugin.");
    world.write("home/.claude/skills/folder/.claude-plugin/plugin.json", { name: "review" });
    const file = world.write("home/.claude/skills/folder/hooks/tool-routes.yaml", "routes: {}\n");
    expect(findRoutes(world.request).files).toEqual([{ file, plugin: "review@skills-dir" }]);
    world.write("home/.claude/settings.json", { enabledPlugins: { "review@skills-dir": false } });
    expect(files(world)).toEqual([]);
  });

  it("do not include what a repository keeps in its own skills folder", () => {
    const world = createWorld();
    world.write("project/.claude/skills/evil/.claude-plugin/plugin.json", { name: "evil" });
    world.write("project/.claude/skills/evil/hooks/tool-routes.yaml", "routes: {}\n");
    expect(findRoutes(world.request)).toMatchObject({ files: [], notes: [] });
  });

  it("include the one this process belongs to, once, also when it is written down nowhere", () => {
    const { world, file, root } = withTools();
    const session = world.write("session-plugin/hooks/tool-routes.yaml", "routes: {}\n");
    world.write("session-plugin/.claude-plugin/plugin.json", { name: "session" });
    expect(files(world, { CLAUDE_PLUGIN_ROOT: root })).toEqual([file]);
    const env = { CLAUDE_PLUGIN_ROOT: world.path("session-plugin") };
    expect(findRoutes({ ...world.request, env }).files).toEqual([
      { file, plugin: "tools@market" },
      { file: session, plugin: "session" },
    ]);
  });

  it("are looked for where the client's own variables point", () => {
    const { world, file } = withTools();
    renameSync(world.path("home/.claude"), world.path("moved"));
    expect(files(world)).toEqual([]);
    const moved = { CLAUDE_CONFIG_DIR: world.path("moved") };
    expect(files(world, moved)).toEqual([file]);
    renameSync(world.path("moved/plugins"), world.path("cache"));
    const both = { ...moved, CLAUDE_CODE_PLUGIN_CACHE_DIR: world.path("cache") };
    expect(files(world, both)).toEqual([file]);
  });

  it("use the settings of the folder that the client calls its project", () => {
    const { world } = withTools();
    switches(world, "other/.claude/settings.json", false);
    expect(files(world)).toHaveLength(1);
    expect(files(world, { CLAUDE_PROJECT_DIR: world.path("other") })).toHaveLength(0);
  });
});

describe("the route files of a plugin", () => {
  it("include those in routes.json, after the usual one, each once", () => {
    const { world, file: usual, root } = withTools();
    const listed = world.write("market/plugins/tools/skills/pr/tool-routes.yaml", "routes: {}\n");
    const routes = ["./skills/pr/tool-routes.yaml", "hooks/tool-routes.yaml", "skills/pr/./tool-routes.yaml"];
    writeFileSync(join(root, ".claude-plugin/routes.json"), JSON.stringify({ routes }));
    expect(findRoutes(world.request)).toMatchObject({
      files: [
        { file: usual, plugin: "tools@market" },
        { file: listed, plugin: "tools@market" },
      ],
      notes: [],
    });
  });

  it("never leave the plugin's folder, and the attempt is said", () => {
    const { world, file: usual, root } = withTools();
    const secret = world.write("elsewhere.yaml", "routes: {}\n");
    symlinkSync(secret, join(root, "link.yaml"));
    mkdirSync(world.path("folder"));
    world.write("folder/inside.yaml", "routes: {}\n");
    symlinkSync(world.path("folder"), join(root, "linked"));
    const above = ["../../../elsewhere.yaml", "hooks/../../../../elsewhere.yaml"];
    const listed = [secret, ...above, "link.yaml", "linked/inside.yaml", 7, "", "a\0b"];
    writeFileSync(join(root, ".claude-plugin/routes.json"), JSON.stringify({ routes: listed }));
    const found = findRoutes(world.request);
    expect(found.files.map(({ file }) => file)).toEqual([usual]);
    expect(found.notes).toHaveLength(listed.length);
  });

  it("are not taken through a link, not even under the usual name", () => {
    const { world, file: usual } = withTools();
    rmSync(usual);
    symlinkSync(world.write("elsewhere.yaml", "routes: {}\n"), usual);
    expect(files(world)).toEqual([]);
    expect(notes(world)).toEqual([
      `${usual} of the plugin tools@market is not read: links in a plugin are not followed.`,
    ]);
  });

  it("are taken when the plugin's whole folder is a link, under its real name", () => {
    const { world, root } = withTools();
    renameSync(root, world.path("real"));
    symlinkSync(world.path("real"), root);
    expect(files(world)).toEqual([world.path("real/hooks/tool-routes.yaml")]);
  });

  it("are missed with a note when routes.json lists them and they are not there", () => {
    const { world, root } = withTools();
    writeFileSync(join(root, ".claude-plugin/routes.json"), '{"routes":["./gone.yaml"]}');
    expect(notes(world)).toEqual([
      "The plugin tools@market lists ./gone.yaml in .claude-plugin/routes.json, but it is not there.",
    ]);
  });
});

describe("broken files of Claude Code", () => {
  const json = ['"text"', '{"plugins":7}', '{"plugins":{"tools@market":7}}'];
  const rubbish = ["", "{", "null", "[]", "7", ...json, "\0"];
  const places = [
    "home/.claude/settings.json",
    "project/.claude/settings.json",
    "home/.claude/plugins/installed_plugins.json",
    "home/.claude/plugins/known_marketplaces.json",
    "market/.claude-plugin/marketplace.json",
    "market/plugins/tools/.claude-plugin/routes.json",
    "home/.claude/skills/one/.claude-plugin/plugin.json",
  ];

  it.for(places)("never throw: %s", (place) => {
    for (const text of rubbish) {
      const { world } = withTools();
      world.write(place, text);
      expect(() => findRoutes(world.request)).not.toThrow();
    }
  });

  it.for(places)("never throw when a folder or a pipe-like thing is in their place: %s", (place) => {
    const { world } = withTools();
    rmSync(world.path(place), { force: true });
    mkdirSync(world.path(place), { recursive: true });
    const found = findRoutes(world.request);
    expect(found.notes.join("\n")).toContain(world.path(place));
  });

  it("are skipped with a note that names the file, and the rest still counts", () => {
    const { world, file } = withTools();
    const broken = world.write("project/.claude/settings.json", '{ // comment\n "enabledPlugins": {} }');
    expect(files(world)).toEqual([file]);
    expect(notes(world)).toEqual([expect.stringContaining(`${broken} is skipped: it is not valid JSON`)]);
  });

  it("are skipped when they cannot be opened", () => {
    const { world, file } = withTools();
    mkdirSync(world.path("project/.claude"));
    symlinkSync("settings.json", world.path("project/.claude/settings.json"));
    expect(files(world)).toEqual([file]);
    expect(notes(world)).toEqual([expect.stringContaining("cannot be read (ELOOP)")]);
  });

  it("are skipped when they are absurdly large", () => {
    const { world } = withTools();
    world.write("project/.claude/settings.json", `{"x":"${"a".repeat(5 * 1024 * 1024)}"}`);
    expect(notes(world)).toEqual([expect.stringContaining("larger than")]);
  });

  it("cannot make names of the language count as entries", () => {
    const { world } = withTools();
    const names = '{"constructor":true,"__proto__":true,"toString@market":true}';
    world.write("project/.claude/settings.json", `{"enabledPlugins":${names}}`);
    expect([files(world).length, notes(world).length]).toEqual([1, 3]);
  });

  it("are said when a plugin's folder or its entry in the marketplace is gone, or leads out of it", () => {
    const { world, root } = withTools();
    rmSync(root, { recursive: true });
    expect(notes(world)).toEqual([expect.stringContaining("is not there")]);
    world.write("market/.claude-plugin/marketplace.json", { plugins: [] });
    expect(notes(world)).toEqual([expect.stringContaining("does not list it")]);
    for (const source of ["../outside", "./plugins/../../outside", 7]) {
      world.write("outside/hooks/tool-routes.yaml", "routes: {}\n");
      lists(world, source);
      const leaves = [expect.stringContaining("leaves the marketplace's folder")];
      expect(findRoutes(world.request)).toMatchObject({ files: [], notes: leaves });
    }
  });
});

describe("the inputs of the search", () => {
  /** What a cache compares: gone or there, and which version. */
  const identity = (path: string) => {
    try {
      const { mtimeNs, size, ino } = statSync(path, { bigint: true });
      return `${mtimeNs}:${size}:${ino}`;
    } catch {
      return "missing";
    }
  };

  const changes: Record<string, (world: World) => void> = {
    "a plugin is switched off by the user": (world) => switches(world, "home/.claude/settings.json", false),
    "a plugin is switched off by a file that did not exist": (world) =>
      switches(world, "project/.claude/settings.local.json", false),
    "an administrator's folder appears": (world) => switches(world, "etc/managed-settings.d/1.json", false),
    "a marketplace moves": (world) => world.write("home/.claude/plugins/known_marketplaces.json", {}),
    "a marketplace lists another folder": (world) => lists(world, "./other"),
    "a route file goes": (world) => rmSync(world.path("market/plugins/tools/hooks/tool-routes.yaml")),
    "a route file appears in a plugin without one": (world) =>
      world.write("market/plugins/bare/hooks/tool-routes.yaml", "routes: {}\n"),
    "a manifest of routes appears": (world) =>
      world.write("market/plugins/tools/.claude-plugin/routes.json", { routes: ["./hooks/more.yaml"] }),
    "a skill becomes a plugin": (world) =>
      world.write("home/.claude/skills/plain/.claude-plugin/plugin.json", { name: "plain" }),
    "a skill appears": (world) =>
      world.write("home/.claude/skills/new/.claude-plugin/plugin.json", { name: "new" }),
  };

  it.for(Object.keys(changes))("show that %s", (name) => {
    const { world } = withTools();
    rmSync(world.addPlugin("bare"));
    world.write("market/plugins/tools/hooks/more.yaml", "routes: {}\n");
    world.write("home/.claude/skills/plain/hooks/tool-routes.yaml", "routes: {}\n");
    world.write("home/.claude/skills/plain/SKILL.md", "x");
    const before = findRoutes(world.request);
    const seen = before.inputs.map(identity);
    changes[name]?.(world);
    if (name === "a skill appears")
      world.write("home/.claude/skills/new/hooks/tool-routes.yaml", "routes: {}\n");
    expect(findRoutes(world.request).files).not.toEqual(before.files);
    expect(before.inputs.map(identity)).not.toEqual(seen);
  });
});
