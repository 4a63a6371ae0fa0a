/** One conversation of the real client with a scripted model, and what came of it. */
import { describe, expect } from "vitest";
import {
  createScriptedModel,
  type ModelRequest,
  type ModelToolResult,
  type Script,
  type ScriptedCall,
  type ScriptedConversation,
} from "../../src/testing/index.ts";
import { client, ourPlugin, type Workbench } from "./workbench.ts";

export interface SessionOptions {
  /** The folder of the plugin to load; ours unless said otherwise. */
  readonly plugin?: string | false;
  /** Tools that need no approval by the client. */
  readonly allow?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly conversations?: readonly ScriptedConversation[];
  /** What somebody else does while it runs, such as answering a question. */
  readonly meanwhile?: () => Promise<void>;
}

export interface Session {
  /** What the model was told came of a call. */
  result(id: string): ModelToolResult;
  readonly requests: readonly ModelRequest[];
  /** What the client told the person. */
  readonly notices: string;
  readonly pluginErrors: readonly unknown[];
  readonly plugins: readonly string[];
}

/** Counted skips where the client could not be installed. */
export const describeClaudeCode = describe.skipIf(client === undefined);

export async function runSession(
  bench: Workbench,
  script: Script,
  options: SessionOptions = {},
): Promise<Session> {
  const { plugin = ourPlugin, allow = [], args = [], env = {}, conversations = [], meanwhile } = options;
  await using model = await createScriptedModel({ script, conversations });
  const running = bench.claude(
    [
      ...["-p", "Do it.", "--output-format", "stream-json", "--verbose"],
      ...(plugin === false ? [] : ["--plugin-dir", plugin]),
      ...(allow.length > 0 ? ["--allowedTools", ...allow] : []),
      ...args,
    ],
    { env: { ANTHROPIC_BASE_URL: model.url, ...env } },
  );
  const [ended] = await Promise.all([running, meanwhile?.()]);
  if (ended.code !== 0 || model.errors.length > 0) {
    throw new Error(
      `The client ended with ${ended.code}: ${ended.stderr}\n${ended.stdout.slice(-2_000)}\n${model.errors}`,
    );
  }
  const events = ended.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as StreamEvent);
  const init = events.find(({ type, subtype }) => type === "system" && subtype === "init");
  const results = new Map(model.toolResults().map((result) => [result.id, result]));
  return {
    result(id) {
      const result = results.get(id);
      if (result === undefined)
        throw new Error(`The model was told nothing of ${id}, only of ${[...results.keys()]}.`);
      return result;
    },
    requests: model.requests,
    notices: events
      .filter(({ type, subtype }) => type === "system" && subtype === "informational")
      .map(({ content }) => content)
      .join("\n"),
    pluginErrors: init?.plugin_errors ?? [],
    plugins: (init?.plugins ?? []).map(({ source }) => source),
  };
}

/** One call in a conversation of its own: what the model was told, and the rest of the session. */
export async function callOnce(
  bench: Workbench,
  call: ScriptedCall,
  options?: SessionOptions,
): Promise<ModelToolResult & { readonly session: Session }> {
  const session = await runSession(bench, [{ ...call, id: "toolu_once" }, "Done."], options);
  return { ...session.result("toolu_once"), session };
}

export function bash(command: string, id?: string): ScriptedCall {
  return { tool: "Bash", input: { command }, ...(id !== undefined && { id }) };
}

/** A result that tells the model why its call did not run. */
export function refused(text: string) {
  return { isError: true, text: expect.stringContaining(text) as string };
}

/** The result of a call that ran. */
export function passed(text = "") {
  return { isError: false, text: expect.stringContaining(text) as string };
}

interface StreamEvent {
  readonly type: string;
  readonly subtype?: string;
  readonly content?: string;
  readonly plugins?: readonly { readonly source: string }[];
  readonly plugin_errors?: readonly unknown[];
}
