import { createServer, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createHookCredentials } from "../../src/surfaces/hook/served/hook-credentials.ts";
import { bash, createFastHookWorld, nonceOf, type OnRequest } from "../fast-hook-world.ts";

const byProcess = { code: 2, out: "", err: "by a process\n" };

/** What the script may take before it hands the call to the process, and what a loaded machine adds to it. */
const deadlineMs = 10_000;
const slackMs = 3_000;

/** Runs it and sees to it that it did not take longer than the one deadline. */
async function expectInTime(asking: Promise<unknown>): Promise<void> {
  const startedAt = Date.now();
  expect(await asking).toEqual(byProcess);
  expect(Date.now() - startedAt).toBeLessThan(deadlineMs + slackMs);
}

it("a server that says nothing is waited for until the deadline, then the process is asked", async () => {
  const world = createFastHookWorld();
  await world.falseServer(() => {});
  await expectInTime(world.ask(bash("ls")));
});

/** One byte now and then: each comes long before anybody would call it silence. */
function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at < text.length && !socket.destroyed) socket.write(text[at++] as string);
    else clearInterval(timer);
  }, 700);
  socket.on("close", () => clearInterval(timer));
}

it.each<readonly [string, OnRequest, OnRequest | undefined]>([
  [
    "its proof",
    () => {},
    (socket, head, door) => drip(socket, `HTTP/1.1 100 Continue\r\n${door.proofFor(nonceOf(head))}\r\n\r\n`),
  ],
  ["its first line", (socket) => drip(socket, "HTTP/1.1 200 OK\r\n\r\n".repeat(3)), undefined],
  [
    "its text, behind the key",
    (socket, request, door) => {
      socket.write(`HTTP/1.1 200 OK\r\n\r\n${door.key} ${nonceOf(request)} 0000106 `);
      drip(socket, `0 100 0\n${"x".repeat(99)}`);
    },
    undefined,
  ],
  [
    "nothing more behind the length",
    (socket, request, door) =>
      void socket.write(`HTTP/1.1 200 OK\r\n\r\n${door.key} ${nonceOf(request)} 0000006 `),
    undefined,
  ],
])(
  "a server that lets drip %s has no more time than one that is silent",
  async (_what, onRequest, onHead) => {
    const world = createFastHookWorld();
    await world.falseServer(onRequest, onHead);
    await expectInTime(world.ask(bash("ls")));
  },
);

it("what standard input took, the server does not get again", async () => {
  const world = createFastHookWorld();
  await world.falseServer(() => {});
  await expectInTime(world.ask(bash("ls"), { endAfterMs: 6_000 }));
});

it("a server that stops in the middle of its answer is waited for, then the process is asked", async () => {
  const world = createFastHookWorld();
  await world.falseServer((socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-le"));
  expect(await world.ask(bash("ls"))).toEqual(byProcess);
});

it("a server that only says that it works is left when the agent's patience ends", async () => {
  const world = createFastHookWorld();
  await world.falseServer((socket) => {
    const beat = setInterval(() => socket.write("HTTP/1.1 102 Processing\r\n\r\n"), 500);
    socket.on("close", () => clearInterval(beat));
  });
  expect(await world.ask(bash("ls"), { seconds: 8 })).toEqual(byProcess);
});

it("a server that reads nothing does not hold the largest call that is sent", async () => {
  const world = createFastHookWorld();
  const server = createServer({ pauseOnConnect: true }, () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { readonly port: number };
  createHookCredentials(world.state).announce(`http://127.0.0.1:${port}`);
  const call = JSON.stringify(bash("x".repeat(130_000)));
  expect(call.length).toBeLessThan(131_072);
  expect(await world.ask(call)).toEqual(byProcess);
  expect(world.fallback()?.toString()).toBe(call);
});

it("standard input that does not end is denied after ten seconds", async () => {
  const world = createFastHookWorld();
  const end = await world.ask('{"tool_name":', { keepOpen: true });
  expect([end.code, end.out]).toEqual([2, ""]);
  expect(end.err).toContain("not finished within 10 seconds");
});

it("a person who answers after many heartbeats is still heard", async () => {
  const world = createFastHookWorld();
  world.user("policies:\n  ask: {tools: Bash, action: ask, reason: Ann decides.}\n");
  const server = await world.serve();
  const asked = world.ask(bash("deploy"), { seconds: 60 });
  await new Promise((resolve) => setTimeout(resolve, 9_000));
  const [question] = await server.store.approvals.pending();
  await server.store.approvals.answer(question?.id ?? "", { decision: "approve", by: "ann" });
  expect((await asked).code).toBe(0);
  expect(world.fallback()).toBeUndefined();
});
