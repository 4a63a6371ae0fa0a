import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runInstall } from "../../../../src/surfaces/cli/commands/install/install.ts";
import type { SetupOptions } from "../../../../src/surfaces/cli/commands/install/setup-request.ts";
import { runUninstall } from "../../../../src/surfaces/cli/commands/install/uninstall.ts";
import { createWorld, type World } from "../../agents/claude-code/world.ts";

const settings = "home/.claude/settings.json";

/** Another after any write or replacement. */
function identity(file: string): string {
  const { ino, ctimeNs } = statSync(file, { bigint: true });
  return `${ino}:${ctimeNs}`;
}

function install(world: World, options: Partial<SetupOptions> = {}) {
  const bundle = world.write("toolgate/dist/hook/hook.cjs", "");
  return world.run((io) => runInstall({ agents: ["claude-code"], bundle, ...options }, io));
}

function everyFile(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
}

const uninstall = (world: World, options: Partial<SetupOptions> = {}) =>
  world.run((io) => runUninstall({ agents: ["claude-code"], ...options }, io));

describe("toolgate uninstall claude-code", () => {
  it.for([
    '{\n  "model": "opus",\n  "hooks": {\n    "PreToolUse": [\n      {\n        "hooks": []\n      }\n    ]\n  }\n}\n',
    '{\n    "model": "opus"\n}',
    '{\r\n  "model": "opus"\r\n}\r\n',
    "",
    " \n",
    "{}",
    '\ufeff{"model":"opus","hooks":{}}',
    '{ "model" : "opus",\n\n\t"hooks" : {"PreToolUse":[ {"matcher":"Bash", "hooks":[]} ],"Stop":[]} , "a":[1,\n2]}',
  ])("leaves the file byte for byte as it was before the installation: %j", async (text) => {
    const world = createWorld();
    world.write(settings, text);
    await install(world);
    expect(readFileSync(world.path(settings), "utf8")).not.toBe(text);
    const { code, out, err } = await uninstall(world);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain("Took the hooks out of ~/.claude/settings.json");
    expect(readFileSync(world.path(settings), "utf8")).toBe(text);
  });

  it.for([{}, { scope: "local" }, { scope: "project" }] as const)(
    "leaves no byte where there was nothing: %j",
    async (options) => {
      const world = createWorld();
      const before = everyFile(world.path("."));
      await install(world, options);
      // Another version, while sessions with the old one run.
      world.write("toolgate/dist/hook/main.cjs", "newer");
      await install(world, options);
      await uninstall(world, options);
      rmSync(world.path("toolgate"), { recursive: true });
      expect(everyFile(world.path("."))).toEqual(before);
    },
  );

  it("keeps what others have put into the file, as they have written it", async () => {
    const world = createWorld();
    world.write(settings, '{"model":   "opus"}');
    await install(world);
    const text = readFileSync(world.path(settings), "utf8");
    world.write(settings, text.replace('"opus"', '"sonnet", "x": [1,  2]'));
    await uninstall(world);
    expect(readFileSync(world.path(settings), "utf8").replace(/\s+\}$/, "}")).toBe(
      '{"model":   "sonnet", "x": [1,  2]}',
    );
  });

  it("leaves copies alone that another file still names, known or not", async () => {
    const world = createWorld();
    await install(world, { scope: "local" });
    await install(world);
    const [copy = ""] = readdirSync(world.path("home/.local/share/toolgate/hook"));
    await uninstall(world, { scope: "local" });
    expect(existsSync(world.path("home/.local/share/toolgate/hook", copy))).toBe(true);
    rmSync(world.path("home/.local/share/toolgate/hook/installations.json"));
    await uninstall(world, { scope: "local" });
    expect(existsSync(world.path("home/.local/share/toolgate/hook", copy))).toBe(true);
    await uninstall(world);
    expect(existsSync(world.path("home/.local/share/toolgate"))).toBe(false);
  });

  it("is not for an agent to run, unless a person sits at the terminal", async () => {
    const world = createWorld();
    await install(world);
    const text = readFileSync(world.path(settings), "utf8");
    const run = (io: object) =>
      world.run((own) =>
        runUninstall({ agents: ["claude-code"] }, { ...own, ...io, env: { ...own.env, CLAUDECODE: "1" } }),
      );
    const { code, err } = await run({});
    expect([code, err]).toEqual([1, expect.stringContaining("a person's decision")]);
    expect(readFileSync(world.path(settings), "utf8")).toBe(text);
    expect((await run({ isTerminal: true, stdinIsTerminal: true })).code).toBe(0);
  });

  it("touches nothing where there is nothing of ours", async () => {
    const world = createWorld();
    expect(await uninstall(world)).toMatchObject({
      code: 0,
      out: expect.stringContaining("Nothing of toolgate"),
    });
    expect(existsSync(world.path("home/.claude"))).toBe(false);
    world.write(
      settings,
      '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"./my-hook.cjs claude-code"}]}]}}',
    );
    const before = identity(world.path(settings));
    expect((await uninstall(world)).code).toBe(0);
    expect(identity(world.path(settings))).toBe(before);
  });

  it("takes out hooks that another version of toolgate put there", async () => {
    const world = createWorld();
    await install(world);
    world.write(
      settings,
      readFileSync(world.path(settings), "utf8").replaceAll(world.path("home"), "/gone/toolgate-0.0.1"),
    );
    await uninstall(world);
    // Installed by us into no file, and nothing else is in it.
    expect(existsSync(world.path("home/.claude"))).toBe(false);
  });

  it("says where hooks remain: in other settings, in the plugin", async () => {
    const world = createWorld();
    await install(world, { scope: "project" });
    world.addPlugin("toolgate");
    const { out } = await uninstall(world);
    expect(out).toContain(`still in ${world.path("project/.claude/settings.json")}`);
    expect(out).toContain("claude plugin uninstall toolgate@market");
    expect((await uninstall(world, { scope: "project" })).out).toContain(
      "Took the hooks out of .claude/settings.json",
    );
  });

  it("only says what it would do with --dry-run", async () => {
    const world = createWorld();
    await install(world);
    const before = readFileSync(world.path(settings), "utf8");
    expect((await uninstall(world, { dryRun: true })).out).toContain("Would take the hooks out");
    expect(readFileSync(world.path(settings), "utf8")).toBe(before);
  });

  it("refuses settings that it cannot read, and agents that it does not know", async () => {
    const world = createWorld();
    world.write(settings, "{ broken");
    expect(await uninstall(world)).toMatchObject({ code: 1, err: expect.stringContaining("not valid JSON") });
    expect(await uninstall(world, { agents: ["vi"] })).toMatchObject({
      code: 1,
      err: expect.stringContaining("Known agents: claude-code"),
    });
    const { out } = await uninstall(world, { agents: ["vi"], json: true });
    expect(JSON.parse(out)).toEqual([{ ok: false, message: expect.stringContaining("Unknown agent") }]);
  });
});
