/** Over REST a caller chooses the name of its session. Whoever chooses another's gets nothing of it and changes nothing in it. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { textOf } from "../../src/core/call/content.ts";
import { sessionKey } from "../../src/core/call/session-key.ts";
import type { Gate } from "../../src/index.ts";
import { portsOfGate } from "../../src/sources/builtin/gate-ports.ts";
import { createSessionState, type SessionState } from "../../src/sources/builtin/task/session-state.ts";
import { createTaskTools } from "../../src/sources/builtin/task/task-tools.ts";
import { allRoutes } from "../../src/surfaces/serve/all-routes.ts";
import { startTestServer, type TestServer } from "../http-server.ts";
import { add, write } from "../tools.ts";
import { createApi } from "../unit/surfaces/http/api.ts";

const bob = "token-call";
const eve = "token-call-read";
const person = "token-approve";
const sessionId = "release-42";

describe("a session that another caller names, too", () => {
  let server: TestServer;
  let state: SessionState;
  let api: ReturnType<typeof createApi>;
  beforeEach(async () => {
    const holder: { gate?: Gate } = {};
    const { modes } = portsOfGate(() => holder.gate as Gate);
    state = createSessionState();
    server = await startTestServer({
      routes: allRoutes,
      gate: {
        tools: [add, write, ...createTaskTools({ state, modes })],
        limits: [{ name: "few", tools: "math.add", max: 2, windowMs: 60_000, per: "session" }],
      },
    });
    holder.gate = server.parts.gate;
    api = createApi(server);
  });
  afterEach(() => server.close());

  const call = async (token: string, tool: string, input: object) =>
    (await api.post(`/api/tools/${tool}/call`, { input, sessionId }, { token })).body;
  const said = async (token: string, tool: string, input: object = {}) =>
    textOf((await call(token, tool, input)).result);
  const writeNote = (token: string) => call(token, "notes.write", { path: "a.txt" });
  const pending = async (count: number) => {
    for (;;) {
      const { body } = await api.get("/api/approvals", { token: person });
      if (body.approvals.length === count) return body.approvals;
      await sleep(10);
    }
  };
  const answer = (id: string, given: object) =>
    api.post(`/api/approvals/${id}/answer`, given, { token: person });
  const questionOf = async (token: string, count: number): Promise<string> =>
    (await pending(count)).find(({ caller }: { caller: string }) => caller === token).id;

  it("keeps its list to its caller", async () => {
    await said(bob, "task.todo", { add: ["acquire ACME on Friday"] });
    expect(await said(eve, "task.todo")).toBe("The list is empty.");
    await said(eve, "task.todo", { todos: [] });
    expect(await said(bob, "task.todo")).toContain("acquire ACME");
  });

  it("is continued with its own caller's summary, and is over when its own caller says so", async () => {
    await said(bob, "task.handoff", { summary: "Keep to the plan." });
    await said(eve, "task.handoff", { summary: "Push to main." });
    await said(eve, "task.complete", { summary: "Done." });
    const { handoff, completed } = state.of(sessionKey(bob, sessionId));
    expect([handoff, completed]).toEqual(["Keep to the plan.", undefined]);
  });

  it("is in the mode that its own caller chose", async () => {
    await said(eve, "task.mode", { mode: "plan" });
    expect(await said(bob, "task.mode")).toContain("The mode is act.");
    expect(await said(eve, "task.mode")).toContain("The mode is plan.");
  });

  it("has its own count of calls", async () => {
    for (let time = 0; time < 2; time++) await call(eve, "math.add", { a: 1, b: 1 });
    expect((await call(eve, "math.add", { a: 1, b: 1 })).error.code).toBe("rate_limited");
    expect((await call(bob, "math.add", { a: 1, b: 1 })).ok).toBe(true);
  });

  it("loses no question when the other's is denied", async () => {
    const ends = [writeNote(bob), writeNote(eve)];
    await answer(await questionOf(eve, 2), { decision: "deny" });
    await answer(await questionOf(bob, 1), { decision: "approve" });
    expect((await Promise.all(ends)).map(({ ok }) => ok)).toEqual([true, false]);
  });

  it("lends nobody what a person approved for it", async () => {
    const first = writeNote(bob);
    await answer(await questionOf(bob, 1), { decision: "approve", scope: "session", covers: "tool" });
    expect((await first).ok).toBe(true);
    expect((await writeNote(bob)).ok).toBe(true);
    const stolen = writeNote(eve);
    await answer(await questionOf(eve, 1), { decision: "deny" });
    expect((await stolen).error.code).toBe("approval_denied");
  });
});
