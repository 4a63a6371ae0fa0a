/** A process with a gate whose calls wait for a person elsewhere; says when each asks and when its tool runs. */
import { createGate, defineTool } from "../../src/index.ts";
import { openStore } from "../../src/open/open-store.ts";

const [stateFolder = "", rounds = "0"] = process.argv.slice(2);
const now = () => performance.timeOrigin + performance.now();
const store = await openStore({ stateFolder });
const tool = defineTool({
  id: "x.run",
  title: "Run",
  description: "Says when it runs.",
  permission: "write",
  roles: {},
  input: { type: "object", properties: {} },
  run: () => {
    process.stdout.write(`resumed ${now()}\n`);
    return "ran";
  },
});
const gate = await createGate({ tools: [tool], approver: "desk", store });
gate.events.on("approval-request", ({ request }) => process.stdout.write(`asked ${request.id}\n`));
for (let round = 0; round < Number(rounds); round++) {
  const outcome = await gate.dispatch({ tool: "x.run", input: {} });
  if (!outcome.ok) throw outcome.error;
}
await gate.close();
await store.close();
