/** A process with a session of the real Claude Agent SDK, made to be killed: prints the session once the model writes. */
import { pathToFileURL } from "node:url";
import { createClaudeRunner, createGate, createSessions } from "../../../src/index.ts";
import { openStore } from "../../../src/open/open-store.ts";

const { SDK = "", CLIENT = "", STATE = "", PROJECT = "", VARIABLES = "{}" } = process.env;
const store = await openStore({ stateFolder: STATE });
const gate = await createGate({ roots: [PROJECT] });
const sessions = await createSessions(gate, {
  runners: [
    createClaudeRunner({
      sdk: () => import(pathToFileURL(SDK).href),
      executable: CLIENT,
      env: JSON.parse(VARIABLES),
    }),
  ],
  roots: [PROJECT],
  store: store.sessions,
  process: store.processes.id,
});
const started = await sessions.start({ prompt: "Go.", runner: "claude" }, { id: "ann", capabilities: ["*"] });
if (!started.ok) throw new Error(started.message);
const signal = AbortSignal.timeout(60_000);
for await (const { event } of sessions.events(started.session.id, { signal }))
  if (event === "message-delta") process.stdout.write(`${started.session.id}\n`);
