import { describe, expect, it } from "vitest";
import { type AnyTool, defineTool } from "../../../../src/index.ts";
import { codeOf, paperGate, settle, throws, tool } from "../../paper-gate.ts";

const approve = [{ name: "yes", tools: "*", action: "approve" as const }];

/** Tools that write down when they start and wait until they are let go. */
function createTraffic() {
  const log: string[] = [];
  const running = new Map<string, () => void>();
  const make = (id: string, permission: "read" | "write", more: Partial<AnyTool> = {}) =>
    defineTool({
      id,
      description: "Waits.",
      permission,
      input: { type: "object" },
      timeoutMs: 1_000,
      run: ({ name }: { name: string }) => {
        log.push(name);
        return new Promise<void>((resolve) => running.set(name, resolve));
      },
      ...(more as object),
    } as never) as AnyTool;
  const finish = async (name: string) => {
    running.get(name)?.();
    await settle();
  };
  return {
    log,
    finish,
    tools: [make("r", "read"), make("w", "write"), make("n", "write", { lock: "none" })],
  };
}

async function createRoad() {
  const traffic = createTraffic();
  const { gate, clock } = await paperGate({ tools: traffic.tools, policies: approve });
  const calls: Promise<string>[] = [];
  /** Each call has come to the lock before the next one starts. */
  const go = async (id: string, name: string, signal?: AbortSignal) => {
    calls.push(gate.dispatch({ tool: id, input: { name }, ...(signal && { signal }) }).then(codeOf));
    await settle();
  };
  return { ...traffic, clock, go, ends: () => Promise.all(calls) };
}

describe("the lock around runs", () => {
  it("lets readers run side by side", async () => {
    const { log, go, finish, ends } = await createRoad();
    for (const name of ["r1", "r2", "r3"]) await go("r", name);
    expect(log).toEqual(["r1", "r2", "r3"]);
    for (const name of [...log]) await finish(name);
    expect(await ends()).toEqual(["ran", "ran", "ran"]);
  });

  it("lets a writer run alone", async () => {
    const { log, go, finish, ends } = await createRoad();
    await go("w", "w1");
    await go("r", "r1");
    await go("w", "w2");
    expect(log).toEqual(["w1"]);
    await finish("w1");
    expect(log).toEqual(["w1", "r1"]);
    await finish("r1");
    expect(log).toEqual(["w1", "r1", "w2"]);
    await finish("w2");
    expect(await ends()).toEqual(["ran", "ran", "ran"]);
  });

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
    await go("w", "w1", controller.signal);
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
