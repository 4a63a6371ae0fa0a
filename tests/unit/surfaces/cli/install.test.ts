import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { agentNames } from "../../../../src/agents/all-agents.ts";
import { type InstallOptions, runInstall } from "../../../../src/surfaces/cli/commands/install/install.ts";
import { createWorld, type World } from "../../agents/claude-code/world.ts";

const settings = "home/.claude/settings.json";

/** Another after any write or replacement. */
function identity(file: string): string {
  const { ino, ctimeNs } = statSync(file, { bigint: true });
  return `${ino}:${ctimeNs}`;
}

function install(world: World, options: Partial<InstallOptions> = {}) {
  const bundle = world.write("toolgate/dist/hook/hook.cjs", "");
  return world.run((io) => runInstall({ agents: ["claude-code"], bundle, ...options }, io));
}

const read = (file: string) => JSON.parse(readFileSync(file, "utf8"));

/** What the agent starts before a call. */
function programIn(settings: { hooks: { PreToolUse: { hooks: { command: string }[] }[] } }): string {
  return settings.hooks.PreToolUse[0]?.hooks[0]?.command.split(" ")[0] ?? "";
}

describe("toolgate install claude-code", () => {
  it("makes the settings when there are none, and says what it wrote and what next", async () => {
    const world = createWorld();
    const { code, out, err } = await install(world);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("~/.claude/settings.json");
    expect(out).toContain("toolgate doctor");
    expect(out).toMatch(/^ {2}github-pr +pull request pages/m);
    const { PreToolUse } = read(world.path(settings)).hooks;
    expect(PreToolUse).toEqual([
      {
        matcher: "*",
        hooks: [
          {
            type: "command",
            command: expect.stringMatching(
              /^\S+\/home\/\.local\/share\/toolgate\/hook\/\d[\w.-]+\/hook\.cjs claude-code [0-9a-f]{16} \|\| exit 2$/,
            ),
            timeout: 30,
            onFailure: "block",
            statusMessage: "toolgate",
          },
        ],
      },
    ]);
  });

  it("keeps everything else, its order and its style", async () => {
    const world = createWorld();
    const before =
      '{\n\t"model": "opus",\n\t"permissions": {\n\t\t"allow": [\n\t\t\t"Bash(ls:*)"\n\t\t]\n\t}\n}';
    world.write(settings, before);
    await install(world);
    const after = readFileSync(world.path(settings), "utf8");
    expect(after.startsWith(before.slice(0, -2))).toBe(true);
    expect(after.endsWith("}")).toBe(true);
  });

  it("does nothing the second time", async () => {
    const world = createWorld();
    await install(world);
    const before = identity(world.path(settings));
    expect(await install(world)).toMatchObject({
      code: 0,
      out: expect.stringContaining("Already installed"),
    });
    expect(identity(world.path(settings))).toBe(before);
  });

  it("writes all at once, with the rights that the file had, and leaves nothing behind", async () => {
    const world = createWorld();
    world.write(settings, "{}");
    chmodSync(world.path(settings), 0o640);
    await install(world);
    expect(statSync(world.path(settings)).mode & 0o777).toBe(0o640);
    expect(readdirSync(world.path("home/.claude"))).toEqual(["settings.json"]);
  });

  it("writes through a link to the file that it names", async () => {
    const world = createWorld();
    const target = world.write("dotfiles/claude.json", '{"model": "opus"}');
    mkdirSync(world.path("home/.claude"));
    symlinkSync(target, world.path(settings));
    expect((await install(world)).code).toBe(0);
    expect(lstatSync(world.path(settings)).isSymbolicLink()).toBe(true);
    expect(read(target)).toMatchObject({ model: "opus", hooks: { PreToolUse: [{}] } });
  });

  it.for([
    ["text that is no JSON", '{ // mine\n "model": "opus" }', "not valid JSON"],
    ["a list", "[]", "must hold a JSON object"],
    ["hooks in the old form", '{"hooks": []}', '"hooks" must be an object'],
    ["an event that is no list", '{"hooks": {"PreToolUse": {}}}', '"hooks.PreToolUse" must be a list'],
  ] as const)("refuses %s with one message and changes nothing", async ([, text, message]) => {
    const world = createWorld();
    world.write(settings, text);
    const { code, out, err } = await install(world);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(message);
    expect(err).toContain(world.path(settings));
    expect(err.trimEnd().split("\n")).toHaveLength(1);
    expect(readFileSync(world.path(settings), "utf8")).toBe(text);
  });

  it("takes an empty file for one without settings", async () => {
    const world = createWorld();
    world.write(settings, "");
    expect((await install(world)).code).toBe(0);
    expect(Object.keys(read(world.path(settings)))).toEqual(["hooks"]);
  });

  it("refuses a link that leads nowhere, a folder in the file's place, and a hook that is not there", async () => {
    const world = createWorld();
    mkdirSync(world.path("home/.claude"));
    symlinkSync(world.path("nowhere.json"), world.path(settings));
    expect(await install(world)).toMatchObject({ code: 1, err: expect.stringContaining("leads nowhere") });
    rmSync(world.path(settings));
    mkdirSync(world.path(settings));
    expect(await install(world)).toMatchObject({
      code: 1,
      err: expect.stringContaining("not a regular file"),
    });
    const missing = await install(world, { bundle: world.path("gone/hook.cjs") });
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining("npm run build") });
  });

  it("says so when it cannot write", async () => {
    const world = createWorld();
    world.write("home/.claude", "a file, not a folder");
    expect(await install(world)).toMatchObject({
      code: 1,
      err: expect.stringContaining("could not be written"),
    });
    expect(readFileSync(world.path("home/.claude"), "utf8")).toBe("a file, not a folder");
  });

  it("only says what it would do with --dry-run", async () => {
    const world = createWorld();
    expect(await install(world, { dryRun: true })).toMatchObject({
      code: 0,
      out: expect.stringContaining("Would write"),
    });
    expect(existsSync(world.path("home/.claude"))).toBe(false);
  });

  it("follows the client to another folder of settings", async () => {
    const world = createWorld();
    const bundle = world.write("toolgate/dist/hook/hook.cjs", "");
    const env = { HOME: world.home, CLAUDE_CONFIG_DIR: world.path("other") };
    await world.run((io) => runInstall({ agents: ["claude-code"], bundle }, io), { env });
    expect(existsSync(world.path("other/settings.json"))).toBe(true);
    expect(existsSync(world.path(settings))).toBe(false);
  });

  it("names known agents when it does not know one, and scopes likewise", async () => {
    const world = createWorld();
    expect(await install(world, { agents: ["claude"] })).toEqual({
      code: 1,
      out: "",
      err: `Unknown agent "claude". Did you mean claude-code? Known agents: ${agentNames.join(", ")}.\n`,
    });
    expect(await install(world, { agents: ["emacs"] })).toMatchObject({
      err: `Unknown agent "emacs". Known agents: ${agentNames.join(", ")}.\n`,
    });
    const odd = { scope: "team" as "user" };
    expect(await install(world, odd)).toMatchObject({
      code: 1,
      err: expect.stringContaining("user, project or local"),
    });
  });

  it("prints one JSON document with --json, for failures too", async () => {
    const world = createWorld();
    const { out, err } = await install(world, { json: true });
    expect(err).toBe("");
    const { command } = read(world.path(settings)).hooks.PreToolUse[0].hooks[0];
    const file = world.path(settings);
    const written = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(JSON.parse(out)).toEqual([
      {
        ok: true,
        agent: "claude-code",
        scope: "user",
        file,
        changed: true,
        dryRun: false,
        command,
        files: [{ file, change: "made", added: written, removed: [] }],
        notes: [],
      },
    ]);
    world.write(settings, "{");
    const failed = await install(world, { json: true });
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.out)).toEqual([
      { ok: false, agent: "claude-code", message: expect.stringContaining("not valid JSON") },
    ]);
  });
});

