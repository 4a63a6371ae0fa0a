/** What a server adds to the answers of a hook: people who are waited for, limits, a ledger, and rules that change meanwhile. */
import { describe, expect, it } from "vitest";
import { silence } from "../../../../../src/agents/agent-hook.ts";
import type { Store } from "../../../../../src/open/open-store.ts";
import { bash, createHookWorld, rules, said, serveHooks } from "../hook-world.ts";

type Answer = Parameters<Store["approvals"]["answer"]>[1];

async function createServer(text: string) {
  const world = createHookWorld();
  world.user(text);
  const watched = { now: false };
  const served = await serveHooks(world, () => watched.now);
  const { approvals, ledger } = served.store;
  const question = async () => {
    await expect.poll(async () => (await approvals.pending()).length).toBe(1);
    return (await approvals.pending())[0]!;
  };
  /** Answers the one question that waits. */
  const answer = async (given: Answer = { decision: "approve", by: "ann" }) =>
    expect(await approvals.answer((await question()).id, given)).toEqual({ ok: true });
  const records = async () => (await ledger.query({})).entries.map(({ body }) => body);
  return { world, served, watched, question, answer, records };
}

describe("a call of Claude Code while a server runs", () => {
  const asking = `policies:
  secrets: {tools: '*', action: deny, conditions: [{type: path, operator: matches, value: '(^|/)\\.env$'}]}
  deploy: {tools: Bash, action: ask, reason: Ann decides., conditions: [{type: command, operator: startsWith, value: deploy}]}
`;

  async function createAsking(settings = "") {
    const server = await createServer(asking + settings);
    const ask = async (command: string, more: object = {}, attended = "1") => {
      const call = bash(command, { session_id: "s1", permission_mode: "default", ...more });
      const env = { CLAUDE_CODE_SESSION_ID: "s1", CLAUDE_CODE_SESSION_ATTENDED: attended };
      return said(await server.served.claude(call, { env }));
    };
    return { ...server, ask };
  }

  it("is put to its own prompt while nobody watches, and leaves no question behind", async () => {
    const { ask, served } = await createAsking();
    expect(await ask("deploy prod")).toMatchObject({
      permissionDecision: "ask",
      permissionDecisionReason: expect.stringContaining("Ann decides."),
    });
    expect(await served.store.approvals.pending()).toEqual([]);
  });

  it("waits on the queue while somebody watches it", async () => {
    const { ask, answer, watched } = await createAsking();
    watched.now = true;
    const [told] = await Promise.all([ask("deploy prod"), answer()]);
    expect(told).toMatchObject({ permissionDecision: "allow" });
  });

  it("waits on the queue if the settings say so, and asks by the agent if they say that", async () => {
    const queue = await createAsking("hooks: {ask: queue}\n");
    const [told] = await Promise.all([queue.ask("deploy prod"), queue.answer()]);
    expect(told).toMatchObject({ permissionDecision: "allow" });
    const agent = await createAsking("hooks: {ask: agent}\n");
    agent.watched.now = true;
    expect(await agent.ask("deploy prod")).toMatchObject({ permissionDecision: "ask" });
  });

  it("takes a person's earlier yes for granted instead of asking again", async () => {
    const { ask, answer, watched } = await createAsking();
    watched.now = true;
    const yes = { decision: "approve", by: "ann", scope: "session" } as const;
    const [told] = await Promise.all([ask("deploy prod"), answer(yes)]);
    expect(told).toMatchObject({ permissionDecision: "allow" });
    watched.now = false;
    expect(await ask("deploy prod")).toMatchObject({ permissionDecision: "allow" });
  });

  it("that cannot be read is left to a prompt that is on, and asked about elsewhere", async () => {
    const { ask, answer, watched } = await createAsking();
    expect(await ask("cat $FILE")).toMatchObject({ additionalContext: expect.stringContaining('"secrets"') });
    const bypass = { permission_mode: "bypassPermissions" };
    expect(await ask("cat $FILE", bypass)).toMatchObject({ permissionDecision: "ask" });
    expect(await ask("cat $FILE", {}, "0")).toMatchObject({ permissionDecision: "ask" });
    watched.now = true;
    const auto = { permission_mode: "auto" };
    const [told] = await Promise.all([ask("cat $FILE", auto), answer()]);
    expect(told).toMatchObject({ permissionDecision: "allow" });
    expect(await ask("cat .env", auto)).toMatchObject({ permissionDecision: "deny" });
  });

  it("names the agent and its sub-agent to who answers, and in the record", async () => {
    const { ask, answer, watched, question, records } = await createAsking();
    watched.now = true;
    const answering = async () => {
      const subAgent = { id: "a1", type: "Explore" };
      expect((await question()).agent).toEqual({ name: "claude-code", subAgent });
      await answer({ decision: "deny", by: "ann" });
    };
    await Promise.all([ask("deploy prod", { agent_id: "a1", agent_type: "Explore" }), answering()]);
    expect((await records())[0]).toMatchObject({ agent: "claude-code", subAgent: "Explore a1" });
  });
});

