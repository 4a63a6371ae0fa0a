// The one tool that everybody runs: it adds two numbers. All subjects get the same fields and must give the same sum.

import { z } from "zod";

export const description = "Adds two numbers.";

export const jsonSchema = {
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number" }, note: { type: "string" } },
  required: ["a", "b", "note"],
  additionalProperties: false,
};

export const zodShape = { a: z.number(), b: z.number(), note: z.string() };
export const zodSchema = z.strictObject(zodShape);

/** A new object each time, as every call of a model brings one. */
export function inputAt(index) {
  return { a: index & 1_023, b: 2, note: "the sum of two small numbers" };
}

export function sumAt(index) {
  return (index & 1_023) + 2;
}
