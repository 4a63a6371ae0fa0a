import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { trustFile } from "../../../src/config/trust/trust.ts";
import { chooseServer } from "../../../src/surfaces/serve/server-settings.ts";
import { createWorld, names, oneRoute } from "./world.ts";

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
    world.admin(oneRoute("admin-b"), "b.yaml");
    world.admin(oneRoute("admin-a"), "a.yml");
    world.admin("not read", "notes.txt");
    world.user(oneRoute("user"));
    world.write(".claude/tool-routes.yaml", oneRoute("claude"));
    world.write("toolgate.yaml", oneRoute("project"));
    const { rules, problems, sources } = await world.load(oneRoute("shipped"));
    expect(problems).toEqual([]);
    const found = sources.map(({ origin, trusted }, at) => {
      const { name, tier } = rules.routes?.[at] ?? {};
      return [name, tier, origin, trusted];
    });
    expect(found).toEqual([
      ["admin-a", "admin", "admin", true],
      ["admin-b", "admin", "admin", true],
      ["user", "user", "user", true],
      ["project", "project", "project", false],
      ["claude", "project", "project", false],
      ["shipped", "shipped", "shipped", true],
    ]);
    expect(rules.routes).toHaveLength(6);
    const file = join(world.project, "toolgate.yaml");
    expect(rules.routes?.[3]?.source).toEqual({ file, line: 2, column: 3 });
  });

  it("takes from an untrusted project file only what narrows, and says what it left", async () => {
    const world = createWorld({ project: everything });
    const { rules, settings, ignored, problems } = await world.load();
    expect(problems).toEqual([]);
    expect(names(rules.routes)).toEqual(["blocks"]);
    expect(names(rules.policies)).toEqual(["denies"]);
    expect(names(rules.limits)).toEqual(["slow"]);
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
      const world = createWorld({
        project: `routes:\n  r: { tool: Bash, pattern: '${pattern}', message: m }\n`,
      });
      const { rules, ignored } = await world.load();
      expect(rules.routes).toEqual([]);
      expect(ignored[0]?.why).toContain("only taken from trusted files");
    },
  );

  it("treats a link that leads nowhere as rules that cannot be read", async () => {
    const world = createWorld();
    symlinkSync(join(world.home, "nowhere.yaml"), join(world.project, "toolgate.yaml"));
    const { problems } = await world.load();
    expect(problems).toMatchObject([{ message: "It is a link that leads nowhere." }]);
  });

  it("takes everything from a trusted project file, until one byte of it changes", async () => {
    const world = createWorld();
    world.trust(world.write("toolgate.yaml", everything));
    const { rules, settings, ignored } = await world.load();
    expect(ignored).toEqual([]);
    expect(rules.routes).toHaveLength(4);
    expect(rules.policies).toHaveLength(3);
    expect(settings).toEqual({ checkDefault: "ask", enableAll: true });
    world.write("toolgate.yaml", `${everything} `);
    expect((await world.load()).rules.routes).toHaveLength(1);
  });

  it("lets the strictest file decide what silence means, whoever wrote it", async () => {
    const world = createWorld({ admin: "hooks: { default: ask }\n", user: "hooks: { default: abstain }\n" });
    expect((await world.load()).settings.checkDefault).toBe("ask");
    world.write("toolgate.yaml", "hooks: { default: deny }\n");
    expect((await world.load()).settings.checkDefault).toBe("deny");
  });

  it("lets the strictest file decide for which shell lines are read, and an untrusted one only narrow it", async () => {
    const world = createWorld();
    expect((await world.load()).settings).toEqual({ checkDefault: "abstain" });
    for (const dialect of ["bash", "auto"]) {
      world.write("toolgate.yaml", `shell: { dialect: ${dialect} }\n`);
      const { settings, ignored } = await world.load();
      expect(settings).toEqual({ checkDefault: "abstain" });
      expect(ignored).toMatchObject([{ what: "shell.dialect" }]);
    }
    world.user("shell: { dialect: bash }\n");
    expect((await world.load()).settings.shellDialect).toBe("bash");
    world.write("toolgate.yaml", "shell: { dialect: zsh }\n");
    expect(await world.load()).toMatchObject({ settings: { shellDialect: "zsh" }, ignored: [] });
  });

  it("lets the most trusted file decide which tools are on", async () => {
    const world = createWorld({ user: "tools: { enabled_categories: [shell] }\n" });
    world.trust(world.write("toolgate.yaml", "tools: { enabled_categories: [web] }\n"));
    expect((await world.load()).settings.enabledCategories).toEqual(["shell"]);
    world.admin("tools: { enabled_categories: [git] }\n");
    expect((await world.load()).settings.enabledCategories).toEqual(["git"]);
  });

  it("takes what MCP clients are shown key by key from the most trusted file, and from no untrusted one", async () => {
    const world = createWorld();
    const file = world.write("toolgate.yaml", "mcp: {tools: all, token_budget: 500}\n");
    const { settings, ignored } = await world.load();
    expect([settings.mcp, ignored.map(({ what }) => what)]).toEqual([undefined, ["mcp"]]);
    world.trust(file);
    world.user("mcp: {tools: search}\n");
    world.admin("mcp: {approve_by_elicitation: false}\n");
    expect((await world.load()).settings.mcp).toEqual({
      tools: "search",
      tokenBudget: 500,
      approveByElicitation: false,
    });
  });

  it("takes from no project who is told about questions, and from the administrator before the user", async () => {
    const world = createWorld({ project: "notify: {command: [/bin/evil]}\n" });
    const { settings, notes } = await world.load();
    expect(settings.notify).toBeUndefined();
    expect(notes).toEqual([expect.stringContaining('"notify" is ignored')]);
    world.user("notify: {webhook: 'https://u.example/x'}\n");
    expect((await world.load()).settings.notify).toEqual({ webhook: "https://u.example/x" });
    world.admin("notify: {webhook: 'https://a.example/x'}\n");
    expect((await world.load()).settings.notify).toEqual({ webhook: "https://a.example/x" });
  });

  it("takes from no project with whom people sign in, also when it is trusted", async () => {
    const world = createWorld();
    const console = "{client_id: c, rights: {all: [admin]}}";
    const oauth = `{issuer: 'https://evil.example', audience: x, console: ${console}}`;
    const file = world.write("toolgate.yaml", `server: {oauth: ${oauth}}\n`);
    expect((await world.load()).settings.server).toBeUndefined();
    world.trust(file);
    const { settings, notes } = await world.load();
    expect(settings.server).toBeUndefined();
    expect(notes).toEqual([expect.stringContaining('"server" is ignored')]);
  });

  it("reads a key under its old name, and says what it is called now", async () => {
    const world = createWorld();
    const oauth = "issuer: 'https://i.example', audience: 'https://g.example', jwks_file: /k.json";
    const file = world.user(`server: {oauth: {${oauth}, principal_claim: email}}\n`);
    const { settings, notes, problems } = await world.load();
    expect(problems).toEqual([]);
    expect(notes).toEqual([`${file}: server.oauth.principal_claim is called caller_claim now; rename it.`]);
    expect(chooseServer({}, settings.server).oauth?.callerClaim).toBe("email");
    world.user(`server: {oauth: {${oauth}, caller_claim: name}}\n`);
    const renamed = await world.load();
    expect(renamed.notes).toEqual([]);
    expect(chooseServer({}, renamed.settings.server).oauth?.callerClaim).toBe("name");
  });

  it("lets the most trusted file decide each category's ceiling and who searches, and no untrusted one", async () => {
    const world = createWorld();
    const search = (host: string) => `web: {search: {url: 'https://${host}.example/'}}\n`;
    const file = world.write(
      "toolgate.yaml",
      `tools: {ceilings: {code: execute, git: write}}\n${search("p")}`,
    );
    const { settings, ignored } = await world.load();
    expect([settings.ceilings, settings.webSearch]).toEqual([undefined, undefined]);
    expect(ignored.map(({ what, why }) => `${what}: ${why}`)).toEqual([
      "tools: it would switch tools on",
      "web: it would choose who is asked, and what of this network is reached",
    ]);
    world.trust(file);
    expect((await world.load()).settings).toMatchObject({
      ceilings: { code: "execute", git: "write" },
      webSearch: { url: "https://p.example/", format: "searxng" },
    });
    world.user(`tools: {ceilings: {code: read}}\n${search("u")}`);
    expect((await world.load()).settings).toMatchObject({
      ceilings: { code: "read", git: "write" },
      webSearch: { url: "https://u.example/" },
    });
  });

  it("makes a shipped route step aside for one of the same name or pattern, and says so", async () => {
    const world = createWorld();
    const user = world.user(
      "routes:\n  one: { tool: WebFetch, pattern: x, message: m }\n  other: { tool: Bash, pattern: 'forbidden-two', message: m }\n",
    );
    const { rules, steppedAside, problems } = await world.load(twoRoutes);
    expect(problems).toEqual([]);
    expect(steppedAside).toEqual([
      { name: "one", for: user, why: "replaced" },
      { name: "two", for: user, why: "replaced" },
    ]);
    expect(names(rules.routes)).toEqual(["one", "other"]);
  });

  it("does not let an untrusted file switch a shipped route off by its name", async () => {
    const world = createWorld({
      project: "routes:\n  one: { tool: WebFetch, pattern: never-matches, message: m }\n",
    });
    const { rules, steppedAside, ignored } = await world.load(oneRoute("one"));
    expect(steppedAside).toEqual([]);
    expect(rules.routes?.map(({ name, tier }) => `${name} ${tier}`)).toEqual(["one shipped"]);
    expect(ignored[0]?.why).toContain("shipped route");
  });

  it.each(["off", "false"])(
    "switches all shipped routes off where the user says shipped: %s",
    async (off) => {
      const world = createWorld();
      const user = world.user(`shipped: ${off}\n${oneRoute("mine")}`);
      const { rules, steppedAside, notes } = await world.load(oneRoute("one"));
      expect(names(rules.routes)).toEqual(["mine"]);
      expect(steppedAside).toEqual([{ name: "one", for: user, why: "off" }]);
      expect(notes).toEqual([]);
    },
  );

  it("switches off those shipped routes that a file names, and tells names that are none", async () => {
    const world = createWorld();
    const user = world.user("shipped: [one, twoo]\n");
    const { rules, steppedAside, notes, problems } = await world.load(twoRoutes);
    expect(problems).toEqual([]);
    expect(names(rules.routes)).toEqual(["two"]);
    expect(steppedAside).toEqual([{ name: "one", for: user, why: "off" }]);
    expect(notes).toEqual([`${user}: shipped: there is no shipped route "twoo". Did you mean two?`]);
  });

  it("keeps shipped routes where a file says shipped: on, and another one cannot take a switch back", async () => {
    const world = createWorld();
    world.user("shipped: on\n");
    expect((await world.load(twoRoutes)).steppedAside).toEqual([]);
    const admin = world.admin("shipped: [two]\n");
    expect((await world.load(twoRoutes)).steppedAside).toEqual([{ name: "two", for: admin, why: "off" }]);
  });

  it("takes shipped: off of a project's file only if the user trusts it", async () => {
    const world = createWorld();
    const file = world.write("toolgate.yaml", "shipped: off\n");
    const { rules, steppedAside, ignored } = await world.load(oneRoute("one"));
    expect([rules.routes?.length, steppedAside]).toEqual([1, []]);
    expect(ignored).toEqual([{ file, what: "shipped", why: "it would switch shipped routes off" }]);
    world.trust(file);
    const trusted = await world.load(oneRoute("one"));
    expect([trusted.rules.routes, trusted.ignored]).toEqual([[], []]);
  });

  it("collects the problems of all files and leaves the other files' rules out of none of them", async () => {
    const world = createWorld({ user: "routes: 3\n", project: "rutes: {}\n" });
    mkdirSync(join(world.project, ".claude/tool-routes.yaml"), { recursive: true });
    const { problems } = await world.load();
    expect(problems.map(({ file, line }) => `${file.slice(world.home.length)}:${line ?? "-"}`)).toEqual([
      "/.config/toolgate/config.yaml:1",
      "/work/project/toolgate.yaml:1",
      "/work/project/.claude/tool-routes.yaml:-",
    ]);
  });

  it("names every file it looked for as an input, the trust list too", async () => {
    const world = createWorld();
    const { inputs } = await world.load();
    const files = [join(world.folders.config, "config.yaml"), join(world.project, "toolgate.yaml")];
    expect(inputs).toEqual(expect.arrayContaining([...files, trustFile(world.folders.state)]));
  });

  it("says that the trust list is broken, and trusts nothing", async () => {
    const world = createWorld({ project: everything });
    world.write(trustFile(world.folders.state), "broken");
    const { notes, rules } = await world.load();
    expect(notes.join()).toContain("no project file is trusted");
    expect(rules.policies).toHaveLength(1);
  });

  it("treats an administrator's folder that is no folder as a problem", async () => {
    const world = createWorld();
    world.write(world.folders.admin, "a file where the folder should be");
    expect((await world.load()).problems).toHaveLength(1);
  });
});