describe("a call of a program that only reads the settings of Claude Code", () => {
  it("waits for a person, and runs on when another process says yes", async () => {
    const { served, question, answer } = await createServer(rules);
    const asked = served.claude(bash("deploy prod"));
    const input = { command: "deploy prod" };
    expect(await question()).toMatchObject({ toolId: "shell.exec", caller: "local", input });
    await answer();
    const allowed = { hookEventName: "PreToolUse", permissionDecision: "allow" };
    expect(await asked).toEqual({
      ...silence,
      stdout: `${JSON.stringify({ hookSpecificOutput: allowed })}\n`,
    });
  });

  it("is told who said no, and why", async () => {
    const { served, answer } = await createServer(rules);
    const no = { decision: "deny", by: "ann", reason: "not on Fridays" } as const;
    const [{ stderr, exitCode }] = await Promise.all([served.claude(bash("deploy prod")), answer(no)]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("ann denied shell.exec: not on Fridays")]);
  });

  it("is denied in time when nobody answers, and says how to approve", async () => {
    const { served } = await createServer(rules);
    const { stderr, exitCode } = await served.claude(bash("deploy prod"), { waitMs: 300 });
    expect(exitCode).toBe(2);
    expect(stderr).toContain("Nobody answered within");
    expect(stderr).toContain("toolgate approvals approve");
    expect(await served.store.approvals.pending()).toEqual([]);
  });

  it("is recorded in the ledger, as a hook's check by the same caller as from a process", async () => {
    const { served, records } = await createServer(rules);
    await served.claude(bash("git push --force", { tool_use_id: "toolu_1", session_id: "s1" }));
    expect((await records()).filter(({ toolUseId }) => toolUseId === "toolu_1")).toEqual([
      expect.objectContaining({ surface: "hook", caller: "local", verdict: "deny", sessionId: "s1" }),
    ]);
  });

  it("counts for limits, which a process cannot", async () => {
    const limit = "limits:\n  few: {tools: Bash, per: session, max: 2, windowMs: 3600000}\n";
    const { served } = await createServer(limit);
    const codes = [];
    for (let count = 0; count < 3; count++)
      codes.push((await served.claude(bash("echo hello", { session_id: "s" }))).exitCode);
    expect(codes).toEqual([0, 0, 2]);
  });

  it("that has run closes its record, in silence", async () => {
    const { world, served } = await createServer(rules);
    const end = { hook_event_name: "PostToolUse", tool_response: "x", tool_use_id: "toolu_9" };
    expect(await served.claude(bash("ls", end))).toEqual(silence);
    expect(world.spoolText()).toContain('"toolu_9"');
  });
});

describe("the rules of a hook that asks a server", () => {
  const none = (reason: string) => `policies:\n  none: {tools: Bash, action: deny, reason: ${reason}}\n`;

  it("change with their file, from one call to the next", async () => {
    const { world, served } = await createServer(rules);
    expect((await served.claude(bash("ls"))).exitCode).toBe(0);
    world.user(none("Closed today."));
    expect((await served.claude(bash("ls"))).stderr).toContain("Closed today.");
    world.user(rules);
    expect((await served.claude(bash("ls"))).exitCode).toBe(0);
    world.write("toolgate.yaml", none("A new file."));
    expect((await served.claude(bash("ls"))).stderr).toContain("A new file.");
  });

  it("stay the last good ones when a file is broken, and it is said", async () => {
    const { world, served } = await createServer(rules);
    expect((await served.claude(bash("git push --force"))).exitCode).toBe(2);
    world.user("routes: [");
    const { stderr, exitCode } = await served.claude(bash("git push --force"));
    expect(exitCode).toBe(2);
    expect(stderr).toContain("the last rules that worked still hold");
  });

  it("hold for a call that waits as they are when a person says yes", async () => {
    const { world, served, question, answer } = await createServer(rules);
    const asked = served.claude(bash("deploy prod"));
    await question();
    world.user(none("Closed today."));
    expect((await served.claude(bash("ls"))).stderr).toContain("Closed today.");
    await answer();
    expect(await asked).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("Closed today.") });
  });
});
