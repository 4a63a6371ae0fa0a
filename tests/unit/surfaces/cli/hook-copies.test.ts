import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { runInstall } from "../../../../src/surfaces/cli/commands/install/install.ts";
import { createWorld, type World } from "../../agents/claude-code/world.ts";

const settings = "home/.claude/settings.json";
const copies = "home/.local/share/toolgate/hook";

/** Another text is another build. */
async function install(world: World, text = "1", scope: "user" | "project" | "local" = "user") {
  const bundle = world.write("toolgate/dist/hook/hook.cjs", text);
  world.write("toolgate/dist/hook/hook.sh", "#!/bin/bash -p\n");
  world.write("toolgate/dist/hook/hooks/hooks.json", "{}");
  return world.run((io) => runInstall({ agents: ["claude-code"], bundle, scope }, io));
}

function programIn(world: World, file = settings): string {
  const { hooks } = JSON.parse(readFileSync(world.path(file), "utf8"));
  return hooks.PreToolUse[0].hooks[0].command.split(" ")[0];
}

const foldersIn = (world: World) => readdirSync(world.path(copies)).filter((name) => !name.endsWith(".json"));

describe("the copy of the hook that an agent starts", () => {
  it("outlives the package, and nobody else can write it", async () => {
    const world = createWorld();
    expect((await install(world)).code).toBe(0);
    rmSync(world.path("toolgate"), { recursive: true });
    const program = programIn(world);
    expect(readdirSync(dirname(program)).sort()).toEqual(["hook.cjs", "hook.sh"]);
    expect(readFileSync(join(dirname(program), "hook.cjs"), "utf8")).toBe("1");
    expect(statSync(world.path(copies)).mode & 0o777).toBe(0o700);
    for (const path of [dirname(program), program]) expect(statSync(path).mode & 0o022).toBe(0);
  });

  it("is repaired by the next installation, whatever was done to it", async () => {
    const world = createWorld();
    await install(world);
    const file = join(dirname(programIn(world)), "hook.cjs");
    for (const harm of [
      () => writeFileSync(file, "process.exit(0)"),
      () => rmSync(file),
      () => chmodSync(file, 0o777),
      () => writeFileSync(join(dirname(file), "other.cjs"), ""),
      () => rmSync(dirname(file), { recursive: true }),
    ]) {
      harm();
      expect((await install(world)).out).toContain("Already installed");
      expect(readFileSync(file, "utf8")).toBe("1");
      expect(statSync(file).mode & 0o777).toBe(0o755);
      expect(readdirSync(dirname(file)).sort()).toEqual(["hook.cjs", "hook.sh"]);
    }
  });

  it("of an older version stays for the sessions that still run it, then goes", async () => {
    const world = createWorld();
    await install(world);
    const old = dirname(programIn(world));
    await install(world, "2");
    expect(dirname(programIn(world))).not.toBe(old);
    expect(existsSync(old)).toBe(true);
    utimesSync(old, 1, 1);
    await install(world, "2");
    expect(existsSync(old)).toBe(false);
    expect(foldersIn(world)).toHaveLength(1);
  });

  it("stays for good while another settings file names it", async () => {
    const world = createWorld();
    await install(world, "1", "local");
    const old = dirname(programIn(world, "project/.claude/settings.local.json"));
    await install(world, "2");
    utimesSync(old, 1, 1);
    await install(world, "2");
    expect(existsSync(old)).toBe(true);
  });

  it("is not left behind by an installation that was refused", async () => {
    const world = createWorld();
    world.write(settings, "[]");
    expect((await install(world)).code).toBe(1);
    expect(existsSync(world.path("home/.local"))).toBe(false);
  });

  it("takes the place of a path that leads nowhere any more, in every settings file", async () => {
    const world = createWorld();
    await install(world, "1", "local");
    const file = "project/.claude/settings.local.json";
    const text = readFileSync(world.path(file), "utf8");
    world.write(file, text.replaceAll(dirname(programIn(world, file)), world.path("gone/dist/hook")));
    const { out } = await install(world);
    expect(out).toContain("name a hook that is not there any more");
    expect(existsSync(programIn(world, file))).toBe(true);
  });
});
