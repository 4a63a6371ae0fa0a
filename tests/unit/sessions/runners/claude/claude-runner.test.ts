import { describe, expect, it } from "vitest";
import { readProcess } from "../../../../../src/safe/process/process-table.ts";
import { createClaudeRunner } from "../../../../../src/sessions/runners/claude/create-claude-runner.ts";
import {
  add,
  ann,
  folder,
  isIdleAfter,
  sessionsWorld,
  tool,
  type WorldOptions,
} from "../../sessions-world.ts";
import { type FakeScript, type FakeSdkOptions, fakeSdk, init, success, textOf } from "./fake-sdk.ts";

async function world(
  script: FakeScript,
  { gate, ...fake }: FakeSdkOptions & Pick<WorldOptions, "gate"> = {},
) {
  const sdk = fakeSdk(script, fake);
  const runner = createClaudeRunner({ sdk: async () => sdk.module, env: { MINE: "1" } });
  const made = await sessionsWorld(runner, { gate: { tools: [add], ...gate } });
  const { sessions, start, read } = made;
  /** Runs a turn to its end. */
  async function turn(more: object = {}, known?: string) {
    const before = known === undefined ? 0 : ((await sessions.get(known))?.turn ?? 0);
    const id = known ?? (await start(more));
    if (known !== undefined) await sessions.send(id, { text: "more", resume: true }, ann);
    return { id, events: await read(id, isIdleAfter(before + 1)) };
  }
  const items = async (id: string) =>
    (await sessions.items(id)).map(({ kind, body }) => ({ kind, ...body }) as Record<string, unknown>);
  return { ...made, sdk, turn, items };
}

