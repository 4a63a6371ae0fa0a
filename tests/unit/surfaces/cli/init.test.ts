import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { starterFile } from "../../../../src/config/file/starter-file.ts";
import { openConfig } from "../../../../src/open/open-config.ts";
import { runRuleTests } from "../../../../src/replay/run-rule-tests.ts";
import { type InitOptions, runInit } from "../../../../src/surfaces/cli/commands/init/init.ts";
import type { CliIo } from "../../../../src/surfaces/cli/terminal/io.ts";
import { createWorld, type World } from "../../agents/claude-code/world.ts";

function init(world: World, options: InitOptions = {}, io: Partial<CliIo> = {}) {
  const bundle = world.write("toolgate/dist/hook/hook.cjs", "");
  return world.run((own) => runInit({ bundle, ...options }, own), io);
}

const oldRoutes = JSON.stringify({
  routes: {
    "use-gh": { tool: "WebFetch", pattern: "github\\.com/[^/]+/[^/]+/pull", message: "Use gh pr view." },
  },
});

const widening = JSON.stringify({
  routes: {
    quiet: { tool: "Bash", pattern: "--quiet", action: "allow" },
    "no-curl": { tool: "Bash", pattern: "^curl ", message: "Use WebFetch." },
    "short-log": {
      tool: "Bash",
      pattern: "^git log$",
      action: "rewrite",
      rewrite: { command: "git log -5" },
    },
  },
});

