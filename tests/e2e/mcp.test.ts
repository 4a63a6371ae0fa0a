import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isGone } from "../attack/spawn-attacks.ts";
import { exitOf, startMcp } from "./mcp-process.ts";
import { useCliWorld } from "./use-cli-world.ts";

const world = useCliWorld(({ file }) => file("a.txt", "hello\n"));
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
    const config = world.file(
      "toolgate.yaml",
      "policies: [{ name: yes, tools: shell.exec, action: approve }]\n",
    );
    const { child, send, hello } = startMcp(world, [...development, "--config", config]);
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
