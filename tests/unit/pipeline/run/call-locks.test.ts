import { describe, expect, it } from "vitest";
import { type AnyTool, createGate, defineTool, type Gate, type LockKind } from "../../../../src/index.ts";
import { CallLocks } from "../../../../src/pipeline/run/call-locks.ts";
import { codeOf, paperGate, settle, throws, tool } from "../../paper-gate.ts";

const approve = [{ name: "yes", tools: "*", action: "approve" as const }];
const ann = { id: "ann", capabilities: [] };
const bob = { id: "bob", capabilities: [] };

/** Tools that write down when they start and wait until they are let go. */
async function createRoad() {
  const log: string[] = [];
  const running = new Map<string, () => void>();
  const make = (id: string, permission: "read" | "write", lock?: LockKind) =>
    defineTool({
      id,
      description: "Waits.",
      permission,
      timeoutMs: 1_000,
      ...(lock && { lock }),
      input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      run: ({ name }) => {
        log.push(name);
        return new Promise<void>((resolve) => running.set(name, resolve));
      },
    }) as AnyTool;
  const tools = [
    make("r", "read"),
    make("w", "write"),
    make("g", "write", "gate"),
    make("gr", "read", "gate"),
    make("s", "write", "session"),
    make("n", "write", "none"),
  ];
  const { gate, clock } = await paperGate({ tools, policies: approve });
  const ends: Promise<string>[] = [];
  const go = async (tool: string, name: string, more: object = {}) => {
    ends.push(gate.dispatch({ tool, input: { name }, ...more }).then(codeOf));
    await settle();
  };
  const finish = async (...names: string[]) => {
    for (const name of names) running.get(name)?.();
    await settle();
  };
  return { log, clock, go, finish, ends: () => Promise.all(ends) };
}