describe("toolgate init", () => {
  it("does not let an agent replace the rules of a person with --force", async () => {
    const world = createWorld();
    world.write("project/toolgate.yaml", "policies: {}\n");
    const env = { HOME: world.home, CLAUDECODE: "1" };
    const { code, err } = await init(world, { force: true }, { env });
    expect([code, err]).toEqual([1, expect.stringContaining("a person's decision")]);
    expect(readFileSync(world.path("project/toolgate.yaml"), "utf8")).toBe("policies: {}\n");
  });

  it("writes rules for one project that can be used beside those for all", async () => {
    const world = createWorld();
    expect((await init(world, { user: true })).code).toBe(0);
    expect(await init(world)).toMatchObject({ code: 0, err: "" });
    const { problems, sources } = await openConfig({ cwd: world.project, env: { HOME: world.home } });
    expect(problems).toEqual([]);
    const written = sources.filter(({ origin }) => origin !== "shipped");
    const { files, passed } = await runRuleTests(written);
    expect(files.flatMap(({ tests }) => tests.filter(({ ok }) => !ok))).toEqual([]);
    expect(passed).toBe(30);
  });

  it("says so when another file has a rule of the same name", async () => {
    const world = createWorld();
    const text = "policies: { project-no-force-push: { tools: Bash, action: ask } }\n";
    world.write("home/.config/toolgate/config.yaml", text);
    const { err } = await init(world);
    expect(err).toMatch(
      /^note: The rules cannot be used yet: .*"project-no-force-push": the name is also used/,
    );
  });

  it("writes a file that can be used, trusts it, and says what next", async () => {
    const world = createWorld();
    const { code, out, err } = await init(world);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("Wrote toolgate.yaml and trusted it");
    expect(out).toContain("toolgate test");
    expect(out).toContain("toolgate install claude-code");
    const { sources, problems } = await openConfig({ cwd: world.project, env: { HOME: world.home } });
    expect(problems).toEqual([]);
    const text = readFileSync(world.path("project/toolgate.yaml"), "utf8");
    expect(sources).toContainEqual(
      expect.objectContaining({
        file: world.path("project/toolgate.yaml"),
        trusted: true,
        sha256: createHash("sha256").update(text).digest("hex"),
      }),
    );
    expect(existsSync(world.path("home/.claude"))).toBe(false);
  });

  it("lists the routes that come with toolgate, with what they refuse and how to switch them off", async () => {
    const world = createWorld();
    const { out } = await init(world, { install: "claude-code" });
    expect(out).toMatch(/^ {2}github-pr +pull request pages on GitHub: use gh pr view$/m);
    expect(out).toMatch(/^ {2}bash-echo-redirect +files written by echo/m);
    expect(out).toContain("shipped: off");
    // Once, although the hooks were installed on the way.
    expect(out.split("github-pr  ")).toHaveLength(2);
    const json = await init(createWorld(), { json: true });
    expect(JSON.parse(json.out).shipped[0].name).toBe("github-pr");
  });

  it("lists no shipped routes where the user has switched them off", async () => {
    const world = createWorld();
    world.write("home/.config/toolgate/config.yaml", "shipped: off\n");
    expect((await init(world)).out).not.toContain("github-pr");
  });

  it("writes rules for all projects of the user, which hold at once in every folder", async () => {
    const world = createWorld();
    const { code, out, err } = await init(world, { user: true });
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const file = world.path("home/.config/toolgate/config.yaml");
    expect(out).toContain(`Wrote ${file}`);
    expect(out).not.toContain("toolgate trust");
    expect(existsSync(world.path("project/toolgate.yaml"))).toBe(false);
    expect(readFileSync(file, "utf8")).toContain("# What AI agents may do in all your projects");
    const opened = await openConfig({ cwd: world.path("home"), env: { HOME: world.home } });
    expect(opened.problems).toEqual([]);
    expect(opened.sources).toContainEqual(expect.objectContaining({ file, origin: "user" }));

    const again = await init(world, { user: true });
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("toolgate init --user --force")]);
  });

  it("keeps the user's file unless --force replaces it, and lets no agent do that", async () => {
    const world = createWorld();
    const file = world.write("home/.config/toolgate/config.yaml", "policies: {}\n");
    const env = { HOME: world.home, CLAUDECODE: "1" };
    expect((await init(world, { user: true, force: true }, { env })).err).toContain("a person's decision");
    expect(readFileSync(file, "utf8")).toBe("policies: {}\n");
    expect((await init(world, { user: true, force: true })).code).toBe(0);
    expect(readFileSync(file, "utf8")).toContain("policies:\n");
  });

  it("never overwrites a file, under either name", async () => {
    for (const name of ["toolgate.yaml", "toolgate.yml"]) {
      const world = createWorld();
      world.write(`project/${name}`, "routes: {}\n");
      const { code, out, err } = await init(world, { yes: true, install: "claude-code" });
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toContain(`There is a ${name} already`);
      expect(readFileSync(world.path("project", name), "utf8")).toBe("routes: {}\n");
      expect(existsSync(world.path("home/.claude"))).toBe(false);
    }
  });

  it("does not write through a link that leads nowhere yet", async () => {
    const world = createWorld();
    symlinkSync(world.path("home/.bashrc"), world.path("project/toolgate.yaml"));
    expect(await init(world)).toMatchObject({ code: 1, err: expect.stringContaining("not written") });
    expect(existsSync(world.path("home/.bashrc"))).toBe(false);
  });

  it("replaces the file with --force, and leaves nothing behind", async () => {
    const world = createWorld();
    world.write("project/toolgate.yaml", "routes: {}\n");
    expect((await init(world, { force: true })).code).toBe(0);
    expect(readFileSync(world.path("project/toolgate.yaml"), "utf8")).toContain("version: 1");
    expect(readdirSync(world.project)).toEqual([".git", "toolgate.yaml"]);
  });

  it("is refused in the home folder", async () => {
    const world = createWorld();
    expect(await init(world, {}, { cwd: world.home })).toMatchObject({
      code: 1,
      err: expect.stringContaining("no project"),
    });
    expect(readdirSync(world.home)).toEqual([]);
  });

  it("says for which sessions it holds, in a folder of a larger repository", async () => {
    const world = createWorld();
    const cwd = world.path("project/packages/app");
    mkdirSync(cwd, { recursive: true });
    const { code, err } = await init(world, {}, { cwd });
    expect(code).toBe(0);
    expect(existsSync(`${cwd}/toolgate.yaml`)).toBe(true);
    expect(err).toContain(`not for those in ${world.project}`);
  });

  it("also installs the hooks when that is asked for", async () => {
    const world = createWorld();
    const { code, out } = await init(world, { install: "claude-code" });
    expect(code).toBe(0);
    expect(readFileSync(world.path("home/.claude/settings.json"), "utf8")).toContain("hook.cjs claude-code ");
    expect(out).not.toContain("toolgate install claude-code");
  });

  it("refuses an agent that it does not know before it writes anything", async () => {
    const world = createWorld();
    expect(await init(world, { install: "claud-code" })).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^Unknown agent "claud-code". Did you mean claude-code\? Known agents: claude-code\b/,
      ),
    });
    expect(existsSync(world.path("project/toolgate.yaml"))).toBe(false);
  });

  it("fails, but keeps the rules, when the hooks cannot be installed", async () => {
    const world = createWorld();
    world.write("home/.claude/settings.json", "{ broken");
    const { code, out, err } = await init(world, { install: "claude-code" });
    expect(code).toBe(1);
    expect(err).toContain("not valid JSON");
    expect(out).toContain("toolgate install claude-code");
    expect(existsSync(world.path("project/toolgate.yaml"))).toBe(true);
  });

  it.for(["tool-routes.json", ".claude/tool-routes.json"])(
    "says how to take over an old %s",
    async (name) => {
      const world = createWorld();
      world.write(`project/${name}`, oldRoutes);
      const { out } = await init(world);
      expect(out).toContain(`toolgate convert ${name} --out .claude/tool-routes.yaml`);
      expect(existsSync(world.path("project/.claude/tool-routes.yaml"))).toBe(false);
    },
  );

  it("takes old routes over with --yes", async () => {
    const world = createWorld();
    world.write("project/tool-routes.json", oldRoutes);
    const { code, out } = await init(world, { yes: true });
    expect(code).toBe(0);
    expect(out).not.toContain("convert");
    const { rules, problems } = await openConfig({ cwd: world.project, env: { HOME: world.home } });
    expect(problems).toEqual([]);
    expect(rules.routes?.map(({ name }) => name)).toContain("use-gh");
  });

  it("trusts what it made of old routes and fixtures, after it has shown them, with --yes", async () => {
    const world = createWorld();
    world.write("project/tool-routes.json", widening);
    const fixture = {
      name: "a short log",
      tool_call: { tool_name: "Bash", tool_input: { command: "curl x" } },
      expected_exit: 2,
    };
    world.write("project/fixtures/bash/curl.json", JSON.stringify(fixture));
    const { code, out } = await init(world, { yes: true });
    expect(code).toBe(0);
    expect(out).toContain("Wrote .claude/tool-routes.yaml from tool-routes.json: 3 routes, 1 test.\n");
    expect(out).toContain("  quiet: allow Bash where --quiet\n");
    expect(out.indexOf("where --quiet")).toBeLessThan(out.indexOf("Trusted .claude/tool-routes.yaml"));
    const { rules, ignored } = await openConfig({ cwd: world.project, env: { HOME: world.home } });
    expect(ignored).toEqual([]);
    const names = rules.routes?.flatMap(({ name, tier }) => (tier === "project" ? [name] : []));
    expect(names).toEqual(expect.arrayContaining(["quiet", "no-curl", "short-log"]));
    expect(rules.routes?.find(({ name }) => name === "no-curl")?.tests).toHaveLength(1);
  });

  it("does not trust what became of the file since, nor what another program wrote there", async () => {
    const world = createWorld();
    world.write("project/tool-routes.json", widening);
    await init(world, { yes: true });
    const file = world.path("project/.claude/tool-routes.yaml");
    writeFileSync(file, `${readFileSync(file, "utf8")}# and more\n`);
    const changed = await openConfig({ cwd: world.project, env: { HOME: world.home } });
    expect(changed.ignored.map(({ what }) => what)).toContain('route "quiet"');

    const other = createWorld();
    other.write("project/tool-routes.json", oldRoutes);
    other.write(
      "project/.claude/tool-routes.yaml",
      "routes: { mine: { tool: Bash, pattern: x, action: allow } }\n",
    );
    const { out, err } = await init(other, { yes: true });
    expect(err).toContain(".claude/tool-routes.yaml was not written");
    expect(out).not.toContain("Trusted .claude");
    const { ignored } = await openConfig({ cwd: other.project, env: { HOME: other.home } });
    expect(ignored.map(({ what }) => what)).toEqual(['route "mine"']);
  });

  it("takes old routes over for an agent, but leaves the trust to a person", async () => {
    const world = createWorld();
    world.write("project/tool-routes.json", widening);
    const env = { HOME: world.home, CLAUDECODE: "1" };
    const { out, err } = await init(world, { yes: true, json: true }, { env });
    expect(err).toBe("");
    const done = JSON.parse(out);
    expect(done.routes).toEqual({ file: world.path("project/.claude/tool-routes.yaml"), trusted: false });
    expect(done.notes.join()).toContain("a person's decision");
    expect(done.next).toContainEqual(
      expect.objectContaining({ command: "toolgate trust .claude/tool-routes.yaml" }),
    );
  });

  it("says so if an old route is in the way of a new one", async () => {
    const world = createWorld();
    const { routes } = JSON.parse(oldRoutes);
    const starter = /^ {2}([\w-]+):\n {4}tool: /m.exec(starterFile())?.[1] ?? "";
    const twice = starter === "" ? {} : { [starter]: { tool: "Bash", pattern: "x", message: "m" } };
    world.write("project/tool-routes.json", JSON.stringify({ routes: { ...routes, ...twice } }));
    const { err } = await init(world, { yes: true });
    if (starter === "") expect(err).toBe("");
    else expect(err).toContain("The rules cannot be used yet");
  });

  it("installs nothing after Ctrl-C at a question", async () => {
    const world = createWorld();
    const signal = AbortSignal.abort();
    const asked = init(world, {}, { isTerminal: true, stdinIsTerminal: true, signal });
    await expect(asked).rejects.toThrow("Interrupted");
    expect(existsSync(world.path("home/.claude"))).toBe(false);
  });

  it("does not lose a trust list that it cannot read", async () => {
    const world = createWorld();
    const list = world.write("home/.local/state/toolgate/trust.json", "{ broken");
    chmodSync(list, 0o600);
    const { code, out, err } = await init(world);
    expect(code).toBe(0);
    expect(out).not.toContain("trusted it");
    expect(err).toContain("is not trusted");
    expect(readFileSync(list, "utf8")).toBe("{ broken");
  });

  it("prints one JSON document with --json, for refusals too", async () => {
    const world = createWorld();
    world.write("project/tool-routes.json", oldRoutes);
    const { out, err } = await init(world, { json: true, install: "claude-code", yes: true });
    expect(err).toBe("");
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      file: world.path("project/toolgate.yaml"),
      trusted: true,
      converted: ["tool-routes.json"],
      installed: { ok: true, changed: true },
      notes: [],
      next: ["test", "doctor", "trust"].map((name) => ({ command: `toolgate ${name}` })),
    });
    const again = await init(world, { json: true });
    expect(again).toMatchObject({ code: 1, err: "" });
    expect(JSON.parse(again.out)).toEqual({ ok: false, message: expect.stringContaining("already") });
  });
});