describe("the claude runner", () => {
  it("keeps messages and usage, not thoughts, and joins deltas with what comes whole", async () => {
    const { turn, items, sessions } = await world(async function* ({ heard }) {
      await heard();
      yield init();
      yield* textOf("Two words.");
      yield* textOf("Of a sub-agent.", "msg_2", "toolu_agent");
      yield { type: "something_new", session_id: "agent-1" };
      yield success;
    });
    const { id, events } = await turn();
    const kept = await items(id);
    const said = kept.map(({ kind, text }) => `${kind} ${text ?? ""}`.trim());
    expect(said).toEqual(["message go", "message Two words.", "usage", "usage", "completed"]);
    expect(kept[2]).toMatchObject({ inputTokens: 7, outputTokens: 3 });
    const deltas = events.filter(({ event }) => event === "message-delta");
    const whole = events.find(({ event, data }) => event === "message" && data.role === "assistant");
    expect(deltas.map(({ data }) => data.itemId)).toEqual(deltas.map(() => whole?.data.itemId));
    expect((await sessions.get(id))?.agentSessionId).toBe("agent-1");
  });

  it("takes no end for its own but that of the turn in which the agent has taken the prompt", async () => {
    const { turn, items } = await world(async function* ({ heard }) {
      const { uuid } = await heard();
      yield init();
      yield { ...success, origin: { kind: "task-notification" } };
      yield { type: "command_lifecycle", command_uuid: uuid, state: "queued" };
      yield success;
      yield { type: "command_lifecycle", command_uuid: uuid, state: "started" };
      yield* textOf("Here.");
      yield { ...success, stop_reason: "refusal" };
    });
    const { id } = await turn();
    expect((await items(id)).slice(1)).toMatchObject([
      { text: "Here." },
      { kind: "usage" },
      { kind: "completed", stopReason: "refusal" },
    ]);
  });

  it("starts the agent with the gate as its only executor, in a process that the store knows", async () => {
    let environment: unknown;
    const { turn, sdk, sessions } = await world(async function* ({ heard, options, process }) {
      await heard();
      environment = options.env;
      yield init();
      expect(process.killed).toBe(false);
      yield success;
    });
    const { id } = await turn({ system: "Be brief.", model: "opus", budget: { turns: 7 } });
    const [options] = sdk.started;
    expect(options).toMatchObject({
      cwd: folder,
      model: "opus",
      maxTurns: 7,
      tools: [],
      settingSources: [],
      strictMcpConfig: true,
      verbatimPrompts: true,
      permissionMode: "default",
      allowedTools: ["mcp__toolgate__math_add"],
      systemPrompt: expect.stringContaining("Be brief."),
    });
    expect(options).not.toHaveProperty("resume");
    expect(environment).toMatchObject({ MINE: "1", DISABLE_AUTOUPDATER: "1" });
    const agentProcess = (await sessions.get(id))?.agentProcess;
    expect(agentProcess).toMatchObject({ mark: expect.any(String) });
    expect(readProcess(agentProcess?.pid ?? 0)).toBeDefined();
    await sessions.cancel(id, "ann");
    expect(readProcess(agentProcess?.pid ?? 0)).toBeUndefined();
  });

  it("serves the tools of the session, and tells when there are others", async () => {
    const seen: unknown[] = [];
    const { turn, items, gate } = await world(async function* (agent) {
      await agent.heard();
      yield init();
      const { result } = await agent.ask("initialize", { protocolVersion: "2025-06-18" });
      seen.push(result);
      seen.push(await agent.ask("tools/list"));
      yield { type: "assistant", message: { id: "msg_9", content: [{ type: "tool_use", id: "toolu_1" }] } };
      const _meta = { "claudecode/toolUseId": "toolu_1" };
      seen.push(await agent.ask("tools/call", { name: "math_add", arguments: { a: 1, b: 2 }, _meta }));
      seen.push(await agent.ask("resources/list"));
      gate.tools.register(tool("math.sum", () => "0"));
      seen.push(agent.notices);
      yield success;
    });
    const { id } = await turn();
    expect(seen).toMatchObject([
      { protocolVersion: "2025-06-18", serverInfo: { name: "toolgate" } },
      { result: { tools: [{ name: "math_add", inputSchema: { type: "object" } }] } },
      { result: { content: [{ type: "text", text: "3" }], isError: false } },
      { error: { code: -32601 } },
      ["notifications/tools/list_changed"],
    ]);
    expect((await items(id)).filter(({ toolUseId }) => toolUseId === "toolu_1")).toHaveLength(2);
  });

  it("denies everything that is not the gate's, whatever the agent thinks that it has", async () => {
    const answers: Record<string, unknown>[] = [];
    const { turn } = await world(async function* ({ heard, hook }) {
      await heard();
      yield init();
      for (const tool_name of ["mcp__toolgate__math_add", "Bash", "mcp__toolgate2__x", undefined])
        answers.push(await hook("PreToolUse", { tool_name, tool_input: {} }));
      yield success;
    });
    await turn();
    expect(answers).toMatchObject(
      ["allow", "deny", "deny", "deny"].map((permissionDecision) => ({
        hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision },
      })),
    );
  });

  it("tells each error once, in the words of the port", async () => {
    const bad = (more: object) => ({ type: "result", subtype: "success", is_error: true, ...more });
    const ends = [
      bad({ result: "API Error: 529", api_error_status: 529, terminal_reason: "api_error" }),
      bad({ result: "Not for you.", terminal_reason: "api_error" }),
      bad({ subtype: "error_max_turns", errors: ["Reached maximum number of turns (2)"] }),
      bad({ subtype: "error_during_execution", errors: ["It broke."] }),
    ];
    const { turn, items } = await world(async function* ({ heard }) {
      await heard();
      yield init();
      const end = ends.shift();
      if (end === undefined) {
        yield* textOf("Fine.");
        yield success;
      } else {
        yield end;
        throw new Error("Claude Code returned an error result");
      }
    });
    const { id } = await turn();
    for (let left = 4; left > 0; left--) await turn({}, id);
    const errors = (await items(id)).filter(({ kind }) => kind === "error");
    expect(errors.map(({ code, retryable }) => [code, retryable])).toEqual([
      ["model_overloaded", true],
      ["model_failed", false],
      ["budget_spent", false],
      ["runner_failed", false],
    ]);
    expect((await items(id)).at(-1)).toMatchObject({ kind: "completed", stopReason: "end_turn" });
  });

  it("says what the agent wrote when its process dies, and resumes it with the next message", async () => {
    const { turn, items, sdk } = await world(
      async function* ({ heard, options }) {
        await heard();
        yield init();
        // The process ends by itself.
        if (options.resume === undefined) await new Promise(() => {});
        yield success;
      },
      { program: ["/bin/sh", "-c", "read line; echo 'out of memory' >&2; exit 3"] },
    );
    const { id } = await turn();
    expect((await items(id)).at(-1)).toMatchObject({
      kind: "error",
      code: "agent_died",
      message: expect.stringContaining("out of memory"),
    });
    await turn({}, id);
    expect(sdk.started[1]).toMatchObject({ resume: "agent-1" });
  });

  it("starts afresh with the transcript where the agent does not know its session any more", async () => {
    const heardTexts: string[] = [];
    const { turn, items, sdk, sessions } = await world(async function* ({ heard, options }) {
      heardTexts.push((await heard()).message.content);
      if (options.resume !== undefined) {
        const errors = ["No conversation"];
        yield { type: "result", subtype: "error_during_execution", is_error: true, errors };
        throw new Error("No conversation");
      }
      yield init(`agent-${heardTexts.length}`);
      yield* textOf("The word is plum.");
      yield success;
    });
    const { id } = await turn();
    await sessions.cancel(id, "ann");
    await turn({}, id);
    expect(sdk.started.map(({ resume }) => resume)).toEqual([undefined, "agent-1", undefined]);
    expect(heardTexts[2]).toContain("User: go");
    expect(heardTexts[2]).toContain("Assistant: The word is plum.");
    expect(heardTexts[2]?.endsWith("more")).toBe(true);
    const notes = (await items(id)).filter(({ role }) => role === "note");
    expect(notes).toMatchObject([{ text: expect.stringContaining("agent_session_gone") }]);
    expect((await sessions.get(id))?.agentSessionId).toBe("agent-3");
  });

  it("interrupts a turn that is cancelled, and ends an agent that does not listen", async () => {
    let listens = true;
    let prompts = 0;
    const { sessions, sdk, start } = await world(async function* ({ heard, interrupted }) {
      for (;;) {
        await heard();
        prompts++;
        yield init();
        yield { type: "stream_event", event: { type: "message_start", message: { id: "m" } } };
        await interrupted;
        if (!listens) await new Promise(() => {});
        yield { ...success, subtype: "error_during_execution", is_error: true };
      }
    });
    const id = await start();
    await expect.poll(async () => (await sessions.get(id))?.agentSessionId).toBe("agent-1");
    const agentProcess = (await sessions.get(id))?.agentProcess;
    await sessions.cancel(id, "ann", { turn: 1 });
    expect((await sessions.get(id))?.state).toBe("idle");
    expect(readProcess(agentProcess?.pid ?? 0)).toBeDefined();
    listens = false;
    await sessions.send(id, { text: "more" }, ann);
    await expect.poll(() => prompts).toBe(2);
    await sessions.cancel(id, "ann", { turn: 2 });
    expect(readProcess(agentProcess?.pid ?? 0)).toBeUndefined();
    expect(sdk.started).toHaveLength(1);
  });

  it("refuses a module that is no SDK, and an SDK that starts the agent by itself", async () => {
    async function* alone() {
      yield init();
    }
    const modules: object[] = [{}, { query: alone }];
    const runner = createClaudeRunner({ sdk: async () => modules.shift() });
    const { sessions, start } = await sessionsWorld(runner);
    for (const code of ["runner_missing", "agent_died"]) {
      const id = await start({ mode: "plan" });
      await expect.poll(async () => (await sessions.get(id))?.error?.code).toBe(code);
    }
  });
});

