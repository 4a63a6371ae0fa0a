import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import type {
  Histogram,
  Questions,
  Refusals,
  ReplayResult,
  RuleHits,
  RuleTestReport,
  VerificationState,
} from "../../../../../src/surfaces/rest/contract.ts";
import { add } from "../../../../tools.ts";
import { approvalRequest } from "../../../stores/sqlite/approval-request.ts";
import { useServer } from "../../http/api.ts";

const reader = { token: "token-read" };
const source = (line: number) => ({ file: "/rules/toolgate.yaml", line, column: 1 });
const ruleTest = (desc: string, command: string) => ({
  ...{ desc, input: { tool_name: "Bash", tool_input: { command } }, expect: "block" as const },
});
const policies = [
  {
    name: "no-push",
    tools: "shell.exec",
    action: "deny" as const,
    reason: "No pushes.",
    conditions: [{ type: "command" as const, operator: "startsWith" as const, value: "git push" }],
    source: source(3),
    tests: [ruleTest("a push", "git push"), ruleTest("a look", "git status")],
  },
  { name: "never", tools: "no.such.tool", action: "deny" as const, source: source(9) },
  { name: "watches", tools: "Bash", action: "deny" as const, mode: "shadow" as const, source: source(12) },
];

describe("the ledger for charts", () => {
  const { server, api } = useServer({ gate: { tools: [add], policies: policies as never } });
  beforeAll(async () => {
    const { gate } = server.parts;
    const check = (command: string) => gate.check({ tool: "Bash", input: { command }, cwd: server.folder });
    for (const command of ["git push one", "git push two", "git status"]) await check(command);
    await gate.dispatch({ tool: "math.add", input: { a: 1, b: 2 } });
  });

  it("counts calls over time by verdict, with their latency, also filtered", async () => {
    const { body } = await api.get<Histogram>("/api/ledger/histogram?buckets=10", reader);
    expect(body).toMatchObject({ complete: true, scanned: expect.any(Number) });
    expect(body.buckets).toHaveLength(10);
    expect(body.until - body.since).toBe(86_400_000);
    expect(body.buckets.at(-1)).toMatchObject({ deny: 2, allow: 1, p50Ms: expect.any(Number) });
    const since = Date.now() - 60_000;
    const some = await api.get<Histogram>(`/api/ledger/histogram?since=${since}&tool=math.*`, reader);
    expect(some.body.buckets.reduce((sum, { allow, deny }) => sum + allow + deny, 0)).toBe(1);
    const text = await api.get<Histogram>(`/api/ledger/histogram?since=${since}&text=push+two`, reader);
    expect(text.body.buckets.reduce((sum, { deny }) => sum + deny, 0)).toBe(1);
    expect((await api.get("/api/ledger/histogram?since=soon", reader)).status).toBe(400);
    expect((await api.get("/api/ledger/histogram?buckets=100000", reader)).status).toBe(400);
    expect((await api.get("/api/ledger/histogram", { token: "token-call" })).status).toBe(403);
  });

  it("counts refusals by rule, and tells which rules never matched", async () => {
    const refused = await api.get<Refusals>("/api/ledger/refusals", reader);
    expect(refused.body.rules).toEqual([
      expect.objectContaining({
        count: 2,
        code: "policy_denied",
        rule: expect.objectContaining({ name: "no-push", source: expect.objectContaining({ line: 3 }) }),
      }),
    ]);
    const { body } = await api.get<RuleHits>("/api/rules/hits", reader);
    const hit = body.hits.find(({ rule }) => rule.name === "no-push");
    expect(hit).toMatchObject({ count: 2, deny: 2, inForce: true });
    expect(body.neverMatched.map(({ name }) => name)).toEqual(["never"]);
    expect(body.complete).toBe(true);
  });

  it("says how questions were answered", async () => {
    const { approvals } = server.parts.store;
    await approvals.open(approvalRequest("aaaa1", { sessionId: "1" }));
    await approvals.open(approvalRequest("aaaa2", { sessionId: "2" }));
    await approvals.answer("aaaa1", { decision: "approve", by: "ann" });
    const { body } = await api.get<Questions>("/api/approvals/stats", reader);
    expect(body).toMatchObject({ asked: 2, open: 1, approved: 1, denied: 0, expired: 0 });
    expect(body.medianAnswerMs).toBeGreaterThanOrEqual(0);
    await approvals.withdraw("aaaa2");
  });

  it("checks the chain in the background and keeps the result", async () => {
    const read = async () => (await api.get<VerificationState>("/api/ledger/verification", reader)).body;
    expect((await read()).state).toBe("never");
    const begun = await api.post<VerificationState>("/api/ledger/verification", undefined, reader);
    expect([begun.status, begun.body.state]).toEqual([202, "running"]);
    expect(begun.body.startedBy).toBe("token-read");
    while ((await read()).state === "running") await sleep(10);
    expect(await read()).toMatchObject({ state: "done", result: { ok: true, problems: [] } });
  });

  it("runs the tests that rules carry, and says which fail", async () => {
    const { body } = await api.post<RuleTestReport>("/api/rules/test", {}, reader);
    expect(body).toMatchObject({ passed: 1, failed: 1 });
    expect(body.files[0]?.tests.map(({ desc, ok }) => [desc, ok])).toEqual([
      ["a push", true],
      ["a look", false],
    ]);
    const file = "/rules/toolgate.yaml";
    expect((await api.post("/api/rules/test", { file }, reader)).body).toMatchObject({ failed: 1 });
    expect((await api.post("/api/rules/test", { file: "/etc/passwd" }, reader)).status).toBe(404);
  });
});

