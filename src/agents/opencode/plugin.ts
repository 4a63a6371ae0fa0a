/**
 * Our plugin for OpenCode and Kilo: asks toolgate before each tool runs, and tells it how it ended. What it
 * throws is a denial whose text the model reads. It exports one function and nothing else: they take every
 * export of a file for a plugin.
 */
import { type PluginAnswer, readPluginAnswer, replaceFields } from "../in-process/plugin-answer.ts";
import type { PluginCall } from "../in-process/read-plugin-call.ts";
import { createResident } from "../in-process/resident.ts";

interface ToolCall {
  readonly tool: string;
  readonly sessionID: string;
  readonly callID: string;
}

interface Place {
  readonly directory: string;
  readonly client: {
    readonly app: { log(entry: object): Promise<unknown> };
    readonly session: { abort(which: object): Promise<unknown> };
  };
}

interface SessionEvent {
  readonly event: {
    readonly type: string;
    readonly properties?: { readonly info?: { readonly id?: string; readonly parentID?: string } };
  };
}

const resident = createResident(toolgateValues);

export async function toolgate({ directory, client }: Place): Promise<object> {
  resident.warmUp();
  /** Undefined: nobody has told, and then no name with a mark in it says whose tool it is. */
  let servers: readonly string[] | undefined;
  /** Of sessions: the one that they were started for, and as which agent they work. */
  const parents = new Map<string, string>();
  const agents = new Map<string, string>();
  /** What was said before a call, for the model to read with its result. */
  const contexts = new Map<string, string>();

  const ask = async (about: PluginCall): Promise<PluginAnswer> => {
    const { session = "" } = about;
    const isSub = parents.has(session);
    const answer = readPluginAnswer(
      await resident.ask({
        cwd: directory,
        ...about,
        ...(isSub && { agent: session, agentType: agents.get(session) }),
      }),
    );
    const { notice } = answer;
    if (notice !== undefined)
      client.app.log({ body: { service: "toolgate", level: "warn", message: notice } }).catch(() => {});
    return answer;
  };

  return {
    /** The configuration of all files together. */
    config: (config: { readonly mcp?: object }): void => {
      servers = Object.keys(config.mcp ?? {});
    },
    event: ({ event: { type, properties } }: SessionEvent): void => {
      const { id, parentID } = properties?.info ?? {};
      if (type.startsWith("session.") && id !== undefined && parentID !== undefined)
        keep(parents, id, parentID);
    },
    "chat.message": async ({ sessionID: session, agent }: { sessionID: string; agent?: string }) => {
      if (agent !== undefined) keep(agents, session, agent);
      await ask({ event: "UserPromptSubmit", session });
    },
    "tool.execute.before": async (
      { tool, sessionID: session, callID: call }: ToolCall,
      output: { args: Record<string, unknown> },
    ): Promise<void> => {
      const input = output.args;
      const {
        deny,
        input: changed,
        context,
      } = await ask({
        event: "PreToolUse",
        ...{ tool, input, session, call },
        ...(tool.includes("_") && { servers }),
      });
      if (deny !== undefined) throw new Error(deny);
      if (changed !== undefined) replaceFields(input, changed);
      if (context !== undefined) keep(contexts, call, context);
    },
    "tool.execute.after": async (
      { tool, sessionID: session, callID: call, args: input }: ToolCall & { readonly args: unknown },
      result: Result,
    ): Promise<void> => {
      const before = contexts.get(call);
      contexts.delete(call);
      const { context, end } = await ask({
        event: "PostToolUse",
        ...{ tool, input, session, call },
        ...(tool.includes("_") && { servers }),
        response: result.output ?? result.content,
      });
      const said = [before, context, end].filter((text) => text !== undefined);
      if (said.length > 0) append(result, said.join("\n\n"));
      // Every later call is refused as well; this only saves the model the way.
      if (end !== undefined) client.session.abort({ path: { id: session } }).catch(() => {});
    },
  };
}

/** Of a tool of its own, or of an MCP server. */
interface Result {
  output?: string;
  content?: { type: string; text?: string }[];
}

function append(result: Result, text: string): void {
  if (typeof result.output === "string") result.output += `\n\n${text}`;
  else if (Array.isArray(result.content)) result.content.push({ type: "text", text });
}

const maxKept = 1_000;

/** Calls that fail never come back. */
function keep(map: Map<string, string>, key: string, value: string): void {
  const [oldest] = map.keys();
  if (map.size >= maxKept && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}
