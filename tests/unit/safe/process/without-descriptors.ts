/** Opens files until none can be opened any more, then makes a call whose rule needs a deadline, and says how it ended. */
import { closeSync, openSync } from "node:fs";
import { createGate, defineTool } from "../../../../src/index.ts";

const tool = defineTool({
  id: "text.take",
  description: "Takes a text.",
  permission: "read",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  run: () => "ran",
});
// Without a linear engine (a look behind that refers back), so every text is matched under a deadline.
const gate = await createGate({
  tools: [tool],
  routes: [
    {
      name: "twice",
      tool: "text.take",
      field: "text",
      pattern: "(x+)y(?<=\\1y)z",
      action: "block",
      message: "No.",
    },
  ],
});
const call = async () => {
  const outcome = await gate.dispatch({ tool: "text.take", input: { text: "xyz" } });
  return outcome.ok ? "ran" : outcome.error.message;
};
const ends = [await call()];
const opened: number[] = [];
try {
  for (;;) opened.push(openSync("/dev/null", "r"));
} catch (error) {
  ends.push(String((error as NodeJS.ErrnoException).code));
}
for (let spare = 0; spare < 12; spare++) {
  ends.push(await call());
  closeSync(opened.pop() as number);
}
ends.push(await call());
process.stdout.write(JSON.stringify(ends));
