import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { textOf } from "../../src/core/call/content.ts";
import { pluginGate, texts } from "../unit/sources/plugins/handlers/plugin-gate.ts";
import { words } from "../words.ts";
import { makePathWorld, type PathWorld } from "./path-world.ts";
import { raceWorld, startSwapper } from "./race-world.ts";

async function reading(world: PathWorld, more: object = {}) {
  onTestFinished(() => world.remove());
  const handler = { type: "file-read" as const, basePath: world.root };
  // Every rule says yes: what is refused here is refused by the handler.
  return pluginGate([{ name: "read", inputSchema: texts("path"), handler }], more);
}

describe("file-read", () => {
  it("reads nothing outside of its base, however the path is written", async () => {
    const world = makePathWorld();
    const { call } = await reading(world);
    const { top, root, outside } = world;
    symlinkSync(join(outside, "secret.txt"), join(root, "link.txt"));
    symlinkSync(outside, join(root, "out"));
    symlinkSync("../outside", join(root, "relative-out"));
    symlinkSync(join(root, "link.txt"), join(root, "link-to-link"));
    linkSync(join(outside, "secret.txt"), join(root, "hard.txt"));
    const relative = words(`
      ../secret.txt ../root-evil/secret.txt ../rooted/secret.txt sub/../../secret.txt
      sub/deeper/../../../outside/secret.txt link.txt link-to-link out/secret.txt out/dir/secret.txt
      relative-out/secret.txt out/../secret.txt hard.txt /etc/passwd /proc/self/environ
      /proc/self/root/etc/passwd /dev/fd/0 .. . ~/x ..\\secret.txt %2e%2e/secret.txt ..%2fsecret.txt
      file:///etc/passwd inside.txt\0.png \0 sub/./../../secret.txt ....//secret.txt
    `);
    const absolute = [`${root}-evil/secret.txt`, `${root}/../root-evil/secret.txt`, join(top, "secret.txt")];
    for (const path of [...relative, ...absolute]) {
      const outcome = await call("read", { path });
      expect(outcome.ok, path).toBe(false);
      expect(JSON.stringify(outcome.result), path).not.toContain(world.canary);
    }
    expect(textOf((await call("read", { path: "sub/inside.txt" })).result)).toBe("inside");
  });

  it("does not wait for a pipe, a device or a socket", async () => {
    const world = makePathWorld();
    const { failure } = await reading(world);
    execFileSync("mkfifo", [join(world.root, "pipe")]);
    symlinkSync("/dev/zero", join(world.root, "zero"));
    expect(await failure("read", { path: "pipe" })).toMatchObject({ inner: "not_a_file" });
    expect(await failure("read", { path: "zero" })).toMatchObject({ code: "tool_failed" });
  });

  it("leaves protected files and the gate's own state closed, also inside of its base", async () => {
    const world = makePathWorld();
    const { root } = world;
    for (const name of [".env", ".ssh/id_ed25519", "state/token", "deploy.pem"]) {
      mkdirSync(join(root, name, ".."), { recursive: true });
      writeFileSync(join(root, name), world.canary);
    }
    symlinkSync(join(root, ".env"), join(root, "harmless.txt"));
    const { failure } = await reading(world, { hidden: [join(root, "state")] });
    for (const path of [".env", ".ssh/id_ed25519", "state/token", "harmless.txt", "sub/../.env"])
      expect(await failure("read", { path }), path).toMatchObject({ inner: "protected" });
  });

  it("is not led astray by files and folders that are swapped while it reads", async () => {
    const world = raceWorld();
    const { call } = await reading(world);
    const swapper = startSwapper(world);
    let read = 0;
    const until = Date.now() + 1_200;
    // On a busy machine the swapper may start late; then there is more time.
    while (Date.now() < until || (swapper.swaps() <= 10 && Date.now() < until + 10_000)) {
      for (const path of words(
        "leaf.txt hard.txt door/secret.txt deep/mid/low/secret.txt tree/inner/file.txt",
      )) {
        const outcome = await call("read", { path });
        if (outcome.ok) read += 1;
        expect(JSON.stringify(outcome.result)).not.toContain(world.canary);
      }
    }
    expect(await swapper.stop()).toBeGreaterThan(10);
    expect(read).toBeGreaterThan(10);
  });
});
