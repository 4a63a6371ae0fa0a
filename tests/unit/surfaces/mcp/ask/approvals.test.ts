import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonObject } from "../../../../../src/core/input/json.ts";
import { defineTool } from "../../../../../src/core/tool/tool.ts";
import type { McpServerParts } from "../../../../../src/surfaces/mcp/server-parts.ts";
import type { TestGateOptions } from "../../../../../src/testing/test-gate.ts";
import {
  connect,
  connectLegacy,
  createMcpWorld,
  modern,
  type Said,
  type TestClient,
  turn,
} from "../mcp-world.ts";

const ran: string[] = [];
const write = defineTool({
  id: "notes.write",
  title: "Write a note",
  description: "Writes a note.",
  permission: "write",
  input: z.strictObject({ text: z.string() }),
  run: ({ text }) => {
    ran.push(text);
    return `wrote ${text}`;
  },
});
const survey = defineTool({
  id: "survey.run",
  description: "Asks things.",
  permission: "read",
  input: z.strictObject({}),
  run: async (_input, { elicit, signal }) => {
    if (elicit === undefined) return "nobody to ask";
    const ask = (message: string) =>
      elicit(
        { from: "hub", params: { message, requestedSchema: { type: "object", properties: {} } } },
        { signal },
      );
    const [first, second] = await Promise.all([ask("one"), ask("two")]);
    const third = await ask("three");
    return [first, second, third].map(({ action }) => action).join(" ");
  },
});

function world(gate: TestGateOptions = {}, parts: Partial<McpServerParts> = {}) {
  ran.length = 0;
  return createMcpWorld({ tools: [write, survey], ...gate }, { approveByElicitation: true, ...parts });
}
const note = (text = "x") => ({ name: "notes_write", arguments: { text } });
const asksOfServer = (client: TestClient) => client.next(({ method }) => method === "elicitation/create");
const approve = { action: "accept", content: { decision: "approve" } };
const forms = { elicitation: {} };
const desk = [{ approver: "desk" }, { attended: true }] as const;

/** An older client that was asked about its call. */
async function asked(text?: string, ...options: Parameters<typeof world>) {
  const made = await world(...options);
  const client = await connectLegacy(made.server, forms);
  const id = client.send("tools/call", note(text));
  const question = await asksOfServer(client);
  const told = async () => (await client.answerTo(id)).result.content[0]?.text;
  return {
    ...made,
    client,
    id,
    question,
    told,
    reply: (answer: JsonObject) => client.reply(question.id, answer),
  };
}

async function answerAtDesk({ gate }: Awaited<ReturnType<typeof world>>, decision: "approve" | "deny") {
  const [waiting] = await gate.approvals.pending();
  await gate.approvals.answer(waiting?.id ?? "", { decision, by: "anna" });
}

