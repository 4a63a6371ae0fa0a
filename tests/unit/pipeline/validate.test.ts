import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ToolContext } from "../../../src/index.ts";
import { codeOf, messageOf, paperGate, tool } from "../paper-gate.ts";

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
    [
      "throws",
      () => {
        throw new Error("boom");
      },
    ],
    ["rejects", () => Promise.reject(new Error("boom"))],
    [
      "throws nothing in particular",
      () => {
        throw undefined;
      },
    ],
  ])("takes a check that %s for a no", async (_, validate) => {
    const { gate } = await paperGate({ tools: [tool({ validate })] });
    expect(codeOf(await gate.dispatch({ tool: "x.run" }))).toBe("invalid_input");
  });

  it("takes a schema that throws for a no", async () => {
    const input = {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: () => {
          throw new Error("boom");
        },
        jsonSchema: { input: () => ({}), output: () => ({}) },
      },
    };
    const { gate } = await paperGate({ tools: [tool({ input: input as never })] });
    expect(codeOf(await gate.dispatch({ tool: "x.run" }))).toBe("invalid_input");
  });
});
