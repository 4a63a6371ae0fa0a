/** Compiled by `npm run typecheck`: each `@ts-expect-error` fails the build as soon as the mistake below it compiles. */
import * as v from "valibot";
import { z } from "zod";
import { defineTool, type Gate, type Outcome } from "../../src/index.ts";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_proof: Same<A, B>): void {}

declare const gate: Gate;

const withZod = defineTool({
  id: "count.words",
  description: "Counts words.",
  permission: "read",
  input: z.object({ text: z.string(), minimum: z.number().default(1) }),
  output: z.object({ words: z.number() }),
  run: ({ text, minimum }) => {
    same<typeof text, string>(true);
    same<typeof minimum, number>(true);
    return { words: text.split(" ").length };
  },
});

const withJsonSchema = defineTool({
  id: "math.add",
  description: "Adds.",
  permission: "read",
  input: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" }, note: { type: "string" } },
    required: ["a", "b"],
  },
  run: ({ a, b, note }) => {
    same<typeof a, number>(true);
    same<typeof note, string | undefined>(true);
    return a + b;
  },
});

const withValibot = defineTool({
  id: "text.upper",
  description: "Upper case.",
  permission: "read",
  input: v.object({ text: v.string() }),
  run: ({ text }) => text.toUpperCase(),
});

export async function outcomesAreTyped(): Promise<void> {
  const counted = await gate.call(withZod, { text: "a b" });
  if (counted.ok) {
    same<typeof counted.value, { words: number }>(true);
    // @ts-expect-error an unknown output field
    counted.value.letters;
  } else {
    // @ts-expect-error a refusal has no value
    counted.value;
  }
  const sum = await gate.call(withJsonSchema, { a: 1, b: 2 });
  same<typeof sum, Outcome<number>>(true);
  const upper = await gate.call(withValibot, { text: "x" });
  same<typeof upper, Outcome<string>>(true);
}

export async function wrongInputDoesNotCompile(): Promise<void> {
  // @ts-expect-error text must be a string
  await gate.call(withZod, { text: 1 });
  // @ts-expect-error text is missing
  await gate.call(withZod, {});
  // @ts-expect-error b is missing
  await gate.call(withJsonSchema, { a: 1 });
  // @ts-expect-error b must be a number
  await gate.call(withJsonSchema, { a: 1, b: "2" });
  // @ts-expect-error text must be a string
  await gate.call(withValibot, { text: true });
}

export function wrongDefinitionsDoNotCompile(): void {
  const parts = { id: "x.y", description: "d", permission: "read" } as const;
  const input = z.object({ a: z.string() });
  const output = z.object({ words: z.number() });
  // @ts-expect-error the output schema knows no letters and misses words
  defineTool({ ...parts, input, output, run: () => ({ letters: 1 }) });
  // @ts-expect-error there is no such permission
  defineTool({ ...parts, permission: "admin", input, run: () => 1 });
  // @ts-expect-error a description is required
  defineTool({ id: "x.y", permission: "read", input, run: () => 1 });
  // @ts-expect-error b is not in the input schema
  defineTool({ ...parts, input, run: ({ b }) => b });
}