describe("the locks of calls", () => {
  it("let nobody wait for a writer of another session", async () => {
    const { log, go, finish, ends } = await createRoad();
    await go("w", "slow", { sessionId: "one" });
    await go("r", "reads", { sessionId: "two" });
    await go("w", "writes", { sessionId: "three" });
    expect(log).toEqual(["slow", "reads", "writes"]);
    await finish("slow", "reads", "writes");
    expect(await ends()).toEqual(["ran", "ran", "ran"]);
  });

  it("tell sessions of the same name apart by their callers", async () => {
    const { log, go, finish } = await createRoad();
    await go("w", "ann's", { sessionId: "main", caller: ann });
    await go("w", "bob's", { sessionId: "main", caller: bob });
    await go("w", "ann's second", { sessionId: "main", caller: ann });
    expect(log).toEqual(["ann's", "bob's"]);
    await finish("ann's");
    expect(log).toEqual(["ann's", "bob's", "ann's second"]);
    await finish("bob's", "ann's second");
  });

  it("keep the order within a session: readers side by side, a writer alone", async () => {
    const { log, go, finish } = await createRoad();
    for (const [tool, name] of [
      ["r", "r1"],
      ["r", "r2"],
      ["s", "w1"],
      ["r", "r3"],
    ] as const)
      await go(tool, name, { sessionId: "one" });
    expect(log).toEqual(["r1", "r2"]);
    await finish("r1", "r2");
    expect(log).toEqual(["r1", "r2", "w1"]);
    await finish("w1");
    expect(log).toEqual(["r1", "r2", "w1", "r3"]);
    await finish("r3");
  });

  it("count the calls of a caller without a session as one session", async () => {
    const { log, go, finish } = await createRoad();
    await go("w", "ann's", { caller: ann });
    await go("w", "ann's second", { caller: ann });
    await go("w", "bob's", { caller: bob });
    expect(log).toEqual(["ann's", "bob's"]);
    await finish("ann's", "bob's");
    await finish("ann's second");
  });

  it("let a call without an order wait for no other of its session, but for one that has the gate", async () => {
    const { log, go, finish, ends } = await createRoad();
    const apart = { inOrder: false };
    await go("w", "first", apart);
    await go("w", "second", apart);
    await go("w", "in its session");
    expect(log).toEqual(["first", "second", "in its session"]);
    await go("g", "alone");
    await finish("first", "second", "in its session");
    await go("r", "later", apart);
    expect(log).toEqual(["first", "second", "in its session", "alone"]);
    await finish("alone");
    await finish("later");
    expect(await ends()).toEqual(["ran", "ran", "ran", "ran", "ran"]);
  });

  it("let a tool that asks for the gate run alone, whoever calls and whether it reads or writes", async () => {
    for (const tool of ["g", "gr"]) {
      const { log, go, finish, ends } = await createRoad();
      await go("w", "before", { sessionId: "one" });
      await go(tool, "alone", { sessionId: "two" });
      await go("r", "after", { sessionId: "three" });
      await go("n", "beside", { sessionId: "four" });
      expect(log).toEqual(["before", "beside"]);
      await finish("before");
      expect(log).toEqual(["before", "beside", "alone"]);
      await finish("alone");
      expect(log).toEqual(["before", "beside", "alone", "after"]);
      await finish("after", "beside");
      expect(await ends()).toEqual(["ran", "ran", "ran", "ran"]);
    }
  });

  it("let a call that waits for the gate leave when it is cancelled, and its session go on", async () => {
    const { log, go, finish, ends } = await createRoad();
    const controller = new AbortController();
    await go("g", "alone", { sessionId: "one" });
    await go("w", "given up", { sessionId: "two", signal: controller.signal });
    await go("w", "next", { sessionId: "two" });
    controller.abort();
    await settle();
    expect(log).toEqual(["alone"]);
    await finish("alone");
    expect(log).toEqual(["alone", "next"]);
    await finish("next");
    expect(await ends()).toEqual(["ran", "cancelled", "ran"]);
  });

  it("are shared by the calls that a writer makes, in its session, in another, and for the whole gate", async () => {
    const holder: { gate?: Gate } = {};
    const inner = (id: string, lock?: LockKind) => tool({ id, permission: "write", ...(lock && { lock }) });
    const outer = (id: string, lock?: LockKind) => ({
      ...inner(id, lock),
      run: async () => {
        const calls = ["same", "other"].flatMap((sessionId) =>
          ["in.session", "in.gate"].map((name) => holder.gate?.dispatch({ tool: name, sessionId })),
        );
        return (await Promise.all(calls)).every((outcome) => outcome?.ok === true);
      },
    });
    holder.gate = await createGate({
      tools: [inner("in.session"), inner("in.gate", "gate"), outer("out.session"), outer("out.gate", "gate")],
      policies: approve,
    });
    for (const name of ["out.session", "out.gate"])
      expect(await holder.gate.dispatch({ tool: name, sessionId: "same" })).toMatchObject({
        ok: true,
        value: true,
      });
  });

  it("do not let a writer's own call wait behind somebody who waits for the gate", async () => {
    const holder: { gate?: Gate } = {};
    let alone: Promise<unknown> | undefined;
    const quiet = tool({ id: "x.alone", permission: "write", lock: "gate" });
    const inner = tool({ id: "x.inner" });
    const outer = tool({
      id: "x.outer",
      permission: "write",
      run: async () => {
        alone = holder.gate?.dispatch({ tool: "x.alone", sessionId: "third" });
        await settle();
        return (await holder.gate?.dispatch({ tool: "x.inner", sessionId: "second" }))?.ok;
      },
    });
    holder.gate = await createGate({ tools: [quiet, inner, outer], policies: approve });
    expect(await holder.gate.dispatch({ tool: "x.outer", sessionId: "first" })).toMatchObject({
      value: true,
    });
    expect(await alone).toMatchObject({ ok: true });
  });

  it("refuse a lock that is none", () => {
    const lock = "everybody" as LockKind;
    expect(() => tool({ lock })).toThrow('lock must be "session", "gate", "none", "read" or "write".');
  });

  it("still exclude each other in a session that was busy while ten thousand others came and went", async () => {
    const locks = new CallLocks();
    const first = locks.acquire("write", "busy", undefined);
    for (let index = 0; index < 10_000; index++) {
      const held = locks.acquire("write", `session ${index}`, undefined);
      if (held instanceof Promise) throw new Error("nobody is in the way");
      locks.release(held);
    }
    const second = locks.acquire("write", "busy", undefined);
    expect(second).toBeInstanceOf(Promise);
    locks.release((await first) as never);
    expect(await second).toMatchObject({ active: true });
  });
});

