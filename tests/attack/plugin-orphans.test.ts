import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pluginGate, texts } from "../unit/sources/plugins/handlers/plugin-gate.ts";
import { stopped } from "../unit/sources/stopped.ts";
import { isGone } from "./spawn-attacks.ts";

describe("a command of a plugin that does not end", () => {
  const forking = {
    name: "fork",
    inputSchema: texts(),
    handler: {
      type: "shell" as const,
      command:
        "echo begun; (trap '' TERM HUP; sh -c 'echo $$ > one; sleep 60') & (setsid sh -c 'echo $$ > two; sleep 60') & sleep 60",
      timeout: 1_500,
    },
  };
  const pids = (root: string) => ["one", "two"].map((name) => Number(readFileSync(join(root, name), "utf8")));

  it("leaves nothing behind after its time is over", async () => {
    const { failure, root } = await pluginGate([forking]);
    expect((await failure("fork", {})).message).toMatch(
      /^begun\n\[stopped after .*out of time\]\n\[This tool's commands have 1\.5s/,
    );
    for (const pid of pids(root)) expect(await isGone(pid)).toBe(true);
  });

  it("leaves nothing behind after a cancel", async () => {
    // Without the trap: who does not hear the first signal is given two seconds, and one such test is enough.
    const command = forking.handler.command.replace("trap '' TERM HUP; ", "");
    const slow = { ...forking, handler: { ...forking.handler, command, timeout: 60_000 } };
    const { call, root } = await pluginGate([slow]);
    const controller = new AbortController();
    const ended = call("fork", {}, { signal: controller.signal });
    while (!existsSync(join(root, "two")) || !existsSync(join(root, "one")) || pids(root).includes(0))
      await new Promise((resolve) => setTimeout(resolve, 10));
    controller.abort();
    expect(await ended).toMatchObject(stopped("cancelled"));
    for (const pid of pids(root)) expect(await isGone(pid)).toBe(true);
  });

  it("is stopped when it writes without end, and what is shown stays small", async () => {
    const flood = {
      name: "flood",
      inputSchema: texts(),
      handler: { type: "shell" as const, command: "yes" },
    };
    const { failure } = await pluginGate([flood]);
    const { message } = await failure("flood", {});
    expect(message).toContain("it wrote more than is taken");
    expect(message.length).toBeLessThan(2 * 1024 * 1024);
  });
});
