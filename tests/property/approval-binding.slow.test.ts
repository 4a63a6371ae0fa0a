import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AnyTool, defineTool } from "../../src/index.ts";
import { createTestGate } from "../../src/testing/index.ts";

const runs = { numRuns: 500 };

function createCounted() {
  const ran: unknown[] = [];
  const tool = defineTool({
    id: "mail.send",
    title: "Send",
    description: "Sends a mail to somebody.",
    permission: "write",
    roles: {},
    annotations: { destructiveHint: true },
    input: {
      type: "object",
      properties: { to: { type: "string" }, text: { type: "string" }, n: { type: "number" } },
    },
    run: (input) => {
      ran.push(input);
      return "sent";
    },
  });
  return { tool, ran };
}

const input = fc.record({ to: fc.string(), text: fc.string(), n: fc.nat() });

/** One character put in, taken out or changed, somewhere in the text. */
function mutated(text: string): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.nat(text.length),
      fc.constantFrom("insert", "delete", "change"),
      fc.constantFrom("x", "\u200b", " ", "\u0000", "é"),
    )
    .map(([at, how, character]) => {
      if (how === "insert" || text.length === 0) return text.slice(0, at) + character + text.slice(at);
      const cut = Math.min(at, text.length - 1);
      return text.slice(0, cut) + (how === "delete" ? "" : character) + text.slice(cut + 1);
    })
    .filter((changed) => changed !== text);
}

describe("an approval", () => {
  it("never runs a call whose input differs by one character from what was granted", async () => {
    const cases = input.chain((granted) =>
      fc.record({
        granted: fc.constant(granted),
        other: fc
          .constantFrom("to" as const, "text" as const)
          .chain((field) => mutated(granted[field]).map((value) => ({ ...granted, [field]: value }))),
      }),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ({ granted, other }) => {
        const { tool, ran } = createCounted();
        const { gate } = await createTestGate({
          tools: [tool],
          answers: [{ decision: "approve", scope: "session" }, "deny"],
        });
        expect((await gate.dispatch({ tool: "mail.send", input: granted, sessionId: "s" })).ok).toBe(true);
        expect((await gate.dispatch({ tool: "mail.send", input: { ...granted }, sessionId: "s" })).ok).toBe(
          true,
        );
        expect((await gate.dispatch({ tool: "mail.send", input: other, sessionId: "s" })).ok).toBe(false);
        expect(ran).toEqual([granted, granted]);
      }),
      runs,
    );
  });

  it("never runs a tool whose definition changed by one character while it waited", async () => {
    const { tool: original } = createCounted();
    const change = fc.oneof(
      mutated(original.description)
        .filter((text) => text.trim() !== "")
        .map((description) => ({ description })),
      mutated("Send").map((title) => ({ title })),
      fc.constantFrom<Partial<AnyTool>>(
        { permission: "execute" },
        { capabilities: ["net:fetch"] },
        { idempotent: true },
        { annotations: {} },
        { timeoutMs: 5 },
      ),
      fc.constant({
        input: {
          type: "object",
          properties: { to: { type: "string" }, text: { type: "string" }, n: { type: "integer" } },
        },
      }),
      fc.constant({}),
    );
    await fc.assert(
      fc.asyncProperty(input, change, async (asked, changed) => {
        const { tool, ran } = createCounted();
        const { gate } = await createTestGate({ tools: [tool], approver: "desk" });
        const waiting = gate.dispatch({ tool: "mail.send", input: asked });
        await expect.poll(async () => (await gate.approvals.pending()).length, { interval: 1 }).toBe(1);
        gate.tools.replace({ ...tool, ...changed });
        const [request] = await gate.approvals.pending();
        await gate.approvals.answer(request?.id ?? "", { decision: "approve", by: "ann" });
        const outcome = await waiting;
        expect(outcome.ok ? "ran" : outcome.error.code).toBe("approval_stale");
        expect(ran).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it("for an edited input runs the edited input and nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(input, input, async (asked, edited) => {
        const { tool, ran } = createCounted();
        const { gate } = await createTestGate({
          tools: [tool],
          answers: [{ decision: "approve", input: edited }],
        });
        expect((await gate.dispatch({ tool: "mail.send", input: asked })).ok).toBe(true);
        expect(ran).toEqual([edited]);
      }),
      runs,
    );
  });
});
