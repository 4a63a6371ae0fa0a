import { chmodSync, lstatSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { agentNames } from "../../../../src/agents/all-agents.ts";
import { openTextFile, replaceText } from "../../../../src/agents/set-up/text-file.ts";
import { expectEnd, fails, refuses, says } from "./expect-end.ts";
import { localSettings, settings, useInstallWorld } from "./install-world.ts";

const world = useInstallWorld();
const { install } = world;
const projectSettings = "project/.claude/settings.json";

describe("toolgate install claude-code", () => {
  it("makes the settings when there are none, and says what it wrote and what next", async () => {
    const routes = /^ {2}github-pr +pull request pages/m;
    await expectEnd(install(), { out: ["~/.claude/settings.json", "toolgate doctor", routes], err: "" });
    const command = expect.stringMatching(
      /^\S+\/home\/\.local\/share\/toolgate\/hook\/\d[\w.-]+\/hook\.cjs claude-code [0-9a-f]{16} \|\| exit 2$/,
    );
    const manner = { timeout: 30, onFailure: "block", statusMessage: "toolgate" };
    expect(world.json().hooks.PreToolUse).toEqual([
      { matcher: "*", hooks: [{ type: "command", command, ...manner }] },
    ]);
  });

  it("keeps everything else, its order and its style", async () => {
    const before =
      '{\n\t"model": "opus",\n\t"permissions": {\n\t\t"allow": [\n\t\t\t"Bash(ls:*)"\n\t\t]\n\t}\n}';
    world.write(settings, before);
    await install();
    expect(world.text().startsWith(before.slice(0, -2))).toBe(true);
    expect(world.text().endsWith("}")).toBe(true);
  });

  it("does nothing the second time", async () => {
    await install();
    const before = world.identity();
    await says(install(), "Already installed");
    expect(world.identity()).toBe(before);
  });

  it("writes all at once, with the rights that the file had, and leaves nothing behind", async () => {
    chmodSync(world.write(settings, "{}"), 0o640);
    await install();
    expect(statSync(world.path(settings)).mode & 0o777).toBe(0o640);
    expect(world.names("home/.claude")).toEqual(["settings.json"]);
  });

  it("writes through a link to the file that it names", async () => {
    const target = world.write("dotfiles/claude.json", '{"model": "opus"}');
    mkdirSync(world.path("home/.claude"));
    symlinkSync(target, world.path(settings));
    await says(install());
    expect(lstatSync(world.path(settings)).isSymbolicLink()).toBe(true);
    expect(world.json("dotfiles/claude.json")).toMatchObject({ model: "opus", hooks: { PreToolUse: [{}] } });
  });

  it.for([
    ["text that is no JSON", '{ // mine\n "model": "opus" }', "not valid JSON"],
    ["a list", "[]", "must hold a JSON object"],
    ["null", "null", "must hold a JSON object"],
    ["hooks that are text", '{"hooks": "x"}', '"hooks" must be an object'],
    ["hooks in the old form", '{"hooks": []}', '"hooks" must be an object'],
    ["an event that is no list", '{"hooks": {"PreToolUse": {}}}', '"hooks.PreToolUse" must be a list'],
  ] as const)("refuses %s with one message and changes nothing", async ([, text, message]) => {
    world.write(settings, text);
    const { err } = await refuses(install(), message, world.path(settings));
    expect(err.trimEnd().split("\n")).toHaveLength(1);
    expect(world.text()).toBe(text);
  });

  it("takes an empty file for one without settings", async () => {
    world.write(settings, "");
    await says(install());
    expect(Object.keys(world.json())).toEqual(["hooks"]);
  });

  it("refuses a link that leads nowhere, a folder in the file's place, and a hook that is not there", async () => {
    mkdirSync(world.path("home/.claude"));
    symlinkSync(world.path("nowhere.json"), world.path(settings));
    await refuses(install(), "leads nowhere");
    rmSync(world.path(settings));
    mkdirSync(world.path(settings));
    await refuses(install(), "not a regular file");
    await refuses(install({ bundle: world.path("gone/hook.cjs") }), "npm run build");
  });

  it("says so when it cannot write", async () => {
    world.write("home/.claude", "a file, not a folder");
    await refuses(install(), "could not be written");
    expect(world.text("home/.claude")).toBe("a file, not a folder");
  });

  it("only says what it would do with --dry-run", async () => {
    await says(install({ dryRun: true }), "Would write");
    expect(world.exists("home/.claude")).toBe(false);
  });

  it("follows the client to another folder of settings", async () => {
    await install({}, world.env({ CLAUDE_CONFIG_DIR: world.path("other") }));
    expect(world.exists("other/settings.json")).toBe(true);
    expect(world.exists(settings)).toBe(false);
  });

  it("names known agents when it does not know one, and scopes likewise", async () => {
    const known = `Known agents: ${agentNames.join(", ")}.\n`;
    const { err } = await refuses(install({ agents: ["claude"] }));
    expect(err).toBe(`Unknown agent "claude". Did you mean claude-code? ${known}`);
    expect((await install({ agents: ["emacs"] })).err).toBe(`Unknown agent "emacs". ${known}`);
    await refuses(install({ scope: "team" as "user" }), "user, project or local");
  });

  it("prints one JSON document with --json, for failures too", async () => {
    const { out } = await expectEnd(install({ json: true }), { err: "" });
    const file = world.path(settings);
    const added = world.text().trimEnd().split("\n");
    const files = [{ file, change: "made", added, removed: [] }];
    const how = { ok: true, agent: "claude-code", scope: "user", changed: true, dryRun: false, notes: [] };
    expect(JSON.parse(out)).toEqual([{ ...how, file, command: world.line(), files }]);
    world.write(settings, "{");
    const failed = await fails(install({ json: true }));
    expect(JSON.parse(failed.out)).toEqual([
      { ok: false, agent: "claude-code", message: expect.stringContaining("not valid JSON") },
    ]);
  });
});

describe("toolgate install claude-code --scope project", () => {
  it("writes into the project's settings, from below too, and says when the path is of this machine only", async () => {
    const cwd = world.path("project/src/deep");
    mkdirSync(cwd, { recursive: true });
    await says(install({ scope: "project" }, { cwd }), "this machine");
    expect(world.line(projectSettings)).toMatch(
      /\/home\/\.local\/share\/toolgate\/hook\/[^/]+\/hook\.cjs claude-code \|\| exit 2$/,
    );
    expect(world.exists("home/.claude")).toBe(false);
  });

  it("writes into the person's own file of the project with --scope local", async () => {
    await install({ scope: "local" });
    expect(world.line(localSettings)).toMatch(/hook\.cjs claude-code [0-9a-f]{16} /);
  });

  it("does not follow a repository's link to a file elsewhere", async () => {
    const victim = world.write("home/other-program.json", "{}");
    mkdirSync(world.path("project/.claude"));
    symlinkSync(victim, world.path(projectSettings));
    await refuses(install({ scope: "project" }), "outside of the project");
    expect(world.text("home/other-program.json")).toBe("{}");
    rmSync(world.path("project/.claude"), { recursive: true });
    mkdirSync(world.path("home/folder"));
    symlinkSync(world.path("home/folder"), world.path("project/.claude"));
    await refuses(install({ scope: "project" }));
    expect(world.names("home/folder")).toEqual([]);
  });

  it("is refused in the home folder", async () => {
    await refuses(install({ scope: "project" }, { cwd: world.home }), "no project");
  });

  it("mentions hooks that other settings hold already", async () => {
    await install();
    await says(install({ scope: "project" }), `also in ${world.path(settings)}`);
  });
});

/** What toolgate wrote before: dangerous in every program that ignores `args`. */
function oldEntries() {
  const args = ["-p", world.path("old/hook.sh"), "claude-code", "/usr/bin/node", "300"];
  const hook = { type: "command", command: "/bin/bash", args, statusMessage: "toolgate" };
  const group = (manner: object) => [{ matcher: "*", hooks: [{ ...hook, ...manner }] }];
  return {
    PreToolUse: group({ timeout: 300, onFailure: "block" }),
    PostToolUse: group({ timeout: 30, async: true }),
    PostToolUseFailure: group({ timeout: 30, async: true }),
  };
}

describe("toolgate install claude-code where an older toolgate was installed", () => {
  const places = [settings, projectSettings, localSettings];

  it.for(["user", "project", "local"] as const)(
    "replaces dangerous entries in every settings file, whatever the scope: %s",
    async (scope) => {
      const foreign = { hooks: [{ type: "command", command: "/bin/bash", args: ["-c", "mine"] }] };
      for (const place of places)
        world.write(place, { hooks: { ...oldEntries(), Stop: [foreign] }, model: "opus" });
      const { out } = await says(install({ scope }));
      for (const place of places) {
        const { hooks, model } = world.json(place);
        const { Stop, ...ours } = hooks;
        expect([model, Stop]).toEqual(["opus", [foreign]]);
        expect(JSON.stringify(ours)).not.toContain('"args"');
        expect(ours.PreToolUse).toHaveLength(1);
        expect(world.line(place)).toMatch(/hook\.cjs claude-code .*\|\| exit 2$/);
      }
      expect(out.match(/were replaced/g)).toHaveLength(2);
    },
  );

  it("replaces them beside the plugin, too, where it changes nothing else", async () => {
    world.addPlugin("toolgate");
    world.write(localSettings, { hooks: oldEntries() });
    const before = world.text();
    await expectEnd(install(), { code: 1, err: "were replaced" });
    expect(world.text()).toBe(before);
    expect(world.text(localSettings)).not.toContain('"args"');
  });

  it("only says so with --dry-run", async () => {
    world.write(localSettings, { hooks: oldEntries() });
    await says(install({ dryRun: true }), "would be replaced");
    expect(world.text(localSettings)).toContain('"args"');
  });

  it("follows no link of a repository to do so", async () => {
    const victim = world.write("home/other-program.json", { hooks: oldEntries() });
    mkdirSync(world.path("project/.claude"));
    symlinkSync(victim, world.path(projectSettings));
    await says(install(), "outside of the project");
    expect(world.json("home/other-program.json")).toEqual({ hooks: oldEntries() });
  });
});

describe("the line that is installed", () => {
  it("has a word that nobody can guess, and keeps it when toolgate is installed again", async () => {
    const key = () => /claude-code ([0-9a-f]{16}) /.exec(world.line())?.[1];
    await install();
    const [before, one] = [world.line(), key()];
    await install({ bundle: world.write("moved/dist/hook/hook.cjs", "") });
    expect(world.line()).toBe(before.replace("/toolgate/dist", "/moved/dist"));
    await world.uninstall();
    await install();
    expect(key()).toBeDefined();
    expect(key()).not.toBe(one);
  });

  it("starts a file that was made executable", async () => {
    await install();
    expect(statSync(world.program()).mode & 0o777).toBe(0o755);
  });

  it("is not written where it would not be one line", async () => {
    await refuses(install({}, world.env({ XDG_DATA_HOME: world.path("a\nb") })), "cannot stand in a line");
    expect(world.exists(settings)).toBe(false);
    expect(world.exists("a\nb")).toBe(false);
  });
});

describe("toolgate install claude-code beside the plugin", () => {
  it("does nothing, because each call would be checked twice, unless forced", async () => {
    world.addPlugin("toolgate");
    const before = world.text();
    await refuses(install(), "twice");
    expect(world.text()).toBe(before);
    await says(install({ force: true }));
    expect(world.json().hooks.PreToolUse).toHaveLength(1);
  });

  it("also works from a copy that a package runner deletes again", async () => {
    const bundle = world.write("home/.npm/_npx/1a/node_modules/toolgate/dist/hook/hook.cjs", "");
    await says(install({ bundle }));
    rmSync(world.path("home/.npm"), { recursive: true });
    expect(statSync(world.program()).isFile()).toBe(true);
  });
});

describe("settings that change while they are written", () => {
  it("are not overwritten", () => {
    const file = world.write(settings, "{}");
    const opened = openTextFile(file, undefined);
    writeFileSync(file, '{"model": "opus"}');
    expect(typeof opened === "object" && replaceText(opened, "{}")).toContain("changed in the meantime");
    expect(world.text()).toBe('{"model": "opus"}');
    expect(world.names("home/.claude")).toEqual(["settings.json"]);
  });
});
