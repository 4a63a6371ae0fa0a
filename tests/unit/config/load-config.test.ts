import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findProject, projectSources } from "../../../src/config/find-project.ts";
import { adminSources, loadConfig, type WantedSource } from "../../../src/config/load-config.ts";
import type { LoadedConfig } from "../../../src/config/loaded-config.ts";
import { addTrust, trustFile } from "../../../src/config/trust/trust.ts";
import { chooseServer } from "../../../src/surfaces/serve/server-settings.ts";
import { createWorld, oneRoute, type World } from "./world.ts";

function load(world: World, shipped = "routes: {}\n"): Promise<LoadedConfig> {
  const shippedFile = world.write(join(world.home, "shipped.yaml"), shipped);
  const { folder, inputs } = findProject(world.project, world.home);
  const sources: WantedSource[] = [
    ...adminSources(world.folders.admin),
    { file: join(world.folders.config, "config.yaml"), origin: "user", tier: "user", kind: "config" },
    ...projectSources(folder),
    { file: shippedFile, origin: "shipped", tier: "shipped", kind: "routes", required: true },
  ];
  return loadConfig(sources, world.folders, { inputs });
}

function trust(world: World, path: string, text: string): void {
  addTrust(world.folders.state, [{ path, sha256: createHash("sha256").update(text).digest("hex") }]);
}

const twoRoutes = `${oneRoute("one")}${oneRoute("two").slice("routes:\n".length)}`;

const everything = `
routes:
  blocks: { tool: Bash, pattern: 'never-this', message: Not this. }
  lets-pass: { tool: Bash, pattern: 'always-this', action: allow }
  rewrites: { tool: Bash, pattern: '^ls$', action: rewrite, rewrite: { command: ls -l } }
  looks-ahead: { tool: Bash, pattern: 'a(?!b)', message: Not a. }
policies:
  approves: { tools: Bash, action: approve }
  denies: { tools: Bash, action: deny, conditions: [{ type: command, operator: equals, value: rm }] }
  looks-behind: { tools: Bash, action: deny, conditions: [{ type: argument, field: command, operator: matches, value: '(?<=x)y' }] }
limits:
  slow: { tools: Bash, max: 10, windowMs: 1000 }
hooks: { default: ask }
tools: { enable_all: true }
`;

