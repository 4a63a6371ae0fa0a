import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createGate, defineTool, type ModelFormat } from "../../../../src/index.ts";
import { createTestGate } from "../../../../src/testing/test-gate.ts";
import { add, write } from "../../../tools.ts";

const addSchema = {
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number" } },
  required: ["a", "b"],
  additionalProperties: false,
};

describe("definitions for model APIs", () => {
  it("are written in the words of each API, with names that it accepts", async () => {
    const { gate } = await createTestGate({ tools: [add] });
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
    await gate.close();
  });

  it("leave out what the caller could never call", async () => {
    const { gate } = await createTestGate({ tools: [add, write] });
    const names = (viewer?: object) => gate.definitions("anthropic", viewer).map(({ name }) => name);
    expect(names()).toEqual(["math_add", "notes_write"]);
    expect(names({ caller: { id: "x", capabilities: [] } })).toEqual(["math_add"]);
    expect(names({ mode: "plan" })).toEqual(["math_add"]);
    await gate.close();
  });

  it("have no alternatives at the top, which providers refuse: all fields of all of them are told", async () => {
    const shape = z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("file"), path: z.string() }),
      z.object({ kind: z.literal("page"), url: z.string() }),
    ]);
    const look = defineTool({
      id: "look.at",
      description: "Looks.",
      permission: "read",
      input: shape,
      run: (given) => (given.kind === "file" ? given.path : given.url),
    });
    const gate = await createGate({ tools: [look] });
    for (const schema of [
      gate.definitions("anthropic")[0]?.input_schema,
      gate.definitions("openai")[0]?.function.parameters,
      gate.definitions("gemini")[0]?.parametersJsonSchema,
    ]) {
      expect(schema).toMatchObject({ type: "object", properties: { path: {}, url: {} } });
      expect(Object.keys(schema ?? {})).not.toEqual(expect.arrayContaining(["oneOf"]));
      expect(Object.keys(schema ?? {})).not.toEqual(expect.arrayContaining(["anyOf"]));
      expect(schema?.required).toBeUndefined();
    }
    // The gate still knows better.
    expect((await gate.dispatch({ tool: "look_at", input: { kind: "page", path: "x" } })).ok).toBe(false);
    await gate.close();
  });

  it("join what all parts of an allOf need", async () => {
    const joined = defineTool({
      id: "joined",
      description: "Joined.",
      permission: "read",
      input: {
        type: "object",
        properties: { a: { type: "string" } },
        allOf: [{ properties: { b: { type: "string" } }, required: ["b"] }],
      } as never,
      run: () => "",
    });
    const gate = await createGate({ tools: [joined] });
    expect(gate.definitions("openai")[0]?.function.parameters).toEqual({
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      required: ["b"],
    });
    await gate.close();
  });

  it("name a tool as Gemini wants it, and find it again by that name", async () => {
    const tool = defineTool({
      id: "3d.render",
      description: "Renders.",
      permission: "read",
      input: { type: "object" },
      run: () => "rendered",
    });
    const gate = await createGate({ tools: [tool] });
    expect(gate.definitions("gemini")[0]?.name).toBe("_3d_render");
    expect(await gate.dispatchAll([{ functionCall: { name: "_3d_render", args: {} } }])).toEqual([
      { functionResponse: { name: "_3d_render", response: { output: "rendered" } } },
    ]);
    await gate.close();
  });

  it("refuse a form that nobody knows, and say which there are", async () => {
    const { gate } = await createTestGate({ tools: [add] });
    expect(() => gate.definitions("claude" as ModelFormat)).toThrow(
      'definitions takes one of anthropic, openai, openai-responses, gemini, mcp, not "claude".',
    );
    expect(() => gate.definitions("constructor" as ModelFormat)).toThrow(/definitions takes one of/);
    await gate.close();
  });
});