describe("toolgate install claude-code --scope project", () => {
  it("writes into the project's settings, from below too, and says when the path is of this machine only", async () => {
    const world = createWorld();
    mkdirSync(world.path("project/src/deep"), { recursive: true });
    const bundle = world.write("toolgate/dist/hook/hook.cjs", "");
    const { code, out } = await world.run(
      (io) => runInstall({ agents: ["claude-code"], scope: "project", bundle }, io),
      { cwd: world.path("project/src/deep") },
    );
    expect(code).toBe(0);
    expect(out).toContain("this machine");
    expect(read(world.path("project/.claude/settings.json")).hooks.PreToolUse[0].hooks[0].command).toMatch(
      /\/home\/\.local\/share\/toolgate\/hook\/[^/]+\/hook\.cjs claude-code \|\| exit 2$/,
    );
    expect(existsSync(world.path("home/.claude"))).toBe(false);
  });

  it("writes into the person's own file of the project with --scope local", async () => {
    const world = createWorld();
    await install(world, { scope: "local" });
    expect(
      read(world.path("project/.claude/settings.local.json")).hooks.PreToolUse[0].hooks[0].command,
    ).toMatch(/hook\.cjs claude-code [0-9a-f]{16} /);
  });

  it("does not follow a repository's link to a file elsewhere", async () => {
    const world = createWorld();
    const victim = world.write("home/other-program.json", "{}");
    mkdirSync(world.path("project/.claude"));
    symlinkSync(victim, world.path("project/.claude/settings.json"));
    expect(await install(world, { scope: "project" })).toMatchObject({
      code: 1,
      err: expect.stringContaining("outside of the project"),
    });
    expect(readFileSync(victim, "utf8")).toBe("{}");
    rmSync(world.path("project/.claude"), { recursive: true });
    mkdirSync(world.path("home/folder"));
    symlinkSync(world.path("home/folder"), world.path("project/.claude"));
    expect((await install(world, { scope: "project" })).code).toBe(1);
    expect(readdirSync(world.path("home/folder"))).toEqual([]);
  });

  it("is refused in the home folder", async () => {
    const world = createWorld();
    const bundle = world.write("toolgate/dist/hook/hook.cjs", "");
    const ran = await world.run(
      (io) => runInstall({ agents: ["claude-code"], scope: "project", bundle }, io),
      {
        cwd: world.home,
      },
    );
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining("no project") });
  });

  it("mentions hooks that other settings hold already", async () => {
    const world = createWorld();
    await install(world);
    const { out } = await install(world, { scope: "project" });
    expect(out).toContain(`also in ${world.path(settings)}`);
  });
});