describe("an older client that can show questions", () => {
  it("is asked during the call, with the whole call in sight, and its yes is recorded as the client's", async () => {
    const { question, reply, told, ledger } = await asked("hello\u202Ekcah");
    const { message } = question.params as { message: string };
    expect(message).toContain("notes.write");
    expect(message).toContain("hello\\u{202E}kcah");
    reply(approve);
    expect(await told()).toBe("wrote hello\u202Ekcah");
    const approval = { kind: "approval", id: expect.any(String), by: "client:cl", via: "elicitation" };
    expect(ledger.records().at(-1)?.approval).toEqual(approval);
  });

  const no = { action: "accept", content: { decision: "deny", reason: "not today" } };
  it.for([
    ["a no with its reason", no, "not today"],
    ["declining", { action: "decline" }, "denied"],
    ["closing the question", { action: "cancel" }, "closed without an answer"],
    ["accepting without a decision", { action: "accept", content: {} }, "denied"],
    ["accepting with another word", { action: "accept", content: { decision: "yes" } }, "denied"],
    ["nonsense", { foo: 1 }, "closed without an answer"],
  ] as [string, JsonObject, string][])("runs nothing after %s", async ([, answer, expected]) => {
    const { client, id, reply } = await asked();
    reply(answer);
    const { result } = await client.answerTo(id);
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toContain(expected);
    expect(ran).toEqual([]);
  });

  it("cannot give a lasting yes", async () => {
    const { client, gate, reply } = await asked();
    reply({ action: "accept", content: { decision: "approve", scope: "user", covers: "tool" } });
    await turn();
    expect(await gate.grants.list()).toEqual([]);
    client.heard.length = 0;
    client.send("tools/call", note());
    await asksOfServer(client);
  });

  it.for([false, undefined])("is not asked where the setting is %s; the desk is", async (setting) => {
    const made = await world(desk[0], { approveByElicitation: setting, attended: true });
    const client = await connectLegacy(made.server, forms);
    const id = client.send("tools/call", note());
    await turn();
    expect(client.heard.some(({ method }) => method === "elicitation/create")).toBe(false);
    await answerAtDesk(made, "approve");
    expect((await client.answerTo(id)).result.isError).toBeUndefined();
  });

  it("is asked or not as the setting is when the call comes", async () => {
    let approveByElicitation = false;
    const settingsNow = () => ({ approveByElicitation });
    const { server } = await world(desk[0], { settingsNow, attended: true });
    const client = await connectLegacy(server, forms);
    client.send("tools/call", note());
    await turn();
    expect(client.heard.some(({ method }) => method === "elicitation/create")).toBe(false);
    approveByElicitation = true;
    client.send("tools/call", note());
    await asksOfServer(client);
  });

  it.for([
    ["the desk still answers", desk[0], true, "anna denied"],
    ["it is refused where nobody else could answer", {}, false, "may no longer approve"],
  ] as const)(
    "says yes in vain if the setting changed while it showed the question; %s",
    async ([, gateOptions, attended, expected]) => {
      let approveByElicitation = true;
      const settingsNow = () => ({ approveByElicitation });
      const made = await asked("x", gateOptions, { settingsNow, attended });
      approveByElicitation = false;
      made.reply(approve);
      await turn();
      expect(ran).toEqual([]);
      if (attended) await answerAtDesk(made, "deny");
      expect(await made.told()).toContain(expected);
      expect(ran).toEqual([]);
    },
  );

  it("takes the question back when somebody else answers first", async () => {
    const made = await asked("x", ...desk);
    await answerAtDesk(made, "deny");
    expect(await made.told()).toContain("anna denied");
    const cancelled = await made.client.next(({ method }) => method === "notifications/cancelled");
    expect(cancelled.params).toMatchObject({ requestId: made.question.id as number });
  });

  it("leaves the question to the desk if it cannot show it after all", async () => {
    const made = await asked("x", ...desk);
    made.client.fail(made.question.id, -32601);
    await turn();
    await answerAtDesk(made, "approve");
    expect(await made.told()).toBe("wrote x");
  });

  it("withdraws the question when the call is cancelled", async () => {
    const { client, id, gate } = await asked();
    client.notify("notifications/cancelled", { requestId: id });
    await turn();
    expect(await gate.approvals.pending()).toEqual([]);
    expect(ran).toEqual([]);
  });

  it("that closes a question at once, as one without a person does, leaves it to people at the desk", async () => {
    const made = await asked("x", ...desk);
    await made.clock.advance(900);
    made.reply({ action: "cancel" });
    await turn();
    await answerAtDesk(made, "approve");
    expect(await made.told()).toBe("wrote x");
  });

  it.for([
    ["after a person could have read it", true, 1_000],
    ["at once where nobody else is there", false, 0],
  ] as const)("that closes a question %s says no", async ([, attended, afterMs]) => {
    const { clock, gate, reply, told } = await asked("x", desk[0], { attended });
    await clock.advance(afterMs);
    reply({ action: "cancel" });
    expect(await told()).toContain("closed without an answer");
    expect(await gate.approvals.pending()).toEqual([]);
  });

  it("is asked what a tool wants to know, and told who asks", async () => {
    const { server } = await world();
    const client = await connectLegacy(server, forms);
    const id = client.send("tools/call", { name: "survey_run" });
    const answered = new Set<unknown>();
    for (const action of ["accept", "decline", "cancel"]) {
      const asked = await client.next(
        (message) => message.method === "elicitation/create" && !answered.has(message.id),
      );
      expect((asked.params as { message: string }).message).toMatch(/^hub asks: /);
      answered.add(asked.id);
      client.reply(asked.id, { action });
    }
    expect((await client.answerTo(id)).result.content[0]?.text).toBe("accept decline cancel");
  });
});

