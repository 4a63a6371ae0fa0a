import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { refuses } from "../unit/surfaces/cli/expect-end.ts";
import { exitOf, type Message, startMcp } from "./mcp-process.ts";
import { useCliWorld } from "./use-cli-world.ts";

const world = useCliWorld(({ file }) => file("a.txt", "hello\n"));
const development = ["--enable-tool-categories", "development"];

describe("toolgate mcp", () => {
  it("skips a line that is far too long without keeping it in memory", async () => {
    const { child, write, ask, next, hello } = startMcp(world, [], {
      NODE_OPTIONS: "--max-old-space-size=200",
    });
    await hello();
    const piece = "x".repeat(1024 * 1024);
    write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"');
    for (let megabytes = 0; megabytes < 80; megabytes++)
      if (write(piece) === false) await once(child.stdin as NodeJS.WritableStream, "drain");
    write('"}}\n');
    expect((await next(({ error }) => error !== undefined)).error?.message).toContain("bytes");
    expect((await ask(2, "ping")).result).toEqual({});
    child.stdin?.end();
    expect(await exitOf(child)).toBe(0);
  });

  it("answers what was asked before the pipe is closed, and writes nothing but messages", async () => {
    const { child, send, hello, lines } = startMcp(world, ["--enable-tools"]);
    await hello();
    for (let id = 1; id <= 20; id++)
      send({ id, method: "tools/call", params: { name: "fs_read", arguments: { path: "a.txt" } } });
    child.stdin?.end();
    expect(await exitOf(child)).toBe(0);
    const messages = lines.map((line) => JSON.parse(line) as Message);
    expect(messages.map(({ id }) => id).sort()).toEqual(Array.from({ length: 21 }, (_, id) => id).sort());
  });

  it.each(["SIGINT", "SIGTERM"] as const)("ends on %s", async (signal) => {
    const { child, hello } = startMcp(world);
    await hello();
    child.kill(signal);
    expect(await exitOf(child)).toBe(signal === "SIGINT" ? 130 : 0);
  });

  it("says on standard error who waits for an approval; a person answers in another terminal", async () => {
    const { child, send, hello, next, stderr } = startMcp(world, development);
    await hello();
    send({
      id: 1,
      method: "tools/call",
      params: { name: "fs_write", arguments: { path: "b.txt", content: "b" } },
    });
    await expect.poll(stderr).toMatch(/approvals approve \w+/);
    const id = /approvals approve (\w+)/.exec(stderr())?.[1] ?? "";
    expect((await world.run(["approvals", "approve", id])).code).toBe(0);
    expect((await next((message) => message.id === 1)).result?.isError).toBeUndefined();
    expect(readFileSync(join(world.project, "b.txt"), "utf8")).toBe("b");
    child.stdin?.end();
    await exitOf(child);
  });

  it("refuses wrong options before it speaks", async () => {
    for (const [option = "", value = ""] of [
      ["--tools", "some"],
      ["--wait", "soon"],
      ["--as", "a b"],
    ])
      await refuses(world.run(["mcp", option, value]), option);
  });
});
