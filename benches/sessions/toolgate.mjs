// Our loop as a server runs it: each turn a session of its own, followed by a client, every call judged, all of it in SQLite.

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createChatRunner, createGate, createSessions, defineTool, openStore } from "../../dist/index.js";
import { description, jsonSchema } from "../walk/add-tool.mjs";

export const ours = "toolgate chat, streamed, judged and recorded";
const ann = { id: "ann", capabilities: ["*"] };

export async function toolgateSubject(url) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolgate-bench-")));
  const store = await openStore({ stateFolder: join(folder, "state") });
  const tool = defineTool({
    id: "math.add",
    description,
    permission: "read",
    input: jsonSchema,
    run: async ({ a, b }) => a + b,
  });
  const gate = await createGate({
    tools: [tool],
    roots: [folder],
    store,
    policies: [
      {
        name: "no-huge-numbers",
        tools: "math.add",
        action: "deny",
        conditions: [{ type: "argument", field: "a", operator: "greaterThan", value: 1e12 }],
      },
      { name: "small-sums", tools: "math.*", action: "approve" },
    ],
  });
  const runner = createChatRunner({ api: "openai", baseUrl: `${url}/v1`, model: "bench", key: () => "none" });
  const sessions = await createSessions(gate, {
    runners: [runner],
    store: store.sessions,
    process: store.processes.id,
    roots: [folder],
  });
  return {
    name: ours,
    async turn(prompt) {
      const started = await sessions.start({ prompt, runner: "chat", cwd: folder, single: true }, ann);
      if (!started.ok) throw new Error(started.message);
      const results = [];
      const leaving = new AbortController();
      for await (const { event, data } of sessions.events(started.session.id, { signal: leaving.signal })) {
        if (event === "tool_result") results.push(Number(data.content[0].text));
        else if (event === "error") throw new Error(data.message);
        else if (event === "session" && data.state === "ended") leaving.abort();
      }
      return results;
    },
    async close() {
      await sessions.close();
      await gate.close();
      await store.close();
      rmSync(folder, { recursive: true });
    },
    /** Of the newest session: what its log has, and how many of its calls are in the ledger. */
    async verify() {
      const { sessions: found } = await store.sessions.list({ limit: 1 });
      const items = await store.sessions.items(found[0].id);
      const { entries } = await store.ledger.query({ session: found[0].id, kinds: ["completion"] });
      const count = (kind) => items.filter((item) => item.kind === kind).length;
      return { uses: count("tool_use"), results: count("tool_result"), calls: entries.length };
    },
  };
}
