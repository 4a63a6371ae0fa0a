/** Sessions of the real Claude Agent SDK with a scripted model: what the checks of the runner `claude` share. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished } from "vitest";
import { createClaudeRunner, createGate, createSessions, type GateOptions } from "../../../src/index.ts";
import type { SessionsOptions } from "../../../src/sessions/create-sessions.ts";
import type { SessionEvent } from "../../../src/sessions/session-event.ts";
import { createScriptedModel, type Script } from "../../../src/testing/index.ts";
import { agentSdk } from "../agent-sdk.ts";
import { listProcesses, processesIn } from "../run-process.ts";
import { client, createWorkbench, type Workbench } from "../workbench.ts";

const sdk = agentSdk.find();

export const hasSdk = client !== undefined && sdk !== undefined;
export const ann = { id: "ann", capabilities: ["*"] };

export interface ClaudeWorldOptions {
  readonly script: Script;
  readonly gate?: Omit<GateOptions, "builtin" | "rules" | "roots">;
  /** YAML. */
  readonly rules?: string;
  readonly categories?: readonly string[];
  readonly sessions?: Partial<SessionsOptions>;
  readonly bench?: Workbench;
  /** Before the gate opens. */
  readonly prepare?: (bench: Workbench) => void;
  readonly env?: Readonly<Record<string, string>>;
  readonly executable?: string;
}

export async function claudeWorld(options: ClaudeWorldOptions) {
  const { script, rules = "", categories = ["filesystem"], bench = createWorkbench() } = options;
  options.prepare?.(bench);
  const model = await createScriptedModel({ script });
  const gate = await createGate({
    builtin: { workspace: bench.project, categories, stateFolder: bench.path("state") },
    rules: bench.write("rules.yaml", rules === "" ? "policies: {}\n" : rules),
    approver: "desk",
    ...options.gate,
  });
  const runner = createClaudeRunner({
    sdk: () => import(pathToFileURL(sdk ?? "").href),
    executable: options.executable ?? client,
    env: { ...bench.env, ANTHROPIC_BASE_URL: model.url, ...options.env },
  });
  const sessions = await createSessions(gate, {
    runners: [runner],
    roots: [bench.project],
    ...options.sessions,
  });
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await sessions.close();
    await gate.close();
    await model.close();
  };
  onTestFinished(close);

  async function start(more: object = {}): Promise<string> {
    const started = await sessions.start({ prompt: "Go.", runner: "claude", ...more }, ann);
    if (!started.ok) throw new Error(started.message);
    return started.session.id;
  }

  /** What a client is sent until something that it waits for. */
  async function read(id: string, until: (event: SessionEvent) => boolean): Promise<SessionEvent[]> {
    const leaving = AbortSignal.timeout(90_000);
    const events: SessionEvent[] = [];
    for await (const event of sessions.events(id, { signal: leaving })) {
      events.push(event);
      if (until(event)) return events;
    }
    throw new Error(`It did not come: ${JSON.stringify(events.slice(-5), undefined, 1)}`);
  }

  /** Until the session waits for the next message, or is over. */
  const turnOver = (id: string, turn = 1) =>
    read(id, ({ event, data }) => event === "session" && data.turn === turn && isOver(String(data.state)));

  /** `kind: what it says`, in order. */
  async function log(id: string): Promise<string[]> {
    const items = await sessions.items(id);
    return items
      .filter(({ kind }) => kind !== "usage")
      .map(
        ({ kind, body }) =>
          `${kind}: ${body.tool ?? body.text ?? body.stopReason ?? body.code ?? body.state ?? body.what}`,
      );
  }

  /** What the model was told came of a call. */
  const told = (id: string) => model.toolResults().find((result) => result.id === id);

  /** Waits until a person is asked. */
  async function question() {
    await expect.poll(async () => (await gate.approvals.pending()).length, { timeout: 60_000 }).toBe(1);
    const [asked] = await gate.approvals.pending();
    const answer = (decision: "approve" | "deny", reason?: string) =>
      gate.approvals.answer(asked?.id ?? "", {
        decision,
        by: "ann",
        ...(reason !== undefined && { reason }),
      });
    return { toolId: asked?.toolId, caller: asked?.caller, answer };
  }

  return { bench, model, gate, sessions, start, read, turnOver, log, told, question, close };
}

export type ClaudeWorld = Awaited<ReturnType<typeof claudeWorld>>;

export function isOver(state: string): boolean {
  return state === "idle" || state === "ended";
}

/** The command lines of processes that carry the scratch home in their environment. */
export function processesOf({ home }: Workbench): string[] {
  return commandsOf(processesIn(home));
}

export function commandsOf(processes = listProcesses()): string[] {
  return processes.flatMap(({ words }) => (words.length === 0 ? [] : [words.join(" ").slice(0, 200)]));
}

/** An MCP server with the tools `look` and `drop`. */
export const storeServer = join(import.meta.dirname, "../mcp-server.mjs");
