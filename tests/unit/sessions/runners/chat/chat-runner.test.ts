import { describe, expect, it, onTestFinished } from "vitest";
import { toolResult } from "../../../../../src/core/call/content.ts";
import type { GateOptions } from "../../../../../src/gate/gate-options.ts";
import { createChatRunner } from "../../../../../src/sessions/runners/chat/chat-runner.ts";
import { createScriptedModel, type ScriptedModelOptions } from "../../../../../src/testing/scripted-model.ts";
import { add, ann, tool, untilCancelled } from "../../sessions-world.ts";
import { apis, chatWorld } from "./chat-world.ts";

const sum = (a: number, b: number, id?: string) => ({
  ...{ tool: "math_add", input: { a, b } },
  ...(id !== undefined && { id }),
});
const picture = toolResult({ content: [{ type: "image", data: "aGVsbG8=", mimeType: "image/png" }] });
const shot = tool("screen.shot", () => picture);

describe.each(apis)("a chat over the API of %s", (api) => {
  /** A model that follows this script, and sessions of it. */
  async function world(script: ScriptedModelOptions["script"], options: object = {}, gate: GateOptions = {}) {
    const model = await createScriptedModel({ script });
    onTestFinished(() => model.close());
    return { model, ...(await chatWorld(model.url, { api, ...options }, gate)) };
  }

  it("streams what the model says, keeps it whole, and tells why it stopped and what it used", async () => {
    const { model, run } = await world(["Hello there, how are you?"]);
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
    const both = Promise.withResolvers<void>();
    const meet = tool(
      "meet.other",
      async ({ n }) => {
        if (++running === 2) both.resolve();
        await both.promise;
        return `met ${n}`;
      },
      ["n"],
    );
    const calls = [1, 2].map((n) => ({ tool: "meet_other", input: { n }, id: `call-${n}` }));
    const script = [{ text: "Two at once.", calls }, "done"];
    const { model, run } = await world(script, {}, { tools: [meet] });
    const { text, events } = await run("go");
    expect(text).toBe("done");
    expect(model.toolResults().map(({ id, text: told }) => `${id} ${told}`)).toEqual([
      ...["call-1 met 1", "call-2 met 2"],
    ]);
    const kinds = events.filter(({ id }) => id !== undefined).map(({ event }) => event);
    expect(kinds).toEqual([
      ...["message", "message", "usage", "tool_use", "tool_use", "tool_result", "tool_result"],
      ...["message", "usage", "completed"],
    ]);
  });

  it("answers the other calls of a message as rejected when a person denies one, and goes on", async () => {
    const wipe = tool("disk.wipe", ({ disk }) => `wiped ${disk}`, ["disk"], "execute");
    const calls = ["a", "b"].map((disk) => ({ tool: "disk_wipe", input: { disk }, id: disk }));
    const { sessions, gate, run } = await world([calls, "I will not."], {}, { tools: [wipe] });
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
    const broken = { tool: "math_add", input: '{"a": 1, "b": ', id: "broken" };
    const { model, run } = await world([broken, "sorry"]);
    const { text } = await run("add");
    expect(text).toBe("sorry");
    expect(model.toolResults()[0]?.text).toMatch(/The arguments cannot be read: not valid JSON/);
    const [again] = model.requests[1]?.messages.flatMap(({ toolCalls }) => toolCalls) ?? [];
    expect(again).toMatchObject({ id: "broken", input: { unreadable: '{"a": 1, "b": ' } });
  });

  it("takes max tokens inside a call for an error and not for a call", async () => {
    const stopReason = api === "anthropic" ? "max_tokens" : "length";
    const begun = { text: "I begin", calls: [sum(1, 2)], stopReason };
    const { run, gate } = await world([begun], { maxTokens: 50 });
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
    const { model, run } = await world(() => sum(++count, 1));
    const { error } = await run("never stop", { budget: { turns: 5 } });
    expect(error).toMatchObject({ code: "budget_spent" });
    expect(model.requests).toHaveLength(5);
  });

  it("puts what is said during a turn into it", async () => {
    const gates = Promise.withResolvers<void>();
    const slowly = () => gates.promise.then(() => sum(1, 2));
    const { model, sessions, start, follow } = await world([slowly, "noted"]);
    const id = await start();
    await expect.poll(() => model.requests.length).toBe(1);
    await sessions.send(id, { text: "in French, please", steer: { expectedTurn: 1 } }, ann);
    gates.resolve();
    await follow(id);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "user", text: "in French, please" });
    expect(model.requests).toHaveLength(2);
  });

  it("goes on from the log: messages, calls and results, and calls that were cut off", async () => {
    const { model, sessions, run, follow } = await world([
      { text: "first", calls: [sum(1, 2, "t1")] },
      "three",
      (_, { signal }) => untilCancelled(signal),
      "again",
    ]);
    const { id } = await run("add 1 and 2");
    await sessions.send(id, { text: "wait" }, ann);
    await expect.poll(() => model.requests.length).toBe(3);
    await sessions.cancel(id, "ann");
    await sessions.send(id, { text: "and now?", resume: true }, ann);
    expect((await follow(id, 3)).text).toBe("again");
    const told = model.requests[3]?.messages.map(({ role, text: said, toolCalls, toolResults }) =>
      [role, said, ...toolCalls.map(({ id: call }) => call), ...toolResults.map((r) => `${r.id}=${r.text}`)]
        .filter((part) => part !== "")
        .join(" "),
    );
    const before = ["user add 1 and 2", "assistant first t1", "user t1=3", "assistant three"];
    expect(told?.slice(0, 4)).toEqual(before);
    expect(told?.slice(4).join(" ")).toContain("wait");
    expect(told?.at(-1)).toContain("and now?");
  });

  it("tells the model what a hook adds", async () => {
    const hook = { name: "exact", type: "PreToolUse", toolPatterns: "math.*" } as const;
    const hooks = [{ ...hook, run: () => "Sums are exact." }];
    const { model, run } = await world([sum(1, 2), "ok"], {}, { tools: [add], hooks });
    await run("add");
    expect(model.toolResults()[0]?.text).toContain("Sums are exact.");
  });

  it("offers no tools where none are wanted, and refuses a call all the same", async () => {
    const { model, run } = await world([sum(1, 2), "fine"]);
    const { text } = await run("add", { tools: false });
    expect(text).toBe("fine");
    expect(model.requests[0]?.tools).toEqual([]);
    expect(model.requests[0]?.body).not.toHaveProperty("tools");
    expect(model.toolResults()[0]?.text).toMatch(/not (?:open|enabled|available)|category|may not/i);
  });

  it("goes on after plan mode has refused a call", async () => {
    const write = tool("note.write", () => "written", [], "write");
    const script = [{ tool: "note_write", input: {} }, "I only plan."];
    const { run, sessions } = await world(script, {}, { tools: [write] });
    const { text, id } = await run("write", { mode: "plan" });
    expect(text).toBe("I only plan.");
    const results = (await sessions.items(id)).filter(({ kind }) => kind === "tool_result");
    expect(results[0]?.body).toMatchObject({ ok: false, code: "plan_mode" });
  });

  it("shows pictures of results to a model that takes them", async () => {
    const { model, run } = await world([{ tool: "screen_shot", input: {} }, "I see."], {}, { tools: [shot] });
    await run("look");
    expect(JSON.stringify(model.requests[1]?.body)).toContain("aGVsbG8=");
  });

  it("tells a model that refuses pictures that there was one", async () => {
    const refusal = { status: 400, message: "image input is not supported" };
    const script = [{ tool: "screen_shot", input: {} }, refusal, "I was told."];
    const { model, run } = await world(script, {}, { tools: [shot] });
    const { text, events } = await run("look");
    expect(text).toBe("I was told.");
    expect(JSON.stringify(model.requests[2]?.body)).not.toContain("aGVsbG8=");
    expect(model.toolResults().at(-1)?.text).toContain("image of type image/png, not shown");
    expect(events.some(({ data }) => data.role === "note")).toBe(true);
  });

  it("leaves out the oldest results of tools where the conversation grows too long, and says so", async () => {
    const long = tool("text.long", ({ n }) => `${n}:${"x".repeat(4_000)}`, ["n"]);
    const steps = Array.from({ length: 6 }, (_, n) => ({ tool: "text_long", input: { n }, id: `t${n}` }));
    const { model, run } = await world([...steps, "done"], { contextTokens: 4_000 }, { tools: [long] });
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
    const refusal = { status: 401, message: `Incorrect API key provided: ${key}` };
    const { model, run } = await world([refusal], { key: () => `${key}\n`, retries: 0 });
    const { error, events } = await run("hi");
    const { headers } = model.requests[0] ?? {};
    expect(api === "anthropic" ? headers?.["x-api-key"] : headers?.authorization).toContain(key);
    expect(error?.message).toMatch(/HTTP 401.*Check the key/);
    expect(JSON.stringify(events)).not.toContain("verysecret");
  });
});

describe("the options of a chat runner", () => {
  const good = { api: "openai", baseUrl: "http://127.0.0.1:1/v1" } as const;
  it.for([
    [{ api: "gemini" as never }, /api must be/],
    [{ baseUrl: "nowhere" }, /baseUrl is no URL/],
    [{ baseUrl: "file:///etc/passwd" }, /http/],
    [{ maxTokens: 0 }, /maxTokens/],
  ] as const)("are refused where they cannot be right: %j", ([wrong, message]) => {
    expect(() => createChatRunner({ ...good, ...wrong })).toThrow(message);
  });

  it("say what is missing before a session begins", async () => {
    const runner = createChatRunner({ ...good, key: () => undefined });
    expect(await runner.explainMissing?.()).toMatch(/The key of the runner chat .* is not set/);
  });
});
