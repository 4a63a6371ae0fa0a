/** What `npm start` shows until there is a server: one small gate at work. */

import { defineTool } from "./core/tool.ts";
import { createGate } from "./create-gate.ts";

const add = defineTool({
  id: "math.add",
  description: "Adds two numbers.",
  permission: "read",
  input: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
    additionalProperties: false,
  },
  run: ({ a, b }) => a + b,
});
const remove = defineTool({
  id: "files.remove",
  description: "Removes a file.",
  permission: "write",
  input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  run: ({ path }) => `removed ${path}`,
});

await using gate = await createGate({ tools: [add, remove] });
console.log("toolgate is a library so far; the server comes with `toolgate serve`. A gate at work:\n");
for (const [tool, input] of [
  ["math.add", { a: 2, b: 40 }],
  ["math.add", { a: 2, b: "forty" }],
  ["files.remove", { path: "notes.txt" }],
  ["maths.add", {}],
] as const) {
  const outcome = await gate.dispatch({ tool, input });
  const end = outcome.ok
    ? String(outcome.value)
    : `${outcome.error.code} at ${outcome.error.stage}: ${outcome.error.message}`;
  console.log(`  ${tool} ${JSON.stringify(input)}\n    ${outcome.ok ? "✓" : "✗"} ${end}`);
}
console.log("\nNext: read README.md, or run the examples: npm run examples");