describe("a client that cannot show questions", () => {
  it("waits for the desk, and hears every few seconds that the call is alive", async () => {
    const made = await world(...desk);
    const { server, clock } = made;
    const client = await connectLegacy(server);
    const id = client.send("tools/call", { ...note(), _meta: { progressToken: 1 } });
    await clock.advance(35_000);
    const beats = client.heard.filter(({ method }) => method === "notifications/progress");
    expect(beats.map(({ params }) => (params as JsonObject).progress)).toEqual([1, 2, 3, 4]);
    await answerAtDesk(made, "approve");
    expect((await client.answerTo(id)).result.content[0]?.text).toBe("wrote x");
    await clock.advance(60_000);
    expect(client.heard.filter(({ method }) => method === "notifications/progress")).toHaveLength(4);
  });

  it("is refused with who could be asked, where nobody can", async () => {
    const { server } = await world();
    for (const params of [note(), modern(note())]) {
      const { result } = await (await connectLegacy(server)).ask("tools/call", params);
      expect(result.isError).toBe(true);
      expect(result.content.map(({ text }) => text).join()).toContain("toolgate approvals");
    }
    expect(ran).toEqual([]);
  });

  it("gives its tools nobody to ask", async () => {
    const { server } = await world();
    const { result } = await (await connectLegacy(server)).ask("tools/call", { name: "survey_run" });
    expect(result.content[0]?.text).toBe("nobody to ask");
  });
});

interface InputRequired extends JsonObject {
  readonly resultType: string;
  readonly requestState: string;
  readonly inputRequests: Record<string, { method: string; params: JsonObject }>;
}

const inputOf = ({ result }: Said) => result as unknown as InputRequired;
const retry = (
  params: JsonObject,
  { requestState, inputRequests }: InputRequired,
  answer: JsonObject = approve,
) =>
  modern(
    {
      ...params,
      requestState,
      inputResponses: Object.fromEntries(Object.keys(inputRequests).map((key) => [key, answer])),
    },
    forms,
  );

/** A modern client that was asked about its call, and how it answers. */
async function askedModern(params: JsonObject = note(), ...options: Parameters<typeof world>) {
  const made = await world(...options);
  const client = connect(made.server);
  const input = inputOf(await client.ask("tools/call", modern(params, forms)));
  const answer = (...given: [JsonObject?]) => client.ask("tools/call", retry(params, input, ...given));
  return { ...made, client, input, answer };
}
const invalid = { code: -32602 };