describe("loading the configuration", () => {
  it("takes every source in the order of its tier and marks each rule with it", async () => {
    const world = createWorld();
    world.write(join(world.folders.admin, "b.yaml"), oneRoute("admin-b"));
    world.write(join(world.folders.admin, "a.yml"), oneRoute("admin-a"));
    world.write(join(world.folders.admin, "notes.txt"), "not read");
    world.write(join(world.folders.config, "config.yaml"), oneRoute("user"));
    world.write(".claude/tool-routes.yaml", oneRoute("claude"));
    world.write("toolgate.yaml", oneRoute("project"));
    const { rules, problems, sources } = await load(world, oneRoute("shipped"));
    expect(problems).toEqual([]);
    expect(rules.routes?.map(({ name, tier }) => `${name} ${tier}`)).toEqual([
      "admin-a admin",
      "admin-b admin",
      "user user",
      "project project",
      "claude project",
      "shipped shipped",
    ]);
    expect(sources.map(({ origin, trusted }) => `${origin} ${trusted}`)).toEqual([
      "admin true",
      "admin true",
      "user true",
      "project false",
      "project false",
      "shipped true",
    ]);
    expect(rules.routes?.[3]?.source).toEqual({
      file: join(world.project, "toolgate.yaml"),
      line: 2,
      column: 3,
    });
  });

  it("takes from an untrusted project file only what narrows, and says what it left", async () => {
    const world = createWorld();
    world.write("toolgate.yaml", everything);
    const { rules, settings, ignored, problems } = await load(world);
    expect(problems).toEqual([]);
    expect(rules.routes?.map(({ name }) => name)).toEqual(["blocks"]);
    expect(rules.policies?.map(({ name }) => name)).toEqual(["denies"]);
    expect(rules.limits?.map(({ name }) => name)).toEqual(["slow"]);
    expect(settings).toEqual({ checkDefault: "ask" });
    expect(ignored.map(({ what, why, line }) => `${line ?? "-"} ${what}: ${why.split(":")[0]}`)).toEqual([
      '4 route "lets-pass": it lets calls pass',
      '5 route "rewrites": it changes calls',
      '6 route "looks-ahead": its pattern is only taken from trusted files',
      '8 policy "approves": it approves calls',
      '10 policy "looks-behind": its pattern is only taken from trusted files',
      "- tools: it would switch tools on",
    ]);
  });

  it.each(["(?i)(?=(a+)+$)a", "(?=(a+)+$)a(?P<n>)", "(?P<n>a)\\k<n>", "(?i)a(?!b)"])(
    "does not take %s from an untrusted file, however it is spelt",
    async (pattern) => {
      const world = createWorld();
      world.write("toolgate.yaml", `routes:\n  r: { tool: Bash, pattern: '${pattern}', message: m }\n`);
      const { rules, ignored } = await load(world);
      expect(rules.routes).toEqual([]);
      expect(ignored[0]?.why).toContain("only taken from trusted files");
    },
  );

  it("treats a link that leads nowhere as rules that cannot be read", async () => {
    const world = createWorld();
    symlinkSync(join(world.home, "nowhere.yaml"), join(world.project, "toolgate.yaml"));
    expect((await load(world)).problems.map(({ message }) => message)).toEqual([
      "It is a link that leads nowhere.",
    ]);
  });

  it("takes everything from a trusted project file, until one byte of it changes", async () => {
    const world = createWorld();
    const path = world.write("toolgate.yaml", everything);
    trust(world, path, everything);
    const { rules, settings, ignored } = await load(world);
    expect(ignored).toEqual([]);
    expect(rules.routes).toHaveLength(4);
    expect(rules.policies).toHaveLength(3);
    expect(settings).toEqual({ checkDefault: "ask", enableAll: true });
    world.write("toolgate.yaml", `${everything} `);
    expect((await load(world)).rules.routes).toHaveLength(1);
  });

  it("lets the strictest file decide what silence means, whoever wrote it", async () => {
    const world = createWorld();
    world.write(join(world.folders.admin, "a.yaml"), "hooks: { default: ask }\n");
    world.write(join(world.folders.config, "config.yaml"), "hooks: { default: abstain }\n");
    expect((await load(world)).settings.checkDefault).toBe("ask");
    world.write("toolgate.yaml", "hooks: { default: deny }\n");
    expect((await load(world)).settings.checkDefault).toBe("deny");
  });

  it("lets the strictest file decide for which shell lines are read, and an untrusted one only narrow it", async () => {
    const world = createWorld();
    expect((await load(world)).settings.shellDialect).toBeUndefined();
    world.write("toolgate.yaml", "shell: { dialect: bash }\n");
    expect(await load(world)).toMatchObject({
      settings: { checkDefault: "abstain" },
      ignored: [{ what: "shell.dialect" }],
    });
    expect((await load(world)).settings.shellDialect).toBeUndefined();
    world.write("toolgate.yaml", "shell: { dialect: auto }\n");
    expect((await load(world)).ignored).toMatchObject([{ what: "shell.dialect" }]);
    world.write(join(world.folders.config, "config.yaml"), "shell: { dialect: bash }\n");
    expect((await load(world)).settings.shellDialect).toBe("bash");
    world.write("toolgate.yaml", "shell: { dialect: zsh }\n");
    expect(await load(world)).toMatchObject({ settings: { shellDialect: "zsh" }, ignored: [] });
  });

  it("lets the most trusted file decide which tools are on", async () => {
    const world = createWorld();
    world.write(join(world.folders.config, "config.yaml"), "tools: { enabled_categories: [shell] }\n");
    const text = "tools: { enabled_categories: [web] }\n";
    trust(world, world.write("toolgate.yaml", text), text);
    expect((await load(world)).settings.enabledCategories).toEqual(["shell"]);
    world.write(join(world.folders.admin, "a.yaml"), "tools: { enabled_categories: [git] }\n");
    expect((await load(world)).settings.enabledCategories).toEqual(["git"]);
  });

  it("takes what MCP clients are shown key by key from the most trusted file, and from no untrusted one", async () => {
    const world = createWorld();
    const text = "mcp: {tools: all, token_budget: 500}\n";
    const file = world.write("toolgate.yaml", text);
    expect((await load(world)).settings.mcp).toBeUndefined();
    expect((await load(world)).ignored.map(({ what }) => what)).toEqual(["mcp"]);
    trust(world, file, text);
    world.write(join(world.folders.config, "config.yaml"), "mcp: {tools: search}\n");
    world.write(join(world.folders.admin, "a.yaml"), "mcp: {approve_by_elicitation: false}\n");
    expect((await load(world)).settings.mcp).toEqual({
      tools: "search",
      tokenBudget: 500,
      approveByElicitation: false,
    });
  });

  it("takes from no project who is told about questions, and from the administrator before the user", async () => {
    const world = createWorld();
    const project = join(world.project, "toolgate.yaml");
    world.write(project, "notify: {command: [/bin/evil]}\n");
    const { settings, notes } = await load(world);
    expect(settings.notify).toBeUndefined();
    expect(notes).toEqual([expect.stringContaining('"notify" is ignored')]);
    world.write(join(world.folders.config, "config.yaml"), "notify: {webhook: 'https://u.example/x'}\n");
    expect((await load(world)).settings.notify).toEqual({ webhook: "https://u.example/x" });
    world.write(join(world.folders.admin, "a.yaml"), "notify: {webhook: 'https://a.example/x'}\n");
    expect((await load(world)).settings.notify).toEqual({ webhook: "https://a.example/x" });
  });

  it("takes from no project with whom people sign in, also when it is trusted", async () => {
    const world = createWorld();
    const text =
      "server: {oauth: {issuer: 'https://evil.example', audience: x, console: {client_id: c, rights: {all: [admin]}}}}\n";
    const file = world.write(join(world.project, "toolgate.yaml"), text);
    expect((await load(world)).settings.server).toBeUndefined();
    trust(world, file, text);
    const { settings, notes } = await load(world);
    expect(settings.server).toBeUndefined();
    expect(notes).toEqual([expect.stringContaining('"server" is ignored')]);
  });

  it("reads a key under its old name, and says what it is called now", async () => {
    const world = createWorld();
    const oauth = "issuer: 'https://i.example', audience: 'https://g.example', jwks_file: /k.json";
    const file = join(world.folders.config, "config.yaml");
    world.write(file, `server: {oauth: {${oauth}, principal_claim: email}}\n`);
    const { settings, notes, problems } = await load(world);
    expect(problems).toEqual([]);
    expect(notes).toEqual([`${file}: server.oauth.principal_claim is called caller_claim now; rename it.`]);
    expect(chooseServer({}, settings.server).oauth?.callerClaim).toBe("email");
    world.write(file, `server: {oauth: {${oauth}, caller_claim: name}}\n`);
    const renamed = await load(world);
    expect(renamed.notes).toEqual([]);
    expect(chooseServer({}, renamed.settings.server).oauth?.callerClaim).toBe("name");
  });

  it("lets the most trusted file decide each category's ceiling and who searches, and no untrusted one", async () => {
    const world = createWorld();
    const text =
      "tools: {ceilings: {code: execute, git: write}}\nweb: {search: {url: 'https://p.example/'}}\n";
    const file = world.write("toolgate.yaml", text);
    const { settings, ignored } = await load(world);
    expect([settings.ceilings, settings.webSearch]).toEqual([undefined, undefined]);
    expect(ignored.map(({ what, why }) => `${what}: ${why}`)).toEqual([
      "tools: it would switch tools on",
      "web: it would choose who is asked, and what of this network is reached",
    ]);
    trust(world, file, text);
    expect((await load(world)).settings).toMatchObject({
      ceilings: { code: "execute", git: "write" },
      webSearch: { url: "https://p.example/", format: "searxng" },
    });
    world.write(
      join(world.folders.config, "config.yaml"),
      "tools: {ceilings: {code: read}}\nweb: {search: {url: 'https://u.example/'}}\n",
    );
    expect((await load(world)).settings).toMatchObject({
      ceilings: { code: "read", git: "write" },
      webSearch: { url: "https://u.example/" },
    });
  });

  it("makes a shipped route step aside for one of the same name or pattern, and says so", async () => {
    const world = createWorld();
    const user = world.write(
      join(world.folders.config, "config.yaml"),
      "routes:\n  one: { tool: WebFetch, pattern: x, message: m }\n  other: { tool: Bash, pattern: 'forbidden-two', message: m }\n",
    );
    const { rules, steppedAside, problems } = await load(world, twoRoutes);
    expect(problems).toEqual([]);
    expect(steppedAside).toEqual([
      { name: "one", for: user, why: "replaced" },
      { name: "two", for: user, why: "replaced" },
    ]);
    expect(rules.routes?.map(({ name }) => name)).toEqual(["one", "other"]);
  });

  it("does not let an untrusted file switch a shipped route off by its name", async () => {
    const world = createWorld();
    world.write("toolgate.yaml", "routes:\n  one: { tool: WebFetch, pattern: never-matches, message: m }\n");
    const { rules, steppedAside, ignored } = await load(world, oneRoute("one"));
    expect(steppedAside).toEqual([]);
    expect(rules.routes?.map(({ name, tier }) => `${name} ${tier}`)).toEqual(["one shipped"]);
    expect(ignored[0]?.why).toContain("shipped route");
  });

  it.each(["off", "false"])(
    "switches all shipped routes off where the user says shipped: %s",
    async (off) => {
      const world = createWorld();
      const user = world.write(
        join(world.folders.config, "config.yaml"),
        `shipped: ${off}\n${oneRoute("mine")}`,
      );
      const { rules, steppedAside, notes } = await load(world, oneRoute("one"));
      expect(rules.routes?.map(({ name }) => name)).toEqual(["mine"]);
      expect(steppedAside).toEqual([{ name: "one", for: user, why: "off" }]);
      expect(notes).toEqual([]);
    },
  );

  it("switches off those shipped routes that a file names, and tells names that are none", async () => {
    const world = createWorld();
    const user = world.write(join(world.folders.config, "config.yaml"), "shipped: [one, twoo]\n");
    const { rules, steppedAside, notes, problems } = await load(world, twoRoutes);
    expect(problems).toEqual([]);
    expect(rules.routes?.map(({ name }) => name)).toEqual(["two"]);
    expect(steppedAside).toEqual([{ name: "one", for: user, why: "off" }]);
    expect(notes).toEqual([`${user}: shipped: there is no shipped route "twoo". Did you mean two?`]);
  });

  it("keeps shipped routes where a file says shipped: on, and another one cannot take a switch back", async () => {
    const world = createWorld();
    world.write(join(world.folders.config, "config.yaml"), "shipped: on\n");
    expect((await load(world, twoRoutes)).steppedAside).toEqual([]);
    const admin = world.write(join(world.folders.admin, "a.yaml"), "shipped: [two]\n");
    expect((await load(world, twoRoutes)).steppedAside).toEqual([{ name: "two", for: admin, why: "off" }]);
  });

  it("takes shipped: off of a project's file only if the user trusts it", async () => {
    const world = createWorld();
    const text = "shipped: off\n";
    const file = world.write("toolgate.yaml", text);
    const { rules, steppedAside, ignored } = await load(world, oneRoute("one"));
    expect([rules.routes?.length, steppedAside]).toEqual([1, []]);
    expect(ignored).toEqual([{ file, what: "shipped", why: "it would switch shipped routes off" }]);
    trust(world, file, text);
    const trusted = await load(world, oneRoute("one"));
    expect([trusted.rules.routes, trusted.ignored]).toEqual([[], []]);
  });

  it("collects the problems of all files and leaves the other files' rules out of none of them", async () => {
    const world = createWorld();
    world.write(join(world.folders.config, "config.yaml"), "routes: 3\n");
    world.write("toolgate.yaml", "rutes: {}\n");
    mkdirSync(join(world.project, ".claude/tool-routes.yaml"), { recursive: true });
    const { problems } = await load(world);
    expect(problems.map(({ file, line }) => `${file.slice(world.home.length)}:${line ?? "-"}`)).toEqual([
      "/.config/toolgate/config.yaml:1",
      "/work/project/toolgate.yaml:1",
      "/work/project/.claude/tool-routes.yaml:-",
    ]);
  });

  it("names every file it looked for as an input, the trust list too", async () => {
    const world = createWorld();
    const { inputs } = await load(world);
    expect(inputs).toContain(join(world.folders.config, "config.yaml"));
    expect(inputs).toContain(join(world.project, "toolgate.yaml"));
    expect(inputs).toContain(trustFile(world.folders.state));
  });

  it("says that the trust list is broken, and trusts nothing", async () => {
    const world = createWorld();
    world.write(trustFile(world.folders.state), "broken");
    world.write("toolgate.yaml", everything);
    const { notes, rules } = await load(world);
    expect(notes.join()).toContain("no project file is trusted");
    expect(rules.policies).toHaveLength(1);
  });

  it("treats an administrator's folder that is no folder as a problem", async () => {
    const world = createWorld();
    world.write(world.folders.admin, "a file where the folder should be");
    expect((await load(world)).problems).toHaveLength(1);
  });
});
