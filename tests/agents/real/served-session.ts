/** A real `toolgate serve` that runs a real agent with a scripted model, and people who only have curl and a token each. */
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { createScriptedModel, type Script } from "../../../src/testing/index.ts";
import { type ReadEvent, readEvents } from "../../unit/surfaces/http/read-events.ts";
import { serve } from "../serve.ts";
import { createWorkbench, type Workbench, type WorkbenchOptions } from "../workbench.ts";

export interface ServedAgent {
  readonly variables?: WorkbenchOptions["variables"];
  /** As `sessions.runners.agent` of the configuration has it. */
  runner(bench: Workbench, modelUrl: string): object | Promise<object>;
  readonly script: Script;
}

// biome-ignore lint/suspicious/noExplicitAny: a test names the fields it looks at
type Answered = any;

/** `starter` may start sessions, `person` may answer; neither may do what the other does. */
export async function serveAgent({ variables, runner, script }: ServedAgent) {
  const bench = createWorkbench(variables === undefined ? {} : { variables });
  const model = await createScriptedModel({ script });
  onTestFinished(() => model.close());
  bench.writeRules(
    JSON.stringify({
      tools: { enabled_categories: ["filesystem", "shell"] },
      policies: {
        "ask-first": { tools: ["shell.exec", "Bash"], action: "ask", reason: "A person looks at commands." },
      },
      sessions: { roots: ["~/project"], runners: { agent: await runner(bench, model.url) } },
    }),
  );
  const { url } = await serve(bench, { cwd: bench.project });
  const tokens = {
    starter: await createToken(bench, "starter", "call"),
    person: await createToken(bench, "person", "approve"),
    reader: await createToken(bench, "reader", "read"),
  };
  type Who = keyof typeof tokens;

  async function ask(who: Who, path: string, body?: object): Promise<Answered> {
    const response = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${tokens[who]}`, "content-type": "application/json" },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
    return { status: response.status, ...((await response.json()) as object) };
  }

  /** Reads the stream up to an event, and leaves. */
  async function follow(id: string, until: (event: ReadEvent) => boolean): Promise<readonly ReadEvent[]> {
    const leaving = new AbortController();
    const giveUp = AbortSignal.any([leaving.signal, AbortSignal.timeout(60_000)]);
    const headers = { authorization: `Bearer ${tokens.starter}` };
    const response = await fetch(`${url}/api/sessions/${id}/events`, { headers, signal: giveUp });
    const events: ReadEvent[] = [];
    try {
      for await (const event of readEvents(response)) {
        events.push(event);
        if (until(event)) return events;
      }
    } catch (error) {
      throw new Error(`${error}. It never came: ${JSON.stringify(events.slice(-5))}`);
    } finally {
      leaving.abort();
    }
    throw new Error(`The stream ended: ${JSON.stringify(events.slice(-5))}`);
  }

  /** The one question that waits. Nobody is connected meanwhile. */
  async function question(session: string): Promise<Answered> {
    for (let left = 600; left > 0; left--) {
      const { approvals } = await ask("person", "/api/approvals");
      if (approvals.length > 0) return approvals[0];
      await sleep(100);
    }
    throw new Error(`It never asked: ${JSON.stringify(await ask("starter", `/api/sessions/${session}`))}`);
  }

  return { bench, model, ask, follow, question };
}

async function createToken(bench: Workbench, name: string, rights: string): Promise<string> {
  const { code, stdout, stderr } = await bench.toolgate(["tokens", "create", name, "--rights", rights]);
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}
