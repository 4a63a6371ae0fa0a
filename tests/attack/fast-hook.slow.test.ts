import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createHookDoor } from "../../src/surfaces/http/hook/hook-door.ts";
import { bash, createFastHookWorld } from "../fast-hook-world.ts";

const byProcess = { code: 2, out: "", err: "by a process\n" };

it("a server that says nothing is waited for seven seconds, then the process is asked", async () => {
  const world = createFastHookWorld();
  await world.falseServer(() => {});
  expect(await world.ask(bash("ls"))).toEqual(byProcess);
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
  createHookDoor(world.state).announce(`http://127.0.0.1:${port}`);
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
