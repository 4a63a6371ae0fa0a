import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { starterFile } from "../../../../src/config/file/starter-file.ts";
import { openConfig } from "../../../../src/open/open-config.ts";
import { runRuleTests } from "../../../../src/replay/run-rule-tests.ts";
import { type InitOptions, runInit } from "../../../../src/surfaces/cli/commands/init/init.ts";
import type { CliIo } from "../../../../src/surfaces/cli/terminal/io.ts";
import { expectEnd, refuses, says } from "./expect-end.ts";
import { settings, useInstallWorld } from "./install-world.ts";

const world = useInstallWorld();
const rulesFile = "project/toolgate.yaml";
const userFile = "home/.config/toolgate/config.yaml";
const routesFile = "project/.claude/tool-routes.yaml";
const oldFile = "project/tool-routes.json";

function init(options: InitOptions = {}, io: Partial<CliIo> = {}) {
  const bundle = world.write("toolgate/dist/hook/hook.cjs", "");
  return world.run((own) => runInit({ bundle, ...options }, own), io);
}

const opened = (cwd = world.project) => openConfig({ cwd, env: { HOME: world.home } });

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
  it("writes rules for one project that can be used beside those for all", async () => {
    await says(init({ user: true }));
    await expectEnd(init(), { err: "" });
    const { problems, sources } = await opened();
    expect(problems).toEqual([]);
    const written = sources.filter(({ origin }) => origin !== "shipped");
    const { files, passed } = await runRuleTests(written);
    expect(files.flatMap(({ tests }) => tests.filter(({ ok }) => !ok))).toEqual([]);
    expect(passed).toBe(30);
  });

  it("says so when another file has a rule of the same name", async () => {
    const text = "policies: { project-no-force-push: { tools: Bash, action: ask } }\n";
    world.write(userFile, text);
    await expectEnd(init(), {
      err: /^note: The rules cannot be used yet: .*"project-no-force-push": the name is also used/,
    });
  });

  it("writes a file that can be used, trusts it, and says what next", async () => {
    await expectEnd(init(), {
      out: ["Wrote toolgate.yaml and trusted it", "toolgate test", "toolgate install claude-code"],
      err: "",
    });
    const { sources, problems } = await opened();
    expect(problems).toEqual([]);
    const sha256 = createHash("sha256").update(world.text(rulesFile)).digest("hex");
    const written = { file: world.path(rulesFile), trusted: true, sha256 };
    expect(sources).toContainEqual(expect.objectContaining(written));
    expect(world.exists("home/.claude")).toBe(false);
  });

  it("lists the routes that come with toolgate, with what they refuse and how to switch them off", async () => {
    const { out } = await says(
      init({ install: "claude-code" }),
      /^ {2}github-pr +pull request pages on GitHub: use gh pr view$/m,
      /^ {2}bash-echo-redirect +files written by echo/m,
      "shipped: off",
    );
    // Once, although the hooks were installed on the way.
    expect(out.split("github-pr  ")).toHaveLength(2);
    rmSync(world.path(rulesFile));
    expect(JSON.parse((await init({ json: true })).out).shipped[0].name).toBe("github-pr");
  });

  it("lists no shipped routes where the user has switched them off", async () => {
    world.write(userFile, "shipped: off\n");
    expect((await init()).out).not.toContain("github-pr");
  });

  it("writes rules for all projects of the user, which hold at once in every folder", async () => {
    const file = world.path(userFile);
    await expectEnd(init({ user: true }), { out: `Wrote ${file}`, err: "", never: "toolgate trust" });
    expect(world.exists(rulesFile)).toBe(false);
    expect(world.text(userFile)).toContain("# What AI agents may do in all your projects");
    const { problems, sources } = await opened(world.home);
    expect(problems).toEqual([]);
    expect(sources).toContainEqual(expect.objectContaining({ file, origin: "user" }));
    await refuses(init({ user: true }), "toolgate init --user --force");
  });

  it("keeps the user's file unless --force replaces it, and lets no agent do that", async () => {
    world.write(userFile, "policies: {}\n");
    expect((await init({ user: true, force: true }, world.env({ CLAUDECODE: "1" }))).err).toContain(
      "a person's decision",
    );
    expect(world.text(userFile)).toBe("policies: {}\n");
    await says(init({ user: true, force: true }));
    expect(world.text(userFile)).toContain("policies:\n");
  });

  it.for(["toolgate.yaml", "toolgate.yml"])("never overwrites a file that is there: %s", async (name) => {
    world.write(`project/${name}`, "routes: {}\n");
    await refuses(init({ yes: true, install: "claude-code" }), `There is a ${name} already`);
    expect(world.text(`project/${name}`)).toBe("routes: {}\n");
    expect(world.exists("home/.claude")).toBe(false);
  });

  it("does not write through a link that leads nowhere yet", async () => {
    symlinkSync(world.path("home/.bashrc"), world.path(rulesFile));
    await refuses(init(), "not written");
    expect(world.exists("home/.bashrc")).toBe(false);
  });

  it("replaces the file with --force, and leaves nothing behind", async () => {
    world.write(rulesFile, "routes: {}\n");
    await says(init({ force: true }));
    expect(world.text(rulesFile)).toContain("version: 1");
    expect(readdirSync(world.project)).toEqual([".git", "toolgate.yaml"]);
  });

  it("is refused in the home folder", async () => {
    await refuses(init({}, { cwd: world.home }), "no project");
    expect(readdirSync(world.home)).toEqual([]);
  });

  it("says for which sessions it holds, in a folder of a larger repository", async () => {
    const cwd = world.path("project/packages/app");
    mkdirSync(cwd, { recursive: true });
    await expectEnd(init({}, { cwd }), { err: `not for those in ${world.project}` });
    expect(world.exists("project/packages/app/toolgate.yaml")).toBe(true);
  });

  it("also installs the hooks when that is asked for", async () => {
    await expectEnd(init({ install: "claude-code" }), { never: "toolgate install claude-code" });
    expect(world.line()).toContain("hook.cjs claude-code ");
  });

  it("refuses an agent that it does not know before it writes anything", async () => {
    await refuses(
      init({ install: "claud-code" }),
      /^Unknown agent "claud-code". Did you mean claude-code\? Known agents: claude-code\b/,
    );
    expect(world.exists(rulesFile)).toBe(false);
  });

  it("fails, but keeps the rules, when the hooks cannot be installed", async () => {
    world.write(settings, "{ broken");
    await expectEnd(init({ install: "claude-code" }), {
      code: 1,
      out: "toolgate install claude-code",
      err: "not valid JSON",
    });
    expect(world.exists(rulesFile)).toBe(true);
  });

  it.for(["tool-routes.json", ".claude/tool-routes.json"])(
    "says how to take over an old %s",
    async (name) => {
      world.write(`project/${name}`, oldRoutes);
      await says(init(), `toolgate convert ${name} --out .claude/tool-routes.yaml`);
      expect(world.exists(routesFile)).toBe(false);
    },
  );

  it("takes old routes over with --yes", async () => {
    world.write(oldFile, oldRoutes);
    await expectEnd(init({ yes: true }), { never: "convert" });
    const { rules, problems } = await opened();
    expect(problems).toEqual([]);
    expect(rules.routes?.map(({ name }) => name)).toContain("use-gh");
  });

  it("trusts what it made of old routes and fixtures, after it has shown them, with --yes", async () => {
    world.write(oldFile, widening);
    const tool_call = { tool_name: "Bash", tool_input: { command: "curl x" } };
    world.write("project/fixtures/bash/curl.json", { name: "a short log", tool_call, expected_exit: 2 });
    const { out } = await says(
      init({ yes: true }),
      "Wrote .claude/tool-routes.yaml from tool-routes.json: 3 routes, 1 test.\n",
      "  quiet: allow Bash where --quiet\n",
    );
    expect(out.indexOf("where --quiet")).toBeLessThan(out.indexOf("Trusted .claude/tool-routes.yaml"));
    const { rules, ignored } = await opened();
    expect(ignored).toEqual([]);
    const names = rules.routes?.flatMap(({ name, tier }) => (tier === "project" ? [name] : []));
    expect(names).toEqual(expect.arrayContaining(["quiet", "no-curl", "short-log"]));
    expect(rules.routes?.find(({ name }) => name === "no-curl")?.tests).toHaveLength(1);
  });

  it("does not trust what became of the file since", async () => {
    world.write(oldFile, widening);
    await init({ yes: true });
    world.write(routesFile, `${world.text(routesFile)}# and more\n`);
    expect((await opened()).ignored.map(({ what }) => what)).toContain('route "quiet"');
  });

  it("does not trust what another program wrote there", async () => {
    world.write(oldFile, oldRoutes);
    world.write(routesFile, "routes: { mine: { tool: Bash, pattern: x, action: allow } }\n");
    const err = ".claude/tool-routes.yaml was not written";
    await expectEnd(init({ yes: true }), { err, never: "Trusted .claude" });
    expect((await opened()).ignored.map(({ what }) => what)).toEqual(['route "mine"']);
  });

  it("takes old routes over for an agent, but leaves the trust to a person", async () => {
    world.write(oldFile, widening);
    const ran = init({ yes: true, json: true }, world.env({ CLAUDECODE: "1" }));
    const done = JSON.parse((await expectEnd(ran, { code: 1, err: "" })).out);
    expect(done.routes).toEqual({ file: world.path(routesFile), trusted: false });
    expect(done.notes.join()).toContain("a person's decision");
    expect(done.next).toContainEqual(
      expect.objectContaining({ command: "toolgate trust .claude/tool-routes.yaml" }),
    );
  });

  it("says so if an old route is in the way of a new one", async () => {
    const { routes } = JSON.parse(oldRoutes);
    const starter = /^ {2}([\w-]+):\n {4}tool: /m.exec(starterFile())?.[1] ?? "";
    const twice = starter === "" ? {} : { [starter]: { tool: "Bash", pattern: "x", message: "m" } };
    world.write(oldFile, JSON.stringify({ routes: { ...routes, ...twice } }));
    const { err } = await init({ yes: true });
    if (starter === "") expect(err).toBe("");
    else expect(err).toContain("The rules cannot be used yet");
  });

  it("installs nothing after Ctrl-C at a question", async () => {
    const signal = AbortSignal.abort();
    const asked = init({}, { isTerminal: true, stdinIsTerminal: true, signal });
    await expect(asked).rejects.toThrow("Interrupted");
    expect(world.exists("home/.claude")).toBe(false);
  });

  it("does not lose a trust list that it cannot read", async () => {
    const list = "home/.local/state/toolgate/trust.json";
    chmodSync(world.write(list, "{ broken"), 0o600);
    await expectEnd(init(), { err: "is not trusted", never: "trusted it" });
    expect(world.text(list)).toBe("{ broken");
  });

  it("prints one JSON document with --json, for refusals too", async () => {
    world.write(oldFile, oldRoutes);
    const { out } = await expectEnd(init({ json: true, install: "claude-code", yes: true }), { err: "" });
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      file: world.path(rulesFile),
      trusted: true,
      converted: ["tool-routes.json"],
      installed: { ok: true, changed: true },
      notes: [],
      next: ["test", "doctor", "trust"].map((name) => ({ command: `toolgate ${name}` })),
    });
    const again = await expectEnd(init({ json: true }), { code: 1, err: "" });
    expect(JSON.parse(again.out)).toEqual({ ok: false, message: expect.stringContaining("already") });
  });
});