describe("the lock around runs", () => {
  it("keeps the order of coming, so that no writer starves behind readers", async () => {
    const { log, go, finish, ends } = await createRoad();
    for (const name of ["r1", "w1", "r2", "r3", "w2"]) await go(name.charAt(0), name);
    expect(log).toEqual(["r1"]);
    await finish("r1");
    expect(log).toEqual(["r1", "w1"]);
    await finish("w1");
    expect(log).toEqual(["r1", "w1", "r2", "r3"]);
    await finish("r3");
    expect(log).toHaveLength(4);
    await finish("r2");
    expect(log).toEqual(["r1", "w1", "r2", "r3", "w2"]);
    await finish("w2");
    await ends();
  });

  it("holds nobody up who asks for none", async () => {
    const { log, go, finish, ends } = await createRoad();
    await go("w", "w1");
    await go("n", "n1");
    expect(log).toEqual(["w1", "n1"]);
    await finish("n1");
    await finish("w1");
    await ends();
  });

  it("lets a call leave the queue when it is cancelled, and those behind it move up", async () => {
    const { log, go, finish, ends } = await createRoad();
    const controller = new AbortController();
    await go("r", "r1");
    await go("w", "w1", { signal: controller.signal });
    await go("r", "r2");
    controller.abort();
    await settle();
    expect(log).toEqual(["r1", "r2"]);
    await finish("r1");
    await finish("r2");
    expect(await ends()).toEqual(["ran", "cancelled", "ran"]);
  });

  it("is let go after a failure", async () => {
    const failing = tool({ permission: "write", run: throws(new Error("boom")) });
    const { gate } = await paperGate({ tools: [failing], policies: approve });
    for (let index = 0; index < 3; index++)
      expect(codeOf(await gate.dispatch({ tool: "x.run" }))).toBe("tool_failed");
  });

  it("is kept from others for a while by a tool that ignores its signal, and not forever", async () => {
    const { log, go, clock, finish, ends } = await createRoad();
    await go("w", "w1");
    await go("r", "r1");
    await clock.advance(5_999);
    expect(log).toEqual(["w1"]);
    await clock.advance(1);
    expect(log).toEqual(["w1", "r1"]);
    await finish("w1");
    await finish("r1");
    expect(await ends()).toEqual(["timed_out", "ran"]);
  });

  it("is let go at once when a tool that timed out ends within the grace, and only once", async () => {
    const { log, go, clock, finish, ends } = await createRoad();
    for (const name of ["w1", "w2", "w3"]) await go("w", name);
    await clock.advance(1_000);
    await finish("w1");
    expect(log).toEqual(["w1", "w2"]);
    await clock.advance(999);
    expect(log).toEqual(["w1", "w2"]);
    await finish("w2");
    await finish("w3");
    expect(await ends()).toEqual(["timed_out", "ran", "ran"]);
  });
});

describe("a tool that calls the gate itself", () => {
  const writing = (id: string, run: () => unknown) => tool({ id, permission: "write", run });

  it("leaves behind no way past the lock: what it starts and does not await queues like everybody else", async () => {
    const holder: { gate?: Gate } = {};
    let late: Promise<unknown> = Promise.resolve();
    let running = 0;
    let most = 0;
    const slow = writing("x.slow", async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 40));
      running--;
    });
    const starter = writing("x.starter", () => {
      late = new Promise((resolve) => setTimeout(resolve, 15)).then(() =>
        holder.gate?.dispatch({ tool: "x.slow" }),
      );
    });
    holder.gate = await createGate({ tools: [slow, starter], policies: approve });
    await holder.gate.dispatch({ tool: "x.starter" });
    await Promise.all([holder.gate.dispatch({ tool: "x.slow" }), late]);
    expect(most).toBe(1);
  });
});