describe("a modern client", () => {
  it("gets the question as an answer, and the call goes on with its next request, on whatever connection", async () => {
    const { server, ledger } = await world();
    const first = connect(server);
    const asked = inputOf(await first.ask("tools/call", modern(note(), forms)));
    expect(asked).toMatchObject({ resultType: "input_required" });
    first.close();
    const { result } = await connect(server).ask("tools/call", retry(note(), asked));
    expect(result).toMatchObject({ resultType: "complete", content: [{ text: "wrote x" }] });
    expect(ran).toEqual(["x"]);
    expect(ledger.records()).toHaveLength(1);
    expect(ledger.records()[0]?.approval).toMatchObject({ by: "client:cl" });
  });

  it("is refused when it denies", async () => {
    const { answer } = await askedModern();
    const { result } = await answer({ action: "decline" });
    expect(result).toMatchObject({ resultType: "complete", isError: true });
    expect(ran).toEqual([]);
  });

  it("can send its answer again when the request that carried it could not be taken", async () => {
    const { client, input } = await askedModern();
    const answer = retry(note(), input);
    const unfit = { ...answer, _meta: { ...(answer._meta as JsonObject), progressToken: "t".repeat(1_000) } };
    expect((await client.ask("tools/call", unfit)).error).toMatchObject(invalid);
    expect(ran).toEqual([]);
    await client.ask("tools/call", answer);
    expect(ran).toEqual(["x"]);
  });

  it("can use an answer only once", async () => {
    const { answer } = await askedModern();
    await answer();
    expect((await answer()).error).toMatchObject(invalid);
    expect(ran).toEqual(["x"]);
  });

  const withState = (asked: InputRequired, requestState: string) => retry(note(), { ...asked, requestState });
  it.each([
    ["other arguments", (asked: InputRequired) => retry(note("evil"), asked)],
    ["another tool", (asked: InputRequired) => retry({ name: "survey_run", arguments: {} }, asked)],
    ["a changed state", (asked: InputRequired) => withState(asked, `${asked.requestState.slice(0, -2)}AA`)],
    [
      "a later expiry",
      (asked: InputRequired) =>
        withState(asked, asked.requestState.split(".").with(3, "9999999999999").join(".")),
    ],
    ["a state that is no text", (asked: InputRequired) => ({ ...retry(note(), asked), requestState: 5 })],
  ])("cannot answer with %s", async (_what, forge) => {
    const { client, input, answer } = await askedModern();
    expect((await client.ask("tools/call", forge(input))).error).toMatchObject(invalid);
    expect(ran).toEqual([]);
    expect((await answer()).result.content[0]?.text).toBe("wrote x");
  });

  it("cannot answer for another caller", async () => {
    const { server } = await world();
    const anna = { caller: { id: "anna", capabilities: ["*"] } };
    const bob = { caller: { id: "bob", capabilities: ["*"] } };
    const asked = inputOf(await connect(server, anna).ask("tools/call", modern(note(), forms)));
    const { error } = await connect(server, bob).ask("tools/call", retry(note(), asked));
    expect(error).toMatchObject(invalid);
    expect(ran).toEqual([]);
  });

  it("is asked again after a restart", async () => {
    const { input } = await askedModern();
    const { server } = await world();
    const again = inputOf(await connect(server).ask("tools/call", retry(note(), input)));
    expect(again.resultType).toBe("input_required");
    expect(ran).toEqual([]);
  });

  it("is asked again if its next request brings no answer", async () => {
    const { client, input } = await askedModern();
    const { requestState } = input;
    const silent = modern({ ...note(), requestState, inputResponses: {} }, forms);
    const again = inputOf(await client.ask("tools/call", silent));
    expect(Object.keys(again.inputRequests)).toEqual(Object.keys(input.inputRequests));
    expect((await client.ask("tools/call", retry(note(), again))).result.content[0]?.text).toBe("wrote x");
  });

  it("gets the outcome with its next request if somebody else answered meanwhile", async () => {
    const made = await askedModern(note(), ...desk);
    await answerAtDesk(made, "deny");
    await turn();
    const { result } = await made.answer();
    expect(result.content[0]?.text).toContain("anna denied");
    expect(ran).toEqual([]);
  });

  it("loses its question when it does not come back", async () => {
    const { answer, gate, clock, ledger } = await askedModern();
    await clock.advance(16 * 60_000);
    expect(await gate.approvals.pending()).toEqual([]);
    expect((await answer()).error).toMatchObject(invalid);
    expect(ledger.records().at(-1)).toMatchObject({ ok: false });
  });

  it("can have only so many open questions", async () => {
    const { server } = await world();
    const client = connect(server);
    for (let count = 0; count < 32; count++)
      expect(inputOf(await client.ask("tools/call", modern(note(String(count)), forms))).resultType).toBe(
        "input_required",
      );
    const { result } = await client.ask("tools/call", modern(note("one more"), forms));
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0]?.text).toContain("Too many questions");
  });

  it("cancels the walk by leaving its second request", async () => {
    let signal: AbortSignal | undefined;
    const slow = defineTool({
      ...write,
      id: "slow.write",
      run: (_input: unknown, context: { signal: AbortSignal }) =>
        new Promise(() => {
          signal = context.signal;
        }),
    } as never);
    const { server } = await world({ tools: [slow] });
    const params = { name: "slow_write", arguments: { text: "x" } };
    const asked = inputOf(await connect(server).ask("tools/call", modern(params, forms)));
    const second = connect(server);
    second.send("tools/call", retry(params, asked));
    await turn();
    await turn();
    expect(signal?.aborted).toBe(false);
    second.close();
    expect(signal?.aborted).toBe(true);
  });

  it("gets questions of a tool that asks two at once together, and later ones after them", async () => {
    const { server } = await world();
    const client = connect(server);
    const params = { name: "survey_run", arguments: {} };
    const first = inputOf(await client.ask("tools/call", modern(params, forms)));
    expect(Object.values(first.inputRequests).map(({ params: { message } }) => message)).toEqual([
      "hub asks: one",
      "hub asks: two",
    ]);
    const second = inputOf(await client.ask("tools/call", retry(params, first, { action: "accept" })));
    expect(Object.values(second.inputRequests).map(({ params: { message } }) => message)).toEqual([
      "hub asks: three",
    ]);
    const { result } = await client.ask("tools/call", retry(params, second, { action: "decline" }));
    expect(result.content[0]?.text).toBe("accept accept decline");
  });
});
