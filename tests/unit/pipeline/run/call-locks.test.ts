import { describe, expect, it } from "vitest";
import { type AnyTool, createGate, defineTool, type Gate, type LockKind } from "../../../../src/index.ts";
import { CallLocks } from "../../../../src/pipeline/run/call-locks.ts";
import { codeOf, paperGate, settle } from "../../paper-gate.ts";

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
  const { gate } = await paperGate({ tools, policies: approve });
  const ends: Promise<string>[] = [];
  const go = async (tool: string, name: string, more: object = {}) => {
    ends.push(gate.dispatch({ tool, input: { name }, ...more }).then(codeOf));
    await settle();
  };
  const finish = async (...names: string[]) => {
    for (const name of names) running.get(name)?.();
    await settle();
  };
  return { log, go, finish, ends: () => Promise.all(ends) };
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
    const inner = (id: string, lock?: LockKind) =>
      defineTool({
        id,
        description: "x",
        permission: "write",
        ...(lock && { lock }),
        input: {},
        run: () => id,
      });
    const outer = (id: string, lock?: LockKind) =>
      defineTool({
        id,
        description: "x",
        permission: "write",
        ...(lock && { lock }),
        input: {},
        run: async () => {
          const calls = ["same", "other"].flatMap((sessionId) =>
            ["in.session", "in.gate"].map((tool) => holder.gate?.dispatch({ tool, sessionId })),
          );
          return (await Promise.all(calls)).every((outcome) => outcome?.ok === true);
        },
      });
    holder.gate = await createGate({
      tools: [inner("in.session"), inner("in.gate", "gate"), outer("out.session"), outer("out.gate", "gate")],
      policies: approve,
    });
    for (const tool of ["out.session", "out.gate"])
      expect(await holder.gate.dispatch({ tool, sessionId: "same" })).toMatchObject({
        ok: true,
        value: true,
      });
  });

  it("do not let a writer's own call wait behind somebody who waits for the gate", async () => {
    const holder: { gate?: Gate } = {};
    let alone: Promise<unknown> | undefined;
    const quiet = defineTool({
      id: "x.alone",
      description: "x",
      permission: "write",
      lock: "gate",
      input: {},
      run: () => 1,
    });
    const inner = defineTool({
      id: "x.inner",
      description: "x",
      permission: "read",
      input: {},
      run: () => 2,
    });
    const outer = defineTool({
      id: "x.outer",
      description: "x",
      permission: "write",
      input: {},
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
    expect(() =>
      defineTool({ id: "x.run", description: "x", permission: "read", lock, input: {}, run: () => 1 }),
    ).toThrow('lock must be "session", "gate", "none", "read" or "write".');
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
