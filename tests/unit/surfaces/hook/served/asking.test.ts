/** Who is asked about a call of Claude Code while a server runs: its own prompt, or whoever watches the queue. */
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openAgent } from "../../../../../src/agents/all-agents.ts";
import { claudeCode } from "../../../../../src/agents/claude-code/agent.ts";
import { openStore } from "../../../../../src/open/open-store.ts";
import { checkHook } from "../../../../../src/surfaces/hook/served/check-hook.ts";
import { createHookService } from "../../../../../src/surfaces/hook/served/hook-service.ts";
import { createHookWorld, said } from "../hook-world.ts";

const rules = `policies:
  secrets: {tools: '*', action: deny, conditions: [{type: path, operator: matches, value: '(^|/)\\.env$'}]}
  deploy: {tools: Bash, action: ask, reason: Ann decides., conditions: [{type: command, operator: startsWith, value: deploy}]}
`;

interface Asked {
  readonly mode?: string;
  readonly attended?: "0" | "1";
  readonly more?: Readonly<Record<string, string>>;
}

async function createServer(settings = "") {
  const world = createHookWorld();
  world.user(rules + settings);
  const store = await openStore({ stateFolder: join(world.base, "store") });
  const watched = { now: false };
  const service = createHookService({ store, env: world.env, isWatched: () => watched.now });
  onTestFinished(async () => {
    await service.close();
    await store.close();
  });
  const agent = await openAgent(claudeCode);
  const ask = async (command: string, { mode = "default", attended = "1", more = {} }: Asked = {}) => {
    const call = {
      ...{ tool_name: "Bash", tool_input: { command }, session_id: "s1", permission_mode: mode },
      ...more,
    };
    const checked = await checkHook(
      {
        agent,
        text: JSON.stringify(call),
        cwd: world.project,
        env: { ...world.env, CLAUDE_CODE_SESSION_ID: "s1", CLAUDE_CODE_SESSION_ATTENDED: attended },
        caller: { id: "local", capabilities: ["*"] },
        isOwner: true,
        isStillAllowed: async () => true,
        signal: new AbortController().signal,
        waitMs: 60_000,
      },
      service,
    );
    if (!checked.ok) throw new Error(checked.message);
    return said(checked.answer);
  };
  /** Says yes to the one question that waits. */
  const approve = async () => {
    await expect.poll(async () => (await store.approvals.pending()).length, { timeout: 20_000 }).toBe(1);
    const [question] = await store.approvals.pending();
    await store.approvals.answer(question?.id ?? "", { decision: "approve", by: "ann" });
  };
  return { ask, approve, watched, store };
}

it("answers with the agent's own ask while nobody watches, and leaves no question behind", async () => {
  const { ask, store } = await createServer();
  expect(await ask("deploy prod")).toMatchObject({
    permissionDecision: "ask",
    permissionDecisionReason: expect.stringContaining("Ann decides."),
  });
  expect(await store.approvals.pending()).toEqual([]);
});

it("waits on the queue while somebody watches it", async () => {
  const { ask, approve, watched } = await createServer();
  watched.now = true;
  const [answer] = await Promise.all([ask("deploy prod"), approve()]);
  expect(answer).toMatchObject({ permissionDecision: "allow" });
});

it("waits on the queue if the settings say so, and asks by the agent if they say that", async () => {
  const queue = await createServer("hooks: {ask: queue}\n");
  const [answer] = await Promise.all([queue.ask("deploy prod"), queue.approve()]);
  expect(answer).toMatchObject({ permissionDecision: "allow" });
  const agent = await createServer("hooks: {ask: agent}\n");
  agent.watched.now = true;
  expect(await agent.ask("deploy prod")).toMatchObject({ permissionDecision: "ask" });
});

it("takes a person's earlier yes for granted instead of asking again", async () => {
  const { ask, watched, store } = await createServer();
  watched.now = true;
  const waiting = ask("deploy prod");
  await expect.poll(async () => (await store.approvals.pending()).length, { timeout: 20_000 }).toBe(1);
  const [question] = await store.approvals.pending();
  await store.approvals.answer(question?.id ?? "", { decision: "approve", by: "ann", scope: "session" });
  expect(await waiting).toMatchObject({ permissionDecision: "allow" });
  watched.now = false;
  expect(await ask("deploy prod")).toMatchObject({ permissionDecision: "allow" });
});

it("leaves what cannot be read to a prompt that is on, and asks elsewhere", async () => {
  const { ask, approve, watched } = await createServer();
  expect(await ask("cat $FILE")).toMatchObject({ additionalContext: expect.stringContaining('"secrets"') });
  expect(await ask("cat $FILE", { mode: "bypassPermissions" })).toMatchObject({ permissionDecision: "ask" });
  expect(await ask("cat $FILE", { attended: "0" })).toMatchObject({ permissionDecision: "ask" });
  watched.now = true;
  const [answer] = await Promise.all([ask("cat $FILE", { mode: "auto" }), approve()]);
  expect(answer).toMatchObject({ permissionDecision: "allow" });
  expect(await ask("cat .env", { mode: "auto" })).toMatchObject({ permissionDecision: "deny" });
});

it("names the agent and its sub-agent to who answers, and in the record", async () => {
  const { ask, watched, store } = await createServer();
  watched.now = true;
  const answering = async () => {
    await expect.poll(async () => (await store.approvals.pending()).length, { timeout: 20_000 }).toBe(1);
    const [question] = await store.approvals.pending();
    expect(question?.agent).toEqual({ name: "claude-code", subAgent: { id: "a1", type: "Explore" } });
    await store.approvals.answer(question?.id ?? "", { decision: "deny", by: "ann" });
  };
  const more = { agent_id: "a1", agent_type: "Explore" };
  await Promise.all([ask("deploy prod", { more }), answering()]);
  const { entries } = await store.ledger.query({});
  expect(entries[0]?.body).toMatchObject({ agent: "claude-code", subAgent: "Explore a1" });
});