describe("a replay over REST", () => {
  const { server, api } = useServer();
  beforeAll(async () => {
    for (let number = 0; number < 30; number++)
      await server.parts.gate.check({
        tool: "Bash",
        input: { command: number % 3 === 0 ? `git push ${number}` : "git status" },
        cwd: server.folder,
      });
  });
  const replay = (body: object, who = reader) => api.post<ReplayResult>("/api/replay", body, who);
  const denies = `policies:
  no-push:
    tools: Bash
    action: deny
    conditions: [{ type: command, operator: startsWith, value: git push }]
`;

  it("tells which verdicts other rules would change, the newest first", async () => {
    const { status, body } = await replay({ yaml: denies });
    expect(status).toBe(200);
    expect(body).toMatchObject({ ok: true, calls: 30, changed: 10, stoppedEarly: false });
    const change = { tool: "shell.exec", summary: "git push 27", before: "abstain", now: "deny" };
    expect(body.changes[0]).toMatchObject({ ...change, rule: { name: "no-push" } });
    const few = await replay({ yaml: denies, limit: 5, filter: { tool: "shell.exec" }, keep: false });
    expect(few.body).toMatchObject({ calls: 5, changed: 1 });
    expect((await replay({ yaml: denies, filter: { tool: "fs.*" } })).body.calls).toBe(0);
  });

  it("says with line and column what is wrong with the rules, and plays nothing", async () => {
    const { body } = await replay({ yaml: "policies:\n  x:\n    action: deny\n" });
    expect(body).toMatchObject({ ok: false, calls: 0 });
    expect(body.problems[0]).toMatchObject({ line: 2, message: expect.stringContaining("tools") });
    const slow = "routes:\n  r:\n    tool: Bash\n    pattern: '^(a+)+$'\n    message: no\n";
    expect((await replay({ yaml: slow })).status).toBe(200);
    expect((await replay({ yaml: "x".repeat(200_001) })).status).toBe(422);
    expect((await replay({ yaml: denies }, { token: "token-call" })).status).toBe(403);
  });

  it("starts no hook that was pasted", async () => {
    const command = `touch ${server.folder}/evil`;
    const yaml = `hooks:\n  commands:\n    evil:\n      type: PreToolUse\n      command: ${command}\n`;
    expect((await replay({ yaml: yaml + denies })).body).toMatchObject({ ok: true, calls: 30 });
    expect(readdirSync(server.folder)).not.toContain("evil");
  });

  it("is done for one at a time", async () => {
    const both = await Promise.all([replay({ yaml: denies }), replay({ yaml: denies })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 503]);
  });
});
