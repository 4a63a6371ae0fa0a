// The floor: the tool's function alone, and with nothing but a validator before it.

import Type from "typebox";
import { Compile } from "typebox/compile";
import { inputAt, jsonSchema, zodSchema } from "./add-tool.mjs";

const add = async ({ a, b }) => a + b;

export function plainSubjects() {
  const compiled = Compile(Type.Unsafe(jsonSchema));
  return [
    { name: "bare async function", call: (index) => add(inputAt(index)), sum: (value) => value },
    {
      name: "typebox compiled check + function",
      call: (index) => checked(compiled, inputAt(index)),
      sum: (value) => value,
    },
    {
      name: "zod parse + function",
      call: (index) => add(zodSchema.parse(inputAt(index))),
      sum: (value) => value,
    },
  ];
}

function checked(compiled, input) {
  if (!compiled.Check(input)) throw new TypeError("The input is not valid.");
  return add(input);
}
