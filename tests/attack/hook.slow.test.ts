/** Whoever never finishes to speak is not waited for longer than the client would wait for us. */
import { execFileSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bash, createProcessWorld, ended, type ProcessWorld, rules, verdictOf } from "./hook-process.ts";

let world: ProcessWorld;

beforeAll(async () => {
  world = createProcessWorld();
  world.write(join(world.home, ".config/toolgate/config.yaml"), rules);
  await world.run(bash("ls"));
});
afterAll(() => world.close());

describe.concurrent("standard input that is not finished", () => {
  const call = JSON.stringify(bash("ls"));

  it.each<[what: string, agent: "claude-code" | undefined, pieces: readonly string[]]>([
    ["has said nothing", "claude-code", []],
    ["has said half a call", "claude-code", ['{"tool_name":"Bash",']],
    ["has said a whole call but does not end", "claude-code", [call]],
    ["has said a whole call but does not end, to nobody's agent", undefined, [call]],
    ["drips", "claude-code", [...call]],
  ])("and %s is denied after ten seconds", async (_, agent, pieces) => {
    const child = world.start({ agent });
    child.stdin?.on("error", () => {});
    const answer = ended(child);
    const dripping = pieces.length > 1 ? setInterval(() => child.stdin?.write(" "), 500) : undefined;
    for (const piece of pieces) child.stdin?.write(piece);
    const end = await answer;
    clearInterval(dripping);
    expect(verdictOf(end)).toBe("deny");
    expect(end.err).toContain("Standard input was not finished within 10 seconds.");
    if (agent !== undefined) expect(end.out).not.toBe("");
  });

  it("in time is no different from any other: an agent on a slow machine may need some seconds", async () => {
    const child = world.start({ agent: "claude-code" });
    const answer = ended(child);
    for (const piece of [call.slice(0, 20), call.slice(20)]) {
      await sleep(2_000);
      child.stdin?.write(piece);
    }
    child.stdin?.end();
    expect(verdictOf(await answer)).toBe("allow");
  });

  it("from a pipe that somebody else keeps open is denied, too", async () => {
    const pipe = join(world.base, "pipe");
    execFileSync("mkfifo", [pipe]);
    const fd = openSync(pipe, "r+");
    const end = await ended(world.start({ agent: "claude-code", spawn: { stdio: [fd, "pipe", "pipe"] } }));
    closeSync(fd);
    expect(verdictOf(end)).toBe("deny");
  });
});