describe("an agent of the claude runner that keeps its own tools", () => {
  it("is allowed, changed and denied as the gate decides, and nothing runs outside of a turn", async () => {
    const answers: Record<string, unknown>[] = [];
    let late: Promise<Record<string, unknown>> | undefined;
    const bash = (command: string, id: string) => ({
      ...{ tool_name: "Bash", tool_input: { command }, tool_use_id: id },
    });
    const conditions = [{ type: "command", operator: "matches", value: "^touch " }] as const;
    const touch = { name: "touch", tools: "Bash", action: "approve", conditions } as const;
    const rewrite = { pattern: "^touch a$", action: "rewrite", rewrite: { command: "touch b" } } as const;
    const plain = { name: "plain", tool: "Bash", message: "b it is", ...rewrite };
    const seen = { name: "after", type: "PostToolUse", toolPatterns: ["*"] } as const;
    const after = { ...seen, run: () => ({ contextModification: "Seen." }) };
    const over = Promise.withResolvers<void>();
    const { turn, items, sdk } = await world(
      async function* ({ heard, hook, options }) {
        await heard();
        yield init();
        answers.push(await hook("PreToolUse", bash("ls", "toolu_1")));
        const came = { tool_response: { stdout: "notes.txt", stderr: "" }, duration_ms: 4 };
        answers.push(await hook("PostToolUse", { ...bash("ls", "toolu_1"), ...came }));
        answers.push(await hook("PreToolUse", bash("rm -r x", "toolu_2")));
        answers.push(await hook("PreToolUse", bash("touch a", "toolu_3")));
        const mayRun = options.canUseTool as (
          tool: string,
          input: object,
          more: object,
        ) => Promise<Record<string, unknown>>;
        for (const [command, toolUseID] of [
          ["touch b", "toolu_3"],
          ["touch a", "toolu_3"],
          ["rm -r x", "toolu_2"],
        ])
          answers.push(await mayRun("Bash", { command }, { toolUseID }));
        answers.push(await hook("PreToolUse", { tool_name: "Bash" }));
        yield success;
        await over.promise;
        late = hook("PreToolUse", bash("ls", "toolu_4"));
        await new Promise(() => {});
      },
      { gate: { routes: [plain], policies: [touch], hooks: [after] } },
    );
    const { id } = await turn({ tools: "agent" });
    over.resolve();
    const said = answers.map(
      ({ hookSpecificOutput, behavior }) =>
        behavior ?? (hookSpecificOutput as Record<string, unknown> | undefined)?.permissionDecision,
    );
    expect(said).toEqual(["allow", undefined, "deny", "allow", "allow", "deny", "deny", "deny"]);
    expect(answers[1]).toMatchObject({
      hookSpecificOutput: { additionalContext: expect.stringContaining("Seen.") },
    });
    expect(answers[3]).toMatchObject({ hookSpecificOutput: { updatedInput: { command: "touch b" } } });
    await expect.poll(() => late).toBeDefined();
    expect(await late).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
    const results = (await items(id)).filter(({ kind }) => kind === "tool_result");
    expect(results).toMatchObject([
      { toolUseId: "toolu_1", ok: true, content: [{ text: "notes.txt" }] },
      { toolUseId: "toolu_2", ok: false, code: "no_approver" },
    ]);
    const [options] = sdk.started;
    expect(options).toMatchObject({
      systemPrompt: { preset: "claude_code" },
      settingSources: [],
      disallowedTools: ["AskUserQuestion"],
      hooks: { PreToolUse: [{ onFailure: "block" }] },
    });
    expect(options).not.toHaveProperty("tools");
    expect(options).not.toHaveProperty("allowedTools");
  });
});