/** What toolgate wrote before: dangerous in every program that ignores `args`. */
function oldEntries(world: World) {
  const group = (manner: object) => [
    {
      matcher: "*",
      hooks: [
        {
          type: "command",
          command: "/bin/bash",
          args: ["-p", world.path("old/hook.sh"), "claude-code", "/usr/bin/node", "300"],
          ...manner,
          statusMessage: "toolgate",
        },
      ],
    },
  ];
  return {
    PreToolUse: group({ timeout: 300, onFailure: "block" }),
    PostToolUse: group({ timeout: 30, async: true }),
    PostToolUseFailure: group({ timeout: 30, async: true }),
  };
}

describe("toolgate install claude-code where an older toolgate was installed", () => {
  const places = [settings, "project/.claude/settings.json", "project/.claude/settings.local.json"];

  it.for(["user", "project", "local"] as const)(
    "replaces dangerous entries in every settings file, whatever the scope: %s",
    async (scope) => {
      const world = createWorld();
      const foreign = { hooks: [{ type: "command", command: "/bin/bash", args: ["-c", "mine"] }] };
      for (const place of places)
        world.write(place, { hooks: { ...oldEntries(world), Stop: [foreign] }, model: "opus" });
      const { code, out } = await install(world, { scope });
      expect(code).toBe(0);
      for (const place of places) {
        const { hooks, model } = read(world.path(place));
        expect(model).toBe("opus");
        expect(hooks.Stop).toEqual([foreign]);
        const { Stop: _, ...ours } = hooks;
        expect(JSON.stringify(ours)).not.toContain('"args"');
        expect(ours.PreToolUse).toHaveLength(1);
        expect(ours.PreToolUse[0].hooks[0].command).toMatch(/hook\.cjs claude-code .*\|\| exit 2$/);
      }
      expect(out.match(/were replaced/g)).toHaveLength(2);
    },
  );

  it("replaces them beside the plugin, too, where it changes nothing else", async () => {
    const world = createWorld();
    world.addPlugin("toolgate");
    world.write("project/.claude/settings.local.json", { hooks: oldEntries(world) });
    const before = readFileSync(world.path(settings), "utf8");
    const { code, err } = await install(world);
    expect([code, err]).toEqual([1, expect.stringContaining("were replaced")]);
    expect(readFileSync(world.path(settings), "utf8")).toBe(before);
    expect(readFileSync(world.path("project/.claude/settings.local.json"), "utf8")).not.toContain('"args"');
  });

  it("only says so with --dry-run", async () => {
    const world = createWorld();
    world.write("project/.claude/settings.local.json", { hooks: oldEntries(world) });
    const { out } = await install(world, { dryRun: true });
    expect(out).toContain("would be replaced");
    expect(readFileSync(world.path("project/.claude/settings.local.json"), "utf8")).toContain('"args"');
  });

  it("follows no link of a repository to do so", async () => {
    const world = createWorld();
    const victim = world.write("home/other-program.json", { hooks: oldEntries(world) });
    mkdirSync(world.path("project/.claude"));
    symlinkSync(victim, world.path("project/.claude/settings.json"));
    const { out } = await install(world);
    expect(out).toContain("outside of the project");
    expect(read(victim)).toEqual({ hooks: oldEntries(world) });
  });
});

