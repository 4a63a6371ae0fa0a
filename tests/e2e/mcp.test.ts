import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isGone } from "../attack/spawn-attacks.ts";
import { type CliWorld, createCliWorld } from "./cli-process.ts";
import { exitOf, startMcp } from "./mcp-process.ts";

let world: CliWorld;
beforeAll(() => {
  world = createCliWorld();
  writeFileSync(join(world.project, "a.txt"), "hello\n");
});
afterAll(() => world.close());

const development = ["--enable-tool-categories", "development"];

describe("toolgate mcp", () => {
  it("survives what is no message, and answers the ones after it", async () => {
    const { child, write, ask, next, hello } = startMcp(world);
    write("this is not json\n[]\n7\n\n");
    write(`{"jsonrpc":"2.0","id":9,"method":"tools/list"}\n`);
    expect((await next(({ id }) => id === 9)).error?.message).toContain("initialize");
    await hello();
    const { result } = await ask(1, "tools/call", { name: "fs_read", arguments: { path: "a.txt" } });
    expect(result?.content?.[0]?.text).toContain("hello");
    const refusals = [-32_700, -32_600, -32_600];
    for (const code of new Set(refusals))
      expect((await next(({ error }) => error?.code === code)).id).not.toBe(1);
    child.stdin?.end();
    expect(await exitOf(child)).toBe(0);
  });

  it("kills what a call runs when its client is gone", async () => {
    writeFileSync(
      join(world.project, "toolgate.yaml"),
      "policies:\n  - name: yes\n    tools: shell.exec\n    action: approve\n",
    );
    const { child, send, hello } = startMcp(world, [
      ...development,
      "--config",
      join(world.project, "toolgate.yaml"),
    ]);
    await hello();
    const pidFile = join(world.project, "pid");
    send({
      id: 1,
      method: "tools/call",
      params: { name: "shell_exec", arguments: { command: `echo $$ > ${pidFile}; sleep 300` } },
    });
    while (!existsSync(pidFile) || readFileSync(pidFile, "utf8") === "")
      await new Promise((resolve) => setTimeout(resolve, 20));
    const pid = Number(readFileSync(pidFile, "utf8"));
    child.stdin?.end();
    expect(await exitOf(child)).toBe(0);
    expect(await isGone(pid)).toBe(true);
  });
});
