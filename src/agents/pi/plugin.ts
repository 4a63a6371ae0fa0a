/**
 * Our extension for pi: asks toolgate before each tool runs, and tells it how it ended. A handler that throws
 * blocks the call as well, but then the model would read an error instead of the reason.
 */
import { type PluginAnswer, readPluginAnswer, replaceFields } from "../in-process/plugin-answer.ts";
import type { PluginCall } from "../in-process/read-plugin-call.ts";
import { createResident } from "../in-process/resident.ts";

interface Context {
  readonly cwd: string;
  readonly hasUI: boolean;
  readonly ui: { notify(text: string, level: string): void };
  readonly sessionManager: { getSessionId(): string };
  abort(): void;
}

interface CallEvent {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly input: Record<string, unknown>;
}

interface ResultEvent extends CallEvent {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly isError: boolean;
}

interface Pi {
  on(event: string, handler: (event: never, context: Context) => unknown): void;
}

const resident = createResident(toolgateValues);

export default function toolgate(pi: Pi): void {
  /** What was said before a call, for the model to read with its result. */
  const contexts = new Map<string, string>();

  const ask = async (
    about: PluginCall,
    { cwd, hasUI, ui, sessionManager }: Context,
  ): Promise<PluginAnswer> => {
    const session = sessionManager.getSessionId();
    const answer = readPluginAnswer(await resident.ask({ ...about, session, cwd }));
    if (answer.notice !== undefined && hasUI) ui.notify(answer.notice, "warning");
    return answer;
  };

  // Not before: some commands load extensions and start no session.
  pi.on("session_start", () => resident.warmUp());
  pi.on("before_agent_start", async (_event, context) => {
    await ask({ event: "UserPromptSubmit" }, context);
  });
  pi.on("tool_call", async ({ toolName: tool, toolCallId: call, input }: CallEvent, context) => {
    const {
      deny,
      input: changed,
      context: said,
    } = await ask({ event: "PreToolUse", tool, input, call }, context);
    if (deny !== undefined) return { block: true, reason: deny };
    if (changed !== undefined) replaceFields(input, changed);
    if (said !== undefined) contexts.set(call, said);
    return undefined;
  });
  pi.on("tool_result", async (event: ResultEvent, context) => {
    const { toolName: tool, toolCallId: call, input, content, isError } = event;
    const before = contexts.get(call);
    contexts.delete(call);
    const text = content.map((part) => part.text ?? `(${part.type})`).join("\n");
    const { context: said, end } = await ask(
      isError
        ? { event: "PostToolUseFailure", tool, input, call, error: text }
        : { event: "PostToolUse", tool, input, call, response: text },
      context,
    );
    // Every later call is refused as well; this only saves the model the way.
    if (end !== undefined) context.abort();
    const all = [before, said, end].filter((one) => one !== undefined);
    if (all.length === 0) return undefined;
    return { content: [...content, { type: "text", text: all.join("\n\n") }] };
  });
}
