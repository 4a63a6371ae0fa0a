import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../../../../../src/core/tool/tool.ts";
import { connectLegacy, createMcpWorld, turn } from "../mcp-world.ts";

const write = defineTool({
  id: "notes.write",
  description: "Writes a note.",
  permission: "write",
  input: z.strictObject({ text: z.string() }),
  run: ({ text }) => `wrote ${text}`,
});
const note = { name: "notes_write", arguments: { text: "x" } };

async function asked(attended: boolean) {
  const made = await createMcpWorld(
    { tools: [write], approver: "desk" },
    { attended, approveByElicitation: true },
  );
  const client = await connectLegacy(made.server, { elicitation: {} });
  const id = client.send("tools/call", note);
  const question = await client.next(({ method }) => method === "elicitation/create");
  return { ...made, client, id, close: () => client.reply(question.id, { action: "cancel" }) };
}

describe("a question that a client closes", () => {
  it("at once, as one without a person does, still waits for people at the desk", async () => {
    const { client, id, close, gate, clock } = await asked(true);
    await clock.advance(900);
    close();
    await turn();
    const [waiting] = await gate.approvals.pending();
    await gate.approvals.answer(waiting?.id ?? "", { decision: "approve", by: "ann" });
    expect((await client.answerTo(id)).result.content[0]?.text).toBe("wrote x");
  });

  it("after a person could have read it is a no", async () => {
    const { client, id, close, gate, clock } = await asked(true);
    await clock.advance(1_000);
    close();
    expect((await client.answerTo(id)).result.content[0]?.text).toContain("closed without an answer");
    expect(await gate.approvals.pending()).toEqual([]);
  });

  it("at once is a no where nobody else is there", async () => {
    const { client, id, close } = await asked(false);
    close();
    expect((await client.answerTo(id)).result.content[0]?.text).toContain("closed without an answer");
  });
});
