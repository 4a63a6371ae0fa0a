import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { serveStdio } from "../../../../src/surfaces/mcp/stdio.ts";
import { createMcpWorld } from "./mcp-world.ts";

/** All that is written to a client that sends this and closes its end. */
async function answersTo(sent: string): Promise<unknown[]> {
  const { server } = await createMcpWorld();
  const input = new PassThrough();
  let written = "";
  const write = (text: string) => {
    written += text;
  };
  input.end(sent);
  await serveStdio({ server, input, write, signal: new AbortController().signal, cwd: process.cwd() });
  await server.close({ drainMs: 1_000 });
  return written.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
}

const ping = (id: number) => JSON.stringify({ jsonrpc: "2.0", id, method: "ping" });
const pong = (id: number) => ({ jsonrpc: "2.0", id, result: {} });

describe("the last message of a pipe", () => {
  it("is answered also without a line feed", async () => {
    expect(await answersTo(ping(1))).toEqual([pong(1)]);
    expect(await answersTo(`${ping(1)}\n${ping(2)}`)).toEqual([pong(1), pong(2)]);
  });

  it("is answered once if it has one", async () => {
    expect(await answersTo(`${ping(1)}\n`)).toEqual([pong(1)]);
  });

  it("is left alone if it was cut off", async () => {
    expect(await answersTo(`${ping(1)}\n${ping(2).slice(0, -1)}`)).toEqual([pong(1)]);
  });
});
