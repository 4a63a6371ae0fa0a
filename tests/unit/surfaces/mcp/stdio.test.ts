import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../../../src/core/input/json.ts";
import { defineTool } from "../../../../src/index.ts";
import { serveStdio } from "../../../../src/surfaces/mcp/stdio.ts";
import { createMcpWorld, modern } from "./mcp-world.ts";

type Line = JsonObject | JsonObject[];

/** A client on a pipe that has agreed on this version. */
async function openPipe(protocolVersion: string) {
  const waiting: (() => void)[] = [];
  const wait = defineTool({
    id: "slow.wait",
    description: "Waits.",
    permission: "read",
    input: { type: "object", properties: {} },
    run: () => new Promise<string>((resolve) => waiting.push(() => resolve("done"))),
  });
  const { server } = await createMcpWorld({ tools: [wait] });
  const input = new PassThrough();
  const heard: Line[] = [];
  let wake = () => {};
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  void serveStdio({
    server,
    input,
    signal: ended.signal,
    cwd: process.cwd(),
    write: (text) => {
      for (const line of text.trimEnd().split("\n")) heard.push(JSON.parse(line) as Line);
      wake();
    },
  });
  const say = (message: unknown) => input.write(`${JSON.stringify(message)}\n`);
  const nextLine = async (): Promise<Line> => {
    while (heard.length === 0)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    return heard.shift() as Line;
  };
  const clientInfo = { name: "cl", version: "1" };
  say(request(0, "initialize", { protocolVersion, capabilities: {}, clientInfo }));
  await nextLine();
  say({ jsonrpc: "2.0", method: "notifications/initialized" });
  return { say, nextLine, heard, finish: () => waiting.splice(0).forEach((end) => void end()) };
}

const request = (id: unknown, method: string, params: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});
const notice = { jsonrpc: "2.0", method: "notifications/x" };
const wait = (id: unknown) => request(id, "tools/call", { name: "slow_wait", arguments: {} });
const ids = (line: Line) => (Array.isArray(line) ? line.map(({ id }) => id) : "no list");
const cancel = (requestId: unknown) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
});

describe("a batch on a pipe", () => {
  it("of a client that speaks 2025-03-26 is answered as one list, when all is done", async () => {
    const { say, nextLine, heard, finish } = await openPipe("2025-03-26");
    say([wait("slow"), request(2, "ping"), notice, request(3, "nope")]);
    say(request(4, "ping"));
    expect(await nextLine()).toMatchObject({ id: 4, result: {} });
    expect(heard).toEqual([]);
    finish();
    const answers = (await nextLine()) as JsonObject[];
    expect(ids(answers)).toEqual([2, 3, "slow"]);
    expect(answers).toMatchObject([
      { result: {} },
      { error: { code: -32601 } },
      { result: { content: [{ text: "done" }] } },
    ]);
  });

  it("answers what is no message in the list, and each id once", async () => {
    const { say, nextLine, finish } = await openPipe("2025-03-26");
    const older = { jsonrpc: "1.0", id: 8, method: "ping" };
    say([7, [request(1, "ping")], wait(5), wait(5), request(6, "ping"), older]);
    say(request(9, "ping"));
    await nextLine();
    finish();
    const answers = (await nextLine()) as JsonObject[];
    expect(ids(answers)).toEqual([null, null, 5, 6, 8, 5]);
    expect(answers[2]).toMatchObject({ error: { message: expect.stringContaining("Another request") } });
    expect(answers[5]).toMatchObject({ result: { content: [{ text: "done" }] } });
  });

  it("does not wait for a request that was cancelled, and says nothing where there is nothing to say", async () => {
    const { say, nextLine, heard } = await openPipe("2025-03-26");
    say([wait(1), request(2, "ping")]);
    say(cancel(1));
    expect(ids(await nextLine())).toEqual([2]);
    say([wait(3), cancel(3)]);
    say([cancel(77), notice]);
    say(request(4, "ping"));
    expect(await nextLine()).toMatchObject({ id: 4 });
    expect(heard).toEqual([]);
  });

  it("is refused when it is empty or has more than a hundred messages", async () => {
    const { say, nextLine } = await openPipe("2025-03-26");
    say([]);
    expect(await nextLine()).toMatchObject({ id: null, error: { code: -32600 } });
    say(Array.from({ length: 101 }, (_, id) => request(id, "ping")));
    expect(await nextLine()).toMatchObject({ error: { message: "A batch may have at most 100 messages." } });
    say(Array.from({ length: 100 }, (_, id) => request(id, "ping")));
    expect(await nextLine()).toHaveLength(100);
  });

  it.each(["2025-11-25", "2025-06-18", "2024-11-05"])(
    "is refused to clients that speak %s",
    async (version) => {
      const { say, nextLine } = await openPipe(version);
      for (const batch of [[request(1, "ping")], [request(1, "tools/list", modern())]]) {
        say(batch);
        expect(await nextLine()).toMatchObject({
          id: null,
          error: { code: -32600, message: expect.stringContaining("Batches are not supported") },
        });
      }
    },
  );
});

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

const ping = (id: number) => JSON.stringify(request(id, "ping"));

describe("the last message of a pipe", () => {
  it.for([
    ["is answered also without a line feed", ping(1), [1]],
    ["is answered also without a line feed behind others", `${ping(1)}\n${ping(2)}`, [1, 2]],
    ["is answered once if it has one", `${ping(1)}\n`, [1]],
    ["is left alone if it was cut off", `${ping(1)}\n${ping(2).slice(0, -1)}`, [1]],
  ] as const)("%s", async ([, sent, answered]) => {
    expect(await answersTo(sent)).toEqual(answered.map((id) => ({ jsonrpc: "2.0", id, result: {} })));
  });
});