describe("the line that is installed", () => {
  const line = (world: World) => read(world.path(settings)).hooks.PreToolUse[0].hooks[0].command as string;

  it("has a word that nobody can guess, and keeps it when toolgate is installed again", async () => {
    const [one, other] = [createWorld(), createWorld()];
    for (const world of [one, other]) await install(world);
    const key = (world: World) => /claude-code ([0-9a-f]{16}) /.exec(line(world))?.[1];
    expect(key(one)).toBeDefined();
    expect(key(one)).not.toBe(key(other));
    const before = line(one);
    const bundle = one.write("moved/dist/hook/hook.cjs", "");
    await install(one, { bundle });
    expect(line(one)).toBe(before.replace("/toolgate/dist", "/moved/dist"));
  });

  it("starts a file that was made executable", async () => {
    const world = createWorld();
    await install(world);
    expect(statSync(programIn(read(world.path(settings)))).mode & 0o777).toBe(0o755);
  });

  it("is not written where it would not be one line", async () => {
    const world = createWorld();
    const bundle = world.write("toolgate/dist/hook/hook.cjs", "");
    const env = { HOME: world.home, XDG_DATA_HOME: world.path("a\nb") };
    expect(
      await world.run((io) => runInstall({ agents: ["claude-code"], bundle }, io), { env }),
    ).toMatchObject({
      code: 1,
      err: expect.stringContaining("cannot stand in a line"),
    });
    expect(existsSync(world.path(settings))).toBe(false);
    expect(existsSync(world.path("a\nb"))).toBe(false);
  });
});

describe("toolgate install claude-code beside the plugin", () => {
  it("does nothing, because each call would be checked twice, unless forced", async () => {
    const world = createWorld();
    world.addPlugin("toolgate");
    const before = readFileSync(world.path(settings), "utf8");
    expect(await install(world)).toMatchObject({ code: 1, err: expect.stringContaining("twice") });
    expect(readFileSync(world.path(settings), "utf8")).toBe(before);
    expect((await install(world, { force: true })).code).toBe(0);
    expect(read(world.path(settings)).hooks.PreToolUse).toHaveLength(1);
  });

  it("also works from a copy that a package runner deletes again", async () => {
    const world = createWorld();
    const bundle = world.write("home/.npm/_npx/1a/node_modules/toolgate/dist/hook/hook.cjs", "");
    expect((await install(world, { bundle })).code).toBe(0);
    rmSync(world.path("home/.npm"), { recursive: true });
    expect(existsSync(programIn(read(world.path(settings))))).toBe(true);
  });
});

describe("settings that change while they are written", () => {
  it("are not overwritten", async () => {
    const { openTextFile, replaceText } = await import("../../../../src/agents/set-up/text-file.ts");
    const world = createWorld();
    const file = world.write(settings, "{}");
    const opened = openTextFile(file, undefined);
    writeFileSync(file, '{"model": "opus"}');
    expect(typeof opened === "object" && replaceText(opened, "{}")).toContain("changed in the meantime");
    expect(readFileSync(file, "utf8")).toBe('{"model": "opus"}');
    expect(readdirSync(world.path("home/.claude"))).toEqual(["settings.json"]);
  });
});
