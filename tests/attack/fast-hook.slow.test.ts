/** The one deadline of the hook's script: who is silent, drips or does not read gets no more time than that. All wait side by side. */
import { createServer, type Socket } from "node:net";
import { describe, it } from "vitest";
import { createHookCredentials } from "../../src/surfaces/hook/served/hook-credentials.ts";
import { bash, createFastHookWorld, nonceOf, type OnRequest } from "../fast-hook-world.ts";

const byProcess = { code: 2, out: "", err: "by a process\n" };

/** One byte now and then: each comes long before anybody would call it silence. */
function drip(socket: Socket, text: string): () => string {
  let at = 0;
  const timer = setInterval(() => {
    if (at < text.length && !socket.destroyed) socket.write(text[at++] as string);
    else clearInterval(timer);
  }, 700);
  socket.on("close", () => clearInterval(timer));
  return () => text.slice(at);
}

describe.concurrent("a server that", () => {
  it.for<readonly [string, OnRequest]>([
    ["says nothing", () => {}],
    ["stops in the middle of its answer", (socket) => void socket.write("HTTP/1.1 200 OK\r\ncontent-le")],
    [
      "says nothing more behind the length",
      (socket, request, door) =>
        void socket.write(`HTTP/1.1 200 OK\r\n\r\n${door.key} ${nonceOf(request)} 0000006 `),
    ],
  ])("%s is waited for until the deadline, then the process is asked", async ([, onRequest], test) => {
    const world = createFastHookWorld(test.onTestFinished);
    await world.falseServer(onRequest);
    test.expect(await world.ask(bash("ls"))).toEqual(byProcess);
  });

  it.for<readonly [string, (socket: Socket, key: string, nonce: string) => () => string, "proof" | "answer"]>(
    [
      [
        "its proof",
        (socket, key, nonce) =>
          drip(socket, `HTTP/1.1 100 Continue\r\nToolgate-Proof: ${key} ${nonce}\r\n\r\n`),
        "proof",
      ],
      ["its first line", (socket) => drip(socket, "HTTP/1.1 200 OK\r\n\r\n".repeat(3)), "answer"],
      [
        "its text, behind the key",
        (socket, key, nonce) => {
          socket.write(`HTTP/1.1 200 OK\r\n\r\n${key} ${nonce} 0000106 `);
          return drip(socket, `0 100 0\n${"x".repeat(99)}`);
        },
        "answer",
      ],
    ],
  )("lets drip %s is left before it has said it", async ([, start, what], test) => {
    const world = createFastHookWorld(test.onTestFinished);
    let left: (() => string) | undefined;
    const onRequest: OnRequest = (socket, request, door) => {
      left = start(socket, door.key, nonceOf(request));
    };
    if (what === "proof") await world.falseServer(() => {}, onRequest);
    else await world.falseServer(onRequest);
    test.expect(await world.ask(bash("ls"))).toEqual(byProcess);
    // Forty seconds and more would have been needed, and a busy machine only drips slower.
    test.expect(left?.()).toMatch(/./);
  });

  it("is silent gets none of the time that standard input took", async ({ expect, onTestFinished }) => {
    /** How long the script stays connected. */
    const heldAfter = async (waitedMs: number) => {
      const world = createFastHookWorld(onTestFinished);
      const times: number[] = [];
      await world.falseServer((socket) => {
        times.push(performance.now());
        socket.on("close", () => times.push(performance.now()));
      });
      expect(await world.ask(bash("ls"), { endAfterMs: waitedMs })).toEqual(byProcess);
      await expect.poll(() => times).toHaveLength(2);
      return times[1]! - times[0]!;
    };
    // Four seconds instead of ten, at the same time on the same machine.
    const [rest, all] = await Promise.all([heldAfter(6_000), heldAfter(0)]);
    expect(rest).toBeLessThan(all * 0.75);
  });

  it("only says that it works is left when the agent's patience ends", async ({ expect, onTestFinished }) => {
    const world = createFastHookWorld(onTestFinished);
    await world.falseServer((socket) => {
      const beat = setInterval(() => socket.write("HTTP/1.1 102 Processing\r\n\r\n"), 500);
      socket.on("close", () => clearInterval(beat));
    });
    expect(await world.ask(bash("ls"), { seconds: 8 })).toEqual(byProcess);
  });

  it("reads nothing does not hold the largest call that is sent", async ({ expect, onTestFinished }) => {
    const world = createFastHookWorld(onTestFinished);
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

  it("asks a person who answers after many heartbeats is still heard", async ({ expect, onTestFinished }) => {
    const world = createFastHookWorld(onTestFinished);
    world.user("policies:\n  ask: {tools: Bash, action: ask, reason: Ann decides.}\n");
    const { store } = await world.serve();
    const asked = world.ask(bash("deploy"), { seconds: 60 });
    await expect.poll(() => store.approvals.pending()).toHaveLength(1);
    // Longer than a server may be silent: four heartbeats.
    await new Promise((resolve) => setTimeout(resolve, 9_000));
    const [question] = await store.approvals.pending();
    await store.approvals.answer(question?.id ?? "", { decision: "approve", by: "ann" });
    expect((await asked).code).toBe(0);
    expect(world.fallback()).toBeUndefined();
  });
});

it.concurrent("standard input that does not end is denied after ten seconds", async (test) => {
  const { expect } = test;
  const world = createFastHookWorld(test.onTestFinished);
  const end = await world.ask('{"tool_name":', { keepOpen: true });
  expect([end.code, end.out]).toEqual([2, ""]);
  expect(end.err).toContain("not finished within 10 seconds");
});
