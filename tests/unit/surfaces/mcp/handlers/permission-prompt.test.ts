import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ApprovalAnswer } from "../../../../../src/core/call/approval.ts";
import type { JsonObject } from "../../../../../src/core/input/json.ts";
import { defineTool } from "../../../../../src/core/tool/tool.ts";
import type { Gate } from "../../../../../src/gate/gate.ts";
import type { McpServerParts } from "../../../../../src/surfaces/mcp/server-parts.ts";
import { createTestGate, type TestGateOptions } from "../../../../../src/testing/test-gate.ts";
import { connect, connectLegacy, createMcpWorld, modern, type Said, turn } from "../mcp-world.ts";

const note = defineTool({
  id: "notes.write",
  description: "Writes a note.",
  permission: "write",
  input: z.strictObject({ text: z.string() }),
  run: () => "written",
});

/** Rules for the agent's own tools, with a gate that asks where none speaks and one that stays silent. */
async function world(rules: TestGateOptions = {}, parts: Partial<McpServerParts> = {}) {
  const asking = await createTestGate({ ...rules, checkDefault: "ask" });
  const silent = await createTestGate(rules);
  const made = await createMcpWorld(
    { tools: [note] },
    {
      attended: true,
      permissionPrompt: (call, { undecided }) => (undecided === "ask" ? asking : silent).gate.check(call),
      ...parts,
    },
  );
  return { ...made, asking, silent };
}

const prompt = (args: JsonObject, more: JsonObject = {}) => ({
  name: "permission_prompt",
  arguments: args,
  ...more,
});
const bash = {
  tool_name: "Bash",
  input: { command: "make deploy", description: "d" },
  tool_use_id: "toolu_1",
};
const said = ({ result }: Said) => JSON.parse(result.content[0]?.text ?? "");

async function questionOf(gate: Gate) {
  for (;;) {
    const [request] = await gate.approvals.pending();
    if (request !== undefined) return request;
    await turn();
  }
}

