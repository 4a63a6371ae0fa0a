import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { planCopy } from "../../../../src/surfaces/cli/commands/install/hook-copies.ts";
import { says } from "./expect-end.ts";
import { localSettings, settings, useInstallWorld } from "./install-world.ts";

const world = useInstallWorld();
const copies = "home/.local/share/toolgate/hook";

/** Another text is another build. */
function install(text = "1", scope: "user" | "local" = "user") {
  const bundle = world.write("toolgate/dist/hook/hook.cjs", text);
  world.write("toolgate/dist/hook/hook.sh", "#!/bin/bash -p\n");
  world.write("toolgate/dist/hook/hooks/hooks.json", "{}");
  return world.install({ bundle, scope });
}

describe("the copy of the hook that an agent starts", () => {
  it("outlives the package, and nobody else can write it", async () => {
    await says(install());
    rmSync(world.path("toolgate"), { recursive: true });
    const program = world.program();
    expect(readdirSync(dirname(program)).sort()).toEqual(["hook.cjs", "hook.sh"]);
    expect(readFileSync(join(dirname(program), "hook.cjs"), "utf8")).toBe("1");
    expect(statSync(world.path(copies)).mode & 0o777).toBe(0o700);
    for (const path of [dirname(program), program]) expect(statSync(path).mode & 0o022).toBe(0);
  });

  it("is repaired by the next installation, whatever was done to it", async () => {
    await install();
    const file = join(dirname(world.program()), "hook.cjs");
    for (const harm of [
      () => writeFileSync(file, "process.exit(0)"),
      () => rmSync(file),
      () => chmodSync(file, 0o777),
      () => writeFileSync(join(dirname(file), "other.cjs"), ""),
      () => rmSync(dirname(file), { recursive: true }),
    ]) {
      harm();
      await says(install(), "Already installed");
      expect(readFileSync(file, "utf8")).toBe("1");
      expect(statSync(file).mode & 0o777).toBe(0o755);
      expect(readdirSync(dirname(file)).sort()).toEqual(["hook.cjs", "hook.sh"]);
    }
  });

  it("of an older version stays for the sessions that still run it, then goes", async () => {
    await install();
    const old = dirname(world.program());
    const folders = () => readdirSync(world.path(copies)).filter((name) => !name.endsWith(".json"));
    await install("2");
    expect(dirname(world.program())).not.toBe(old);
    expect(folders()).toHaveLength(2);
    utimesSync(old, 1, 1);
    await install("2");
    expect(folders()).toHaveLength(1);
    expect(statSync(dirname(world.program())).isDirectory()).toBe(true);
  });

  it("stays for good while another settings file names it", async () => {
    await install("1", "local");
    const old = dirname(world.program(localSettings));
    await install("2");
    utimesSync(old, 1, 1);
    await install("2");
    expect(statSync(old).isDirectory()).toBe(true);
  });

  it("is not left behind by an installation that was refused", async () => {
    world.write(settings, "[]");
    expect((await install()).code).toBe(1);
    expect(world.exists("home/.local")).toBe(false);
  });

  it("takes the place of a path that leads nowhere any more, in every settings file", async () => {
    await install("1", "local");
    const there = dirname(world.program(localSettings));
    world.write(localSettings, world.text(localSettings).replaceAll(there, world.path("gone/dist/hook")));
    await says(install(), "name a hook that is not there any more");
    expect(statSync(world.program(localSettings)).isFile()).toBe(true);
  });
});

describe("a copy of the hook that somebody else could change", () => {
  function createCopy() {
    for (const name of ["hook.cjs", "hook.sh", "main.cjs"]) world.write(`package/${name}`, name);
    const copy = planCopy(world.path("package/hook.cjs"), world.path("data"));
    expect(copy.make()).toBe(true);
    return { copy, folder: dirname(copy.bundle) };
  }

  it.for([
    ["a file", "main.cjs"],
    ["a folder", "."],
  ])("is made again where %s is a link to one that holds the same", ([, name = ""]) => {
    const { copy, folder } = createCopy();
    const linked = join(folder, name);
    renameSync(linked, world.path("elsewhere"));
    symlinkSync(world.path("elsewhere"), linked);
    expect(copy.make()).toBe(true);
    expect(lstatSync(linked).isSymbolicLink()).toBe(false);
    expect(readFileSync(join(folder, "main.cjs"), "utf8")).toBe("main.cjs");
  });

  it.runIf(process.getuid !== undefined)("is closed where others can write into its folder", () => {
    const { copy, folder } = createCopy();
    chmodSync(folder, 0o777);
    expect(copy.make()).toBe(true);
    expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  });
});
