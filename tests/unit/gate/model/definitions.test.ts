import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { type AnyTool, createGate, defineTool, type ModelFormat } from "../../../../src/index.ts";
import { add, write } from "../../../tools.ts";

async function gateOf(...tools: AnyTool[]) {
  const gate = await createGate({ tools });
  onTestFinished(() => gate.close());
  return gate;
}
const reader = { description: "Reads.", permission: "read" } as const;

const addSchema = {
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number" } },
  required: ["a", "b"],
  additionalProperties: false,
};

describe("definitions for model APIs", () => {
  it("are written in the words of each API, with names that it accepts", async () => {
    const gate = await gateOf(add);
    const description = "Adds two numbers.";
    expect(gate.definitions("anthropic")).toEqual([
      { name: "math_add", description, input_schema: addSchema },
    ]);
    expect(gate.definitions("openai")).toEqual([
      { type: "function", function: { name: "math_add", description, parameters: addSchema } },
    ]);
    expect(gate.definitions("openai-responses")).toEqual([
      { type: "function", name: "math_add", description, parameters: addSchema, strict: false },
    ]);
    expect(gate.definitions("gemini")).toEqual([
      { name: "math_add", description, parametersJsonSchema: addSchema },
    ]);
    expect(gate.definitions("mcp")).toEqual([{ name: "math_add", description, inputSchema: addSchema }]);
  });

  it("leave out what the caller could never call", async () => {
    const gate = await gateOf(add, write);
    const names = (viewer?: object) => gate.definitions("anthropic", viewer).map(({ name }) => name);
    expect(names()).toEqual(["math_add", "notes_write"]);
    expect(names({ caller: { id: "x", capabilities: [] } })).toEqual(["math_add"]);
    expect(names({ mode: "plan" })).toEqual(["math_add"]);
  });

  it("have no alternatives at the top, which providers refuse: all fields of all of them are told", async () => {
    const shape = z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("file"), path: z.string() }),
      z.object({ kind: z.literal("page"), url: z.string() }),
    ]);
    const run = (given: z.infer<typeof shape>) => (given.kind === "file" ? given.path : given.url);
    const gate = await gateOf(defineTool({ ...reader, id: "look.at", input: shape, run }));
    for (const schema of [
      gate.definitions("anthropic")[0]?.input_schema,
      gate.definitions("openai")[0]?.function.parameters,
      gate.definitions("gemini")[0]?.parametersJsonSchema,
    ]) {
      expect(schema).toMatchObject({ type: "object", properties: { path: {}, url: {} } });
      for (const key of ["oneOf", "anyOf", "required"]) expect(schema).not.toHaveProperty(key);
    }
    // The gate still knows better.
    expect((await gate.dispatch({ tool: "look_at", input: { kind: "page", path: "x" } })).ok).toBe(false);
  });

  it("join what all parts of an allOf need", async () => {
    const input = {
      type: "object",
      properties: { a: { type: "string" } },
      allOf: [{ properties: { b: { type: "string" } }, required: ["b"] }],
    } as never;
    const gate = await gateOf(defineTool({ ...reader, id: "joined", input, run: () => "" }));
    expect(gate.definitions("openai")[0]?.function.parameters).toEqual({
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      required: ["b"],
    });
  });

  it("name a tool as Gemini wants it, and find it again by that name", async () => {
    const render = { id: "3d.render", input: { type: "object" }, run: () => "rendered" } as const;
    const gate = await gateOf(defineTool({ ...reader, ...render }));
    expect(gate.definitions("gemini")[0]?.name).toBe("_3d_render");
    expect(await gate.dispatchAll([{ functionCall: { name: "_3d_render", args: {} } }])).toEqual([
      { functionResponse: { name: "_3d_render", response: { output: "rendered" } } },
    ]);
  });

  it("refuse a form that nobody knows, and say which there are", async () => {
    const gate = await gateOf(add);
    expect(() => gate.definitions("claude" as ModelFormat)).toThrow(
      'definitions takes one of anthropic, openai, openai-responses, gemini, mcp, not "claude".',
    );
    expect(() => gate.definitions("constructor" as ModelFormat)).toThrow(/definitions takes one of/);
  });
});
