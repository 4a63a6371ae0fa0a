/** A process of its own that applies one patch through a gate when it is told to. Its parent kills it somewhere on the way. */
import { createGate } from "../../src/gate/create-gate.ts";
import { createEditingTools } from "../../src/sources/builtin/editing/editing-tools.ts";

const [root, stateFolder, patch] = process.argv.slice(2) as [string, string, string];
const { tools, recovered } = createEditingTools({ stateFolder });
await recovered;
const gate = await createGate({
  tools,
  roots: [root],
  enable: { enabledCategories: ["editing"] },
  policies: [{ name: "yes", tools: "*", action: "approve" }],
});
process.stdout.write("ready\n");
process.stdin.once("data", async () => {
  const outcome = await gate.dispatch({ tool: "apply_patch", input: { patch }, cwd: root });
  process.stdout.write(outcome.ok ? "done\n" : `refused ${outcome.error.message}\n`);
  process.stdin.pause();
});
