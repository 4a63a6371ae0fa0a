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

describe("an older client that can show questions", () => {
  it("is asked during the call, with the whole call in sight, and its yes is recorded as the client's", async () => {
    const { server, ledger } = await world();
    const client = await connectLegacy(server, forms);
    const id = client.send("tools/call", note("hello\u202Ekcah"));
    const asked = await asksOfServer(client);
    const { message } = asked.params as { message: string };
    expect(message).toContain("notes.write");
    expect(message).toContain("hello\\u{202E}kcah");
    client.reply(asked.id, approve);
    expect((await client.answerTo(id)).result.content[0]?.text).toBe("wrote hello\u202Ekcah");
    expect(ledger.records().at(-1)?.approval).toEqual({
      kind: "approval",
      id: expect.any(String),
      by: "client:cl",
      via: "elicitation",
    });
  });

  it.each([
    [
      "a no with its reason",
      { action: "accept", content: { decision: "deny", reason: "not today" } },
      "not today",
    ],
    ["declining", { action: "decline" }, "denied"],
    ["closing the question", { action: "cancel" }, "closed without an answer"],
    ["accepting without a decision", { action: "accept", content: {} }, "denied"],
    ["accepting with another word", { action: "accept", content: { decision: "yes" } }, "denied"],
    ["nonsense", { foo: 1 }, "closed without an answer"],
  ] as [string, JsonObject, string][])("runs nothing after %s", async (_what, answer, told) => {
    const { server } = await world();
    const client = await connectLegacy(server, forms);
    const id = client.send("tools/call", note());
    client.reply((await asksOfServer(client)).id, answer);
    const { result } = await client.answerTo(id);
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toContain(told);
    expect(ran).toEqual([]);
  });

  it("cannot give a lasting yes", async () => {
    const { server, gate } = await world();
    const client = await connectLegacy(server, forms);
    client.send("tools/call", note());
    client.reply((await asksOfServer(client)).id, {
      action: "accept",
      content: { decision: "approve", scope: "user", covers: "tool" },
    });
    await turn();
    expect(await gate.grants.list()).toEqual([]);
    client.heard.length = 0;
    client.send("tools/call", note());
    await asksOfServer(client);
  });

  it.each([false, undefined])("is not asked where the setting is %s; the desk is", async (setting) => {
    const { server, gate } = await world(
      { approver: "desk" },
      { approveByElicitation: setting, attended: true },
    );
    const client = await connectLegacy(server, forms);
    const id = client.send("tools/call", note());
    await turn();
    expect(client.heard.some(({ method }) => method === "elicitation/create")).toBe(false);
    const [waiting] = await gate.approvals.pending();
    await gate.approvals.answer(waiting?.id ?? "", { decision: "approve", by: "anna" });
    expect((await client.answerTo(id)).result.isError).toBeUndefined();
  });

  it("is asked or not as the setting is when the call comes", async () => {
    let approveByElicitation = false;
    const { server } = await world(
      { approver: "desk" },
      { settingsNow: () => ({ approveByElicitation }), attended: true },
    );
    const client = await connectLegacy(server, forms);
    client.send("tools/call", note());
    await turn();
    expect(client.heard.some(({ method }) => method === "elicitation/create")).toBe(false);
    approveByElicitation = true;
    client.send("tools/call", note());
    await asksOfServer(client);
  });

  it("says yes in vain if the setting changed while it showed the question; the desk still answers", async () => {
    let approveByElicitation = true;
    const { server, gate } = await world(
      { approver: "desk" },
      { settingsNow: () => ({ approveByElicitation }), attended: true },
    );
    const client = await connectLegacy(server, forms);
    const id = client.send("tools/call", note());
    const asked = await asksOfServer(client);
    approveByElicitation = false;
    client.reply(asked.id, approve);
    await turn();
    expect(ran).toEqual([]);
    const [waiting] = await gate.approvals.pending();
    await gate.approvals.answer(waiting?.id ?? "", { decision: "deny", by: "anna", reason: "no" });
    expect((await client.answerTo(id)).result.content[0]?.text).toContain("anna denied");
  });

  it("says yes in vain then, and is refused where nobody else could answer", async () => {
    let approveByElicitation = true;
    const { server } = await world({}, { settingsNow: () => ({ approveByElicitation }) });
    const client = await connectLegacy(server, forms);
    const id = client.send("tools/call", note());
    const asked = await asksOfServer(client);
    approveByElicitation = false;
    client.reply(asked.id, approve);
    expect((await client.answerTo(id)).result.content[0]?.text).toContain("may no longer approve");
    expect(ran).toEqual([]);
  });

  it("takes the question back when somebody else answers first", async () => {
    const { server, gate } = await world({ approver: "desk" }, { attended: true });
    const client = await connectLegacy(server, forms);
    const id = client.send("tools/call", note());
    const asked = await asksOfServer(client);
    const [waiting] = await gate.approvals.pending();
    await gate.approvals.answer(waiting?.id ?? "", { decision: "deny", by: "anna", reason: "no" });
    expect((await client.answerTo(id)).result.content[0]?.text).toContain("anna denied");
    const cancelled = await client.next(({ method }) => method === "notifications/cancelled");
    expect(cancelled.params).toMatchObject({ requestId: asked.id as number });
  });

  it("leaves the question to the desk if it cannot show it after all", async () => {
    const { server, gate } = await world({ approver: "desk" }, { attended: true });
    const client = await connectLegacy(server, forms);
    const id = client.send("tools/call", note());
    const asked = await asksOfServer(client);
    client.fail(asked.id, -32601);
    await turn();
    const [waiting] = await gate.approvals.pending();
    await gate.approvals.answer(waiting?.id ?? "", { decision: "approve", by: "anna" });
    expect((await client.answerTo(id)).result.content[0]?.text).toBe("wrote x");
  });

  it("withdraws the question when the call is cancelled", async () => {
    const { server, gate } = await world();
    const client = await connectLegacy(server, forms);
    const id = client.send("tools/call", note());
    await asksOfServer(client);
    client.notify("notifications/cancelled", { requestId: id });
    await turn();
    expect(await gate.approvals.pending()).toEqual([]);
    expect(ran).toEqual([]);
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
    const { server, gate, clock } = await world({ approver: "desk" }, { attended: true });
    const client = await connectLegacy(server);
    const id = client.send("tools/call", { ...note(), _meta: { progressToken: 1 } });
    await clock.advance(35_000);
    const beats = client.heard.filter(({ method }) => method === "notifications/progress");
    expect(beats.map(({ params }) => (params as JsonObject).progress)).toEqual([1, 2, 3, 4]);
    const [waiting] = await gate.approvals.pending();
    await gate.approvals.answer(waiting?.id ?? "", { decision: "approve", by: "anna" });
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
    const { server } = await world();
    const client = connect(server);
    const asked = inputOf(await client.ask("tools/call", modern(note(), forms)));
    const { result } = await client.ask("tools/call", retry(note(), asked, { action: "decline" }));
    expect(result).toMatchObject({ resultType: "complete", isError: true });
    expect(ran).toEqual([]);
  });

  it("can send its answer again when the request that carried it could not be taken", async () => {
    const { server } = await world();
    const client = connect(server);
    const asked = inputOf(await client.ask("tools/call", modern(note(), forms)));
    const answer = retry(note(), asked);
    const unfit = { ...answer, _meta: { ...(answer._meta as JsonObject), progressToken: "t".repeat(1_000) } };
    expect((await client.ask("tools/call", unfit)).error).toMatchObject({ code: -32602 });
    expect(ran).toEqual([]);
    await client.ask("tools/call", answer);
    expect(ran).toEqual(["x"]);
  });

  it("can use an answer only once", async () => {
    const { server } = await world();
    const client = connect(server);
    const asked = inputOf(await client.ask("tools/call", modern(note(), forms)));
    await client.ask("tools/call", retry(note(), asked));
    expect((await client.ask("tools/call", retry(note(), asked))).error).toMatchObject({ code: -32602 });
    expect(ran).toEqual(["x"]);
  });

  it.each([
    ["other arguments", (asked: InputRequired) => retry(note("evil"), asked)],
    ["another tool", (asked: InputRequired) => retry({ name: "survey_run", arguments: {} }, asked)],
    [
      "a changed state",
      (asked: InputRequired) =>
        retry(note(), { ...asked, requestState: `${asked.requestState.slice(0, -2)}AA` }),
    ],
    [
      "a later expiry",
      (asked: InputRequired) => {
        const parts = asked.requestState.split(".");
        parts[3] = "9999999999999";
        return retry(note(), { ...asked, requestState: parts.join(".") });
      },
    ],
    ["a state that is no text", (asked: InputRequired) => ({ ...retry(note(), asked), requestState: 5 })],
  ])("cannot answer with %s", async (_what, forge) => {
    const { server } = await world();
    const client = connect(server);
    const asked = inputOf(await client.ask("tools/call", modern(note(), forms)));
    expect((await client.ask("tools/call", forge(asked))).error).toMatchObject({ code: -32602 });
    expect(ran).toEqual([]);
    expect((await client.ask("tools/call", retry(note(), asked))).result.content[0]?.text).toBe("wrote x");
  });

  it("cannot answer for another caller", async () => {
    const { server } = await world();
    const anna = { caller: { id: "anna", capabilities: ["*"] } };
    const bob = { caller: { id: "bob", capabilities: ["*"] } };
    const asked = inputOf(await connect(server, anna).ask("tools/call", modern(note(), forms)));
    expect((await connect(server, bob).ask("tools/call", retry(note(), asked))).error).toMatchObject({
      code: -32602,
    });
    expect(ran).toEqual([]);
  });

  it("is asked again after a restart", async () => {
    const one = await world();
    const asked = inputOf(await connect(one.server).ask("tools/call", modern(note(), forms)));
    const two = await world();
    const again = inputOf(await connect(two.server).ask("tools/call", retry(note(), asked)));
    expect(again.resultType).toBe("input_required");
    expect(ran).toEqual([]);
  });

  it("is asked again if its next request brings no answer", async () => {
    const { server } = await world();
    const client = connect(server);
    const asked = inputOf(await client.ask("tools/call", modern(note(), forms)));
    const again = inputOf(
      await client.ask(
        "tools/call",
        modern({ ...note(), requestState: asked.requestState, inputResponses: {} }, forms),
      ),
    );
    expect(Object.keys(again.inputRequests)).toEqual(Object.keys(asked.inputRequests));
    expect((await client.ask("tools/call", retry(note(), again))).result.content[0]?.text).toBe("wrote x");
  });

  it("gets the outcome with its next request if somebody else answered meanwhile", async () => {
    const { server, gate } = await world({ approver: "desk" }, { attended: true });
    const client = connect(server);
    const asked = inputOf(await client.ask("tools/call", modern(note(), forms)));
    const [waiting] = await gate.approvals.pending();
    await gate.approvals.answer(waiting?.id ?? "", { decision: "deny", by: "anna" });
    await turn();
    const { result } = await client.ask("tools/call", retry(note(), asked));
    expect(result.content[0]?.text).toContain("anna denied");
    expect(ran).toEqual([]);
  });

  it("loses its question when it does not come back", async () => {
    const { server, gate, clock, ledger } = await world();
    const client = connect(server);
    const asked = inputOf(await client.ask("tools/call", modern(note(), forms)));
    await clock.advance(16 * 60_000);
    expect(await gate.approvals.pending()).toEqual([]);
    expect((await client.ask("tools/call", retry(note(), asked))).error).toMatchObject({ code: -32602 });
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
