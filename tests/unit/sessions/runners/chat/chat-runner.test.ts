import { afterEach, describe, expect, it } from "vitest";
import { toolResult } from "../../../../../src/core/call/content.ts";
import { defineTool } from "../../../../../src/core/tool/tool.ts";
import { createChatRunner } from "../../../../../src/sessions/runners/chat/chat-runner.ts";
import { createScriptedModel, type ScriptedModelOptions } from "../../../../../src/testing/scripted-model.ts";
import { add, ann, apis, closeAll, closeLater, follow, world } from "./chat-world.ts";

afterEach(closeAll);

async function scripted(script: ScriptedModelOptions["script"]) {
  const model = await createScriptedModel({ script });
  closeLater(() => model.close());
  return model;
}

const sum = (a: number, b: number, id?: string) => ({
  tool: "math_add",
  input: { a, b },
  ...(id !== undefined && { id }),
});

describe.each(apis)("a chat over the API of %s", (api) => {
  it("streams what the model says, keeps it whole, and tells why it stopped and what it used", async () => {
    const model = await scripted(["Hello there, how are you?"]);
    const { run } = await world(model.url, { api });
    const { text, events, stopReason } = await run("hi");
    expect(text).toBe("Hello there, how are you?");
    expect(stopReason).toBe(api === "anthropic" ? "end_turn" : "stop");
    const usage = events.find(({ event }) => event === "usage")?.data;
    expect(usage?.inputTokens).toBeGreaterThan(0);
    expect(usage?.outputTokens).toBeGreaterThan(0);
    const deltas = events.filter(({ event }) => event === "message-delta");
    expect(deltas.length).toBeGreaterThan(0);
    expect(model.requests[0]).toMatchObject({ stream: true, tools: ["math_add"], model: "scripted" });
    expect(model.requests[0]?.system).toContain("You work in the folder");
  });

  it("runs the calls of one message together and tells the model each result", async () => {
    let running = 0;
    let most = 0;
    const slow = defineTool({
      id: "slow.read",
      description: "Waits.",
      permission: "read",
      input: { type: "object", properties: { n: { type: "number" } } },
      run: async ({ n }) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 50));
        running--;
        return `waited ${n}`;
      },
    });
    const model = await scripted([
      {
        text: "Two at once.",
        calls: [
          { tool: "slow_read", input: { n: 1 }, id: "one" },
          { tool: "slow_read", input: { n: 2 }, id: "two" },
        ],
      },
      "done",
    ]);
    const { run } = await world(model.url, { api }, { tools: [slow] });
    const { text, events } = await run("go");
    expect(text).toBe("done");
    expect(most).toBe(2);
    expect(model.toolResults().map(({ id, text: told }) => [id, told])).toEqual([
      ["one", "waited 1"],
      ["two", "waited 2"],
    ]);
    const kinds = events.filter(({ id }) => id !== undefined).map(({ event }) => event);
    expect(kinds).toEqual([
      ...["message", "message", "usage", "tool_use", "tool_use", "tool_result", "tool_result"],
      ...["message", "usage", "completed"],
    ]);
  });

  it("answers the other calls of a message as rejected when a person denies one, and goes on", async () => {
    const wipe = defineTool({
      id: "disk.wipe",
      description: "Wipes.",
      permission: "execute",
      input: { type: "object", properties: { disk: { type: "string" } } },
      run: ({ disk }) => `wiped ${disk}`,
    });
    const calls = ["a", "b"].map((disk) => ({ tool: "disk_wipe", input: { disk }, id: disk }));
    const model = await scripted([calls, "I will not."]);
    const { sessions, gate, run } = await world(model.url, { api }, { tools: [wipe] });
    gate.events.on("approval-request", async ({ request }) => {
      if (request.toolUseId === "a") await gate.approvals.answer(request.id, { decision: "deny", by: "ann" });
    });
    const { text, id } = await run("wipe both");
    expect(text).toBe("I will not.");
    const codes = (await sessions.items(id)).filter(({ kind }) => kind === "tool_result");
    const sorted = codes.map(({ body }) => body.code).sort();
    expect(sorted).toEqual(["approval_denied", "rejected_with_another"]);
  });

  it("refuses a call whose input is no JSON, and the model reads why", async () => {
    const model = await scripted([{ tool: "math_add", input: '{"a": 1, "b": ', id: "broken" }, "sorry"]);
    const { run } = await world(model.url, { api });
    const { text } = await run("add");
    expect(text).toBe("sorry");
    expect(model.toolResults()[0]?.text).toMatch(/The arguments cannot be read: not valid JSON/);
    const [again] = model.requests[1]?.messages.flatMap(({ toolCalls }) => toolCalls) ?? [];
    expect(again).toMatchObject({ id: "broken", input: { unreadable: '{"a": 1, "b": ' } });
  });

  it("takes max tokens inside a call for an error and not for a call", async () => {
    const model = await scripted([
      {
        text: "I begin",
        calls: [sum(1, 2)],
        stopReason: api === "anthropic" ? "max_tokens" : "length",
      },
    ]);
    const { run, gate } = await world(model.url, { api, maxTokens: 50 });
    const called: string[] = [];
    gate.events.on("call-start", ({ tool }) => called.push(tool));
    const { error, text } = await run("add");
    expect(error).toMatchObject({ code: "model_failed" });
    expect(error?.message).toMatch(/limit of 50 tokens inside a call of math_add.*nothing was run/);
    expect(text).toBe("I begin");
    expect(called).toEqual([]);
  });

  it("ends a loop without end by its budget", async () => {
    let count = 0;
    const model = await scripted(() => sum(++count, 1));
    const { run } = await world(model.url, { api });
    const { error } = await run("never stop", { budget: { turns: 5 } });
    expect(error).toMatchObject({ code: "budget_spent" });
    expect(model.requests).toHaveLength(5);
  });

  it("puts what is said during a turn into it", async () => {
    const gates = Promise.withResolvers<void>();
    const model = await scripted([
      async () => {
        await gates.promise;
        return sum(1, 2);
      },
      "noted",
    ]);
    const { sessions } = await world(model.url, { api });
    const started = await sessions.start({ prompt: "go", runner: "chat" }, ann);
    if (!started.ok) throw new Error(started.message);
    const { id } = started.session;
    await expect.poll(() => model.requests.length).toBe(1);
    await sessions.send(id, { text: "in French, please", steer: { expectedTurn: 1 } }, ann);
    gates.resolve();
    await follow(sessions, id);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "user", text: "in French, please" });
    expect(model.requests).toHaveLength(2);
  });

  it("goes on from the log: messages, calls and results, and calls that were cut off", async () => {
    const model = await scripted([
      { text: "first", calls: [sum(1, 2, "t1")] },
      "three",
      (_, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
      "again",
    ]);
    const one = await world(model.url, { api });
    const { id } = await one.run("add 1 and 2");
    await one.sessions.send(id, { text: "wait" }, ann);
    await expect.poll(() => model.requests.length).toBe(3);
    await one.sessions.cancel(id, "ann");
    await one.sessions.send(id, { text: "and now?", resume: true }, ann);
    const { text } = await follow(one.sessions, id, 3);
    expect(text).toBe("again");
    const told = model.requests[3]?.messages.map(({ role, text: said, toolCalls, toolResults }) =>
      [role, said, ...toolCalls.map(({ id: call }) => call), ...toolResults.map((r) => `${r.id}=${r.text}`)]
        .filter((part) => part !== "")
        .join(" "),
    );
    expect(told?.slice(0, 4)).toEqual([
      "user add 1 and 2",
      "assistant first t1",
      "user t1=3",
      "assistant three",
    ]);
    expect(told?.slice(4).join(" ")).toContain("wait");
    expect(told?.at(-1)).toContain("and now?");
  });

  it("tells the model what a hook adds", async () => {
    const model = await scripted([sum(1, 2), "ok"]);
    const { run } = await world(
      model.url,
      { api },
      {
        tools: [add],
        hooks: [{ name: "exact", type: "PreToolUse", toolPatterns: "math.*", run: () => "Sums are exact." }],
      },
    );
    await run("add");
    expect(model.toolResults()[0]?.text).toContain("Sums are exact.");
  });

  it("offers no tools where none are wanted, and refuses a call all the same", async () => {
    const model = await scripted([sum(1, 2), "fine"]);
    const { run } = await world(model.url, { api });
    const { text } = await run("add", { tools: false });
    expect(text).toBe("fine");
    expect(model.requests[0]?.tools).toEqual([]);
    expect(model.requests[0]?.body).not.toHaveProperty("tools");
    expect(model.toolResults()[0]?.text).toMatch(/not (?:open|enabled|available)|category|may not/i);
  });

  it("goes on after plan mode has refused a call", async () => {
    const write = defineTool({
      id: "note.write",
      description: "Writes.",
      permission: "write",
      input: { type: "object" },
      run: () => "written",
    });
    const model = await scripted([{ tool: "note_write", input: {} }, "I only plan."]);
    const { run, sessions } = await world(model.url, { api }, { tools: [write] });
    const { text, id } = await run("write", { mode: "plan" });
    expect(text).toBe("I only plan.");
    const results = (await sessions.items(id)).filter(({ kind }) => kind === "tool_result");
    expect(results[0]?.body).toMatchObject({ ok: false, code: "plan_mode" });
  });

  it("shows pictures of results to a model that takes them", async () => {
    const shot = defineTool({
      id: "screen.shot",
      description: "Shows.",
      permission: "read",
      input: { type: "object" },
      run: () => toolResult({ content: [{ type: "image", data: "aGVsbG8=", mimeType: "image/png" }] }),
    });
    const model = await scripted([{ tool: "screen_shot", input: {} }, "I see."]);
    const { run } = await world(model.url, { api }, { tools: [shot] });
    await run("look");
    expect(JSON.stringify(model.requests[1]?.body)).toContain("aGVsbG8=");
  });

  it("tells a model that refuses pictures that there was one", async () => {
    const shot = defineTool({
      id: "screen.shot",
      description: "Shows.",
      permission: "read",
      input: { type: "object" },
      run: () => toolResult({ content: [{ type: "image", data: "aGVsbG8=", mimeType: "image/png" }] }),
    });
    const model = await scripted([
      { tool: "screen_shot", input: {} },
      { status: 400, message: "image input is not supported" },
      "I was told.",
    ]);
    const { run } = await world(model.url, { api }, { tools: [shot] });
    const { text, events } = await run("look");
    expect(text).toBe("I was told.");
    expect(JSON.stringify(model.requests[2]?.body)).not.toContain("aGVsbG8=");
    expect(model.toolResults().at(-1)?.text).toContain("image of type image/png, not shown");
    expect(events.some(({ data }) => data.role === "note")).toBe(true);
  });

  it("leaves out the oldest results of tools where the conversation grows too long, and says so", async () => {
    const long = defineTool({
      id: "text.long",
      description: "Long.",
      permission: "read",
      input: { type: "object", properties: { n: { type: "number" } } },
      run: ({ n }) => `${n}:${"x".repeat(4_000)}`,
    });
    const steps = Array.from({ length: 6 }, (_, n) => ({ tool: "text_long", input: { n }, id: `t${n}` }));
    const model = await scripted([...steps, "done"]);
    const { run } = await world(model.url, { api, contextTokens: 4_000 }, { tools: [long] });
    const { text, events } = await run("read");
    expect(text).toBe("done");
    expect(events.some(({ data }) => /no longer sent .* old tool result/.test(String(data.text)))).toBe(true);
    const last = model.requests.at(-1)?.messages ?? [];
    const calls = last.flatMap(({ toolCalls }) => toolCalls.map(({ id }) => id));
    const results = last.flatMap(({ toolResults }) => toolResults);
    expect(results.map(({ id }) => id)).toEqual(calls);
    expect(results[0]?.text).toMatch(/left out to save room/);
    expect(results.at(-1)?.text).toMatch(/^5:xxx/);
  });

  it("sends the key and never shows it", async () => {
    const key = "sk-verysecret-0123456789abcdef";
    const model = await scripted([{ status: 401, message: `Incorrect API key provided: ${key}` }]);
    const { run } = await world(model.url, { api, key: () => `${key}\n`, retries: 0 });
    const { error, events } = await run("hi");
    const { headers } = model.requests[0] ?? {};
    expect(api === "anthropic" ? headers?.["x-api-key"] : headers?.authorization).toContain(key);
    expect(error?.message).toMatch(/HTTP 401.*Check the key/);
    expect(JSON.stringify(events)).not.toContain("verysecret");
  });
});

describe("the options of a chat runner", () => {
  it("are refused where they cannot be right", () => {
    const good = { api: "openai", baseUrl: "http://127.0.0.1:1/v1" } as const;
    expect(() => createChatRunner({ ...good, api: "gemini" as never })).toThrow(/api must be/);
    expect(() => createChatRunner({ ...good, baseUrl: "nowhere" })).toThrow(/baseUrl is no URL/);
    expect(() => createChatRunner({ ...good, baseUrl: "file:///etc/passwd" })).toThrow(/http/);
    expect(() => createChatRunner({ ...good, maxTokens: 0 })).toThrow(/maxTokens/);
  });

  it("say what is missing before a session begins", async () => {
    const runner = createChatRunner({
      api: "openai",
      baseUrl: "http://127.0.0.1:1/v1",
      key: () => undefined,
    });
    expect(await runner.explainMissing?.()).toMatch(/The key of the runner chat .* is not set/);
  });
});