describe("permission_prompt", () => {
  it("is listed and can be called only where it was asked for", async () => {
    const { server } = await world();
    const listed = async (from: typeof server) =>
      ((await (await connectLegacy(from)).ask("tools/list")).result.tools as { name: string }[]).map(
        ({ name }) => name,
      );
    expect(await listed(server)).toEqual(["notes_write", "permission_prompt"]);
    const without = await createMcpWorld({ tools: [note] });
    expect(await listed(without.server)).toEqual(["notes_write"]);
    const client = await connectLegacy(without.server);
    expect((await client.ask("tools/call", prompt(bash))).error.message).toContain("permission_prompt");
  });

  it("says no with the reason and the rule where a policy denies, and records the agent's call", async () => {
    const { server, asking, ledger } = await world({
      policies: [{ name: "no-deploys", tools: "Bash", action: "deny", reason: "Deploys are made by CI." }],
    });
    const client = await connectLegacy(server);
    const answer = said(await client.ask("tools/call", prompt(bash)));
    expect(answer.behavior).toBe("deny");
    expect(answer.message).toContain("Deploys are made by CI.");
    expect(answer.message).toContain("(policy no-deploys)");
    expect(asking.ledger.records()).toMatchObject([
      { kind: "check", surface: "mcp", askedFor: "Bash", toolUseId: "toolu_1", verdict: "deny" },
    ]);
    expect(ledger.records()).toEqual([]);
  });

  it("says yes with the whole input where a policy approves", async () => {
    const { server } = await world({ policies: [{ name: "ok", tools: "WebFetch", action: "approve" }] });
    const input = { url: "https://example.com", prompt: "read" };
    const client = await connectLegacy(server);
    const answer = await client.ask("tools/call", prompt({ tool_name: "WebFetch", input }));
    expect(said(answer)).toEqual({ behavior: "allow", updatedInput: input });
  });

  it.each(["legacy", "modern"])(
    "has a person decide where no rule speaks, never the %s client that asks",
    async (era) => {
      const { server, asking } = await world({ approver: "desk" });
      const forms = { elicitation: { form: {} } };
      const client = era === "legacy" ? await connectLegacy(server, forms) : connect(server);
      const params = prompt(bash, { _meta: { progressToken: 7 } });
      const id = client.send("tools/call", era === "legacy" ? params : modern(params, forms));
      const { id: question, toolUseId } = await questionOf(asking.gate);
      expect(toolUseId).toBe("toolu_1");
      expect(await client.next(({ method }) => method === "notifications/progress")).toMatchObject({
        params: { progressToken: 7 },
      });
      await asking.gate.approvals.answer(question, { decision: "approve", by: "ann" });
      expect(said(await client.answerTo(id))).toEqual({ behavior: "allow", updatedInput: bash.input });
      expect(client.heard.filter(({ method }) => method === "elicitation/create")).toEqual([]);
      expect(asking.ledger.records()[0]?.approval).toMatchObject({ by: "ann" });
    },
  );

  it("hands over the input as the person edited it, and says why where the person said no", async () => {
    const { server, asking } = await world({ approver: "desk" });
    const client = await connectLegacy(server);
    const answered = async (answer: Omit<ApprovalAnswer, "by">) => {
      const id = client.send("tools/call", prompt(bash));
      await asking.gate.approvals.answer((await questionOf(asking.gate)).id, { ...answer, by: "ann" });
      return said(await client.answerTo(id));
    };
    const input = { command: "make deploy --dry-run" };
    expect(await answered({ decision: "approve", input })).toEqual({
      behavior: "allow",
      updatedInput: input,
    });
    expect(await answered({ decision: "deny", reason: "not on a Friday" })).toMatchObject({
      behavior: "deny",
      message: expect.stringContaining("not on a Friday"),
    });
  });

  it("withdraws the question when the agent does not wait for it any more", async () => {
    const { server, asking } = await world({ approver: "desk" });
    const client = await connectLegacy(server);
    const id = client.send("tools/call", prompt(bash));
    await questionOf(asking.gate);
    client.notify("notifications/cancelled", { requestId: id });
    while (asking.ledger.records().length === 0) await turn();
    expect(await asking.gate.approvals.pending()).toEqual([]);
    expect(asking.ledger.records()).toMatchObject([{ verdict: "deny", code: "cancelled" }]);
  });

  it("refuses where nobody can be asked", async () => {
    const { server } = await world({}, { attended: false });
    const answer = said(await (await connectLegacy(server)).ask("tools/call", prompt(bash)));
    expect(answer).toMatchObject({
      behavior: "deny",
      message: expect.stringContaining("nobody can be asked"),
    });
  });

  it("leaves the gate's own tools to the call that follows, unless a rule speaks of them", async () => {
    const own = { tool_name: "mcp__toolgate__notes_write", input: { text: "x" } };
    const { server, silent } = await world({}, { attended: false });
    const client = await connectLegacy(server);
    expect(said(await client.ask("tools/call", prompt(own)))).toMatchObject({ behavior: "allow" });
    expect(silent.ledger.records()).toMatchObject([{ askedFor: own.tool_name, verdict: "abstain" }]);
    // Named alike, but no tool of ours.
    const other = { ...own, tool_name: "mcp__toolgate__notes_burn" };
    expect(said(await client.ask("tools/call", prompt(other)))).toMatchObject({ behavior: "deny" });
    const barred = await world({
      policies: [{ name: "no", tools: "mcp__toolgate__*", action: "deny", reason: "Not here." }],
    });
    const answer = await (await connectLegacy(barred.server)).ask("tools/call", prompt(own));
    expect(said(answer).message).toContain("Not here.");
  });

  it.each([
    ["no tool", { input: {} }],
    ["no input", { tool_name: "Bash" }],
    ["an input that is no object", { tool_name: "Bash", input: "make" }],
    ["a list as input", { tool_name: "Bash", input: [] }],
  ])("takes no question with %s", async (_what, args) => {
    const { server, asking } = await world();
    const client = await connectLegacy(server);
    expect((await client.ask("tools/call", prompt(args as JsonObject))).error).toMatchObject({
      code: -32602,
    });
    expect(asking.ledger.records()).toMatchObject([{ kind: "check", verdict: "deny", code: "bad_call" }]);
  });
});

describe("a call of a client that names the model's tool use", () => {
  it("is recorded with that name, for permission_prompt too", async () => {
    const { server, ledger, asking } = await world({}, { attended: false });
    const client = await connectLegacy(server);
    const _meta = { "claudecode/toolUseId": "toolu_9" };
    await client.ask("tools/call", { name: "notes_write", arguments: { text: "x" }, _meta });
    await client.ask("tools/call", prompt({ tool_name: "Bash", input: { command: "ls" } }, { _meta }));
    expect([...ledger.records(), ...asking.ledger.records()].map(({ toolUseId }) => toolUseId)).toEqual([
      "toolu_9",
      "toolu_9",
    ]);
  });
});
