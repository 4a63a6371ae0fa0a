import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ToolContext } from "../../../../src/index.ts";
import { codeOf, endOf, messageOf, paperGate, settle, throws, tool } from "../../paper-gate.ts";

describe("validate", () => {
  it("names path, expected and received of each fault", async () => {
    const input = {
      type: "object",
      properties: { files: { type: "array", items: { type: "string" } }, n: { type: "integer" } },
      required: ["n"],
    };
    const { gate } = await paperGate({ tools: [tool({ input })] });
    const outcome = await gate.dispatch({ tool: "x.run", input: { files: ["a", 2], n: "1" } });
    expect(outcome).toMatchObject({
      error: {
        code: "invalid_input",
        stage: "validate",
        issues: expect.arrayContaining([
          expect.objectContaining({ path: "$.files[1]" }),
          expect.objectContaining({ path: "$.n" }),
        ]),
      },
    });
    expect(messageOf(outcome)).toMatch(/\$\.files\[1\].*string/);
  });

  it("gives the tool what the schema makes of the input, defaults and transforms applied", async () => {
    const { gate } = await paperGate({
      tools: [
        tool({
          input: z.object({
            n: z.number().default(3),
            s: z.string().transform((text) => text.toUpperCase()),
          }),
          run: (args: unknown) => args,
        }),
      ],
    });
    expect(await gate.dispatch({ tool: "x.run", input: { s: "a" } })).toMatchObject({
      ok: true,
      value: { n: 3, s: "A" },
    });
  });

  it("waits for a schema that checks asynchronously", async () => {
    const input = z.object({ n: z.number().refine(async (n) => n > 0, "must be above 0") });
    const { gate } = await paperGate({ tools: [tool({ input })] });
    expect(codeOf(await gate.dispatch({ tool: "x.run", input: { n: 1 } }))).toBe("ran");
    expect(messageOf(await gate.dispatch({ tool: "x.run", input: { n: -1 } }))).toContain("must be above 0");
  });

  it("gives a schema that never answers no more time than the call has", async () => {
    const input = z.object({}).refine(() => new Promise<boolean>(() => {}));
    const { gate, clock } = await paperGate({ tools: [tool({ input, timeoutMs: 100 })] });
    const outcome = gate.dispatch({ tool: "x.run", input: {} });
    await settle();
    await clock.advance(150);
    expect(messageOf(await outcome)).toContain("did not end within 100ms");
    const left = new AbortController();
    const cancelled = gate.dispatch({ tool: "x.run", input: {}, signal: left.signal });
    await settle();
    left.abort();
    expect(codeOf(await cancelled)).toBe("cancelled");
  });

  it("asks the tool's own check after the schema, with the context of the call", async () => {
    const seen: unknown[] = [];
    const own = tool({
      input: z.object({ n: z.number() }),
      validate: (args: { n: number }, { sessionId }: ToolContext) => {
        seen.push([args.n, sessionId]);
        return args.n > 10 ? "n is too large" : undefined;
      },
    });
    const { gate } = await paperGate({ tools: [own] });
    expect(codeOf(await gate.dispatch({ tool: "x.run", input: { n: "x" } }))).toBe("invalid_input");
    expect(await gate.dispatch({ tool: "x.run", input: { n: 11 }, sessionId: "s" })).toMatchObject({
      error: { code: "invalid_input", message: expect.stringContaining("n is too large") },
    });
    expect(codeOf(await gate.dispatch({ tool: "x.run", input: { n: 1 } }))).toBe("ran");
    expect(seen).toEqual([
      [11, "s"],
      [1, undefined],
    ]);
  });

  it.each([
    ["throws", throws(new Error("boom"))],
    ["rejects", () => Promise.reject(new Error("boom"))],
    ["throws nothing in particular", throws(undefined)],
  ])("takes a check that %s for a no", async (_, validate) => {
    expect(await endOf({ tools: [tool({ validate })] })).toBe("invalid_input");
  });

  it("takes a schema that throws for a no", async () => {
    const input = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: throws(new Error("boom")),
        jsonSchema: { input: () => ({}), output: () => ({}) },
      },
    };
    expect(await endOf({ tools: [tool({ input: input as never })] })).toBe("invalid_input");
  });

  const answers = async (answer: unknown) => {
    const { gate, ran } = await answering(answer);
    const outcome = await gate.dispatch({ tool: "x.run", input: {} });
    return { code: codeOf(outcome), message: outcome.ok ? "" : messageOf(outcome), ran: ran.length };
  };

  it.each([
    [undefined],
    [null],
    [true],
    [[]],
    [{ valid: true }],
    [{ valid: true, errors: [] }],
    [{ valid: true, errors: null }],
    [Promise.resolve(true)],
  ])("takes %j of the tool's own check for a yes", async (answer) => {
    expect(await answers(answer)).toEqual({ code: "ran", message: "", ran: 1 });
  });

  it.each([
    [false, "says no"],
    ["too long", "too long"],
    [["a", "b"], "a; b"],
    [[{ path: ["to", 0], message: "nobody" }], "to.0: nobody"],
    [{ valid: false }, "says no"],
    [{ valid: false, errors: ["x", { message: "y" }] }, "x; y"],
    [{ valid: false, errors: "why" }, "why"],
    [{ valid: true, errors: ["but"] }, "but"],
  ])("takes %j for a no", async (answer, reason) => {
    const { code, message, ran } = await answers(answer);
    expect([code, ran]).toEqual(["invalid_input", 0]);
    expect(message).toContain(reason);
    expect(message).not.toContain("author");
  });

  it.each([
    [0],
    [1],
    [""],
    [{}],
    [{ ok: true }],
    [{ valid: "yes" }],
    [{ valid: true, other: 1 }],
    [[""]],
    [[3]],
    [Symbol("x")],
    [new Map()],
  ])("takes %s for a mistake of the tool's author, and lets nothing pass", async (answer) => {
    const { code, message, ran } = await answers(answer);
    expect([code, ran]).toEqual(["invalid_input", 0]);
    expect(message).toContain("The tool's author has to return nothing, true or []");
  });
});

async function answering(answer: unknown) {
  const ran: unknown[] = [];
  const own = { ...tool({}), validate: () => answer as undefined, run: () => ran.push(1) };
  return { ...(await paperGate({ tools: [own] })), ran };
}
