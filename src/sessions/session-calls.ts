/** The calls of one session: each goes through the gate as `agent:<session>`, and stands in the log. */
import type { Caller, CallRequest } from "../core/call/call.ts";
import type { Content } from "../core/call/content.ts";
import type { CheckResult, Explanation, Outcome } from "../core/call/outcome.ts";
import { defined } from "../core/input/defined.ts";
import type { Json, JsonObject } from "../core/input/json.ts";
import type { NewItem } from "../core/ports/sessions.ts";
import type { RegisteredTool } from "../core/tool/registry.ts";
import type { LookedBack } from "../gate/create-checker.ts";
import type { Gate, PartialCall } from "../gate/gate.ts";
import { nameBack } from "../gate/model/definitions.ts";
import type { DefinitionOf, ModelFormat } from "../gate/model/formats.ts";
import { labelled, toldOf } from "../gate/model/own-texts.ts";
import { explainMoved } from "./session-folder.ts";

export interface SessionCallsParts {
  readonly gate: Gate;
  readonly sessionId: string;
  readonly caller: Caller;
  readonly cwd: string;
  readonly mode: "act" | "plan";
  /** Nothing is offered, and every call is refused by whoever asks for tools. */
  readonly offersNone: boolean;
  /** Adds to the log of the turn that runs. After a cancel: does nothing. */
  readonly add: (items: readonly Omit<NewItem, "turn">[]) => Promise<void>;
  /** The same, where nobody waits until it is kept. */
  readonly addLater: (items: readonly Omit<NewItem, "turn">[]) => void;
  /** Nothing of this call waits any more. */
  readonly onCallEnd: (callId: string, code: string | undefined) => Promise<void>;
  /** Another folder is where the session's was: the turn is over, and with its signal every call of it. */
  readonly onFolderMoved: (message: string) => void;
  /** A hook has ended the task: the turn is over. */
  readonly onTaskEnd: (message: string) => void;
}

/** One tool use of the agent. */
export interface AgentCall {
  /** As the agent names it: the wire name of a gate's tool, or the agent's own name of its own tool. */
  readonly tool: string;
  readonly input: unknown;
  readonly toolUseId: string;
  /** The message of the model that makes the call: a denial rejects its other calls. */
  readonly messageId?: string | undefined;
  /** Where the agent's shell is now. Default: the folder of the session. */
  readonly cwd?: string | undefined;
  /**
   * A tool of the agent's own that does nothing by itself: its list of things to do, a sub-agent whose calls come
   * here, too. Rules hold for it as ever; where none speaks, it may run, also in plan mode.
   */
  readonly isHarmless?: boolean | undefined;
  /** Why what the model wrote could not be read as JSON; `input` is then the text. The gate refuses it. */
  readonly problem?: string | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: CallRequest["onProgress"];
}

/** How a call of the agent's own tool ended. */
export interface AgentsEnd {
  readonly ok: boolean;
  readonly callId?: string | undefined;
  readonly code?: string | undefined;
  readonly text: string;
  /** Undefined: it did not run. */
  readonly ran?: { readonly result: unknown; readonly durationMs: number } | undefined;
}

/** What a call came to, for the model. */
export interface AgentResult {
  readonly outcome: Outcome;
  /** What the model is told, with what hooks add. */
  readonly content: readonly Content[];
  readonly isError: boolean;
}

export class SessionCalls {
  readonly #parts: SessionCallsParts;

  constructor(parts: SessionCallsParts) {
    this.#parts = parts;
  }

  get caller(): Caller {
    return this.#parts.caller;
  }

  get sessionId(): string {
    return this.#parts.sessionId;
  }

  /** The tools that the agent may call, as the API of its model wants to hear of them. */
  definitions<Format extends ModelFormat>(format: Format): DefinitionOf<Format>[] {
    const { gate, caller, mode, offersNone } = this.#parts;
    return offersNone ? [] : gate.definitions(format, { caller, mode });
  }

  /** The same tools as the registry has them. */
  tools(): readonly RegisteredTool[] {
    const { gate, caller, mode, offersNone } = this.#parts;
    return offersNone ? [] : gate.tools.callable({ caller, mode });
  }

  /** Called after the tools of the gate have changed. Returns how to stop. */
  onToolsChange(listener: () => void): () => void {
    return this.#parts.gate.events.on("tools-change", listener);
  }

  /** Runs a tool of the gate. Never rejects. */
  async run(call: AgentCall): Promise<AgentResult> {
    const { gate, caller, add, addLater } = this.#parts;
    const named = nameBack(call.tool, gate.tools);
    const known = gate.tools.get(named);
    const tool = known?.id ?? named;
    const kept = add([useItem(call, tool)]);
    // What has an effect is in the log before it begins. What only reads is kept beside it: where it is quick, log
    // and ledger share one write. Whoever waits below hears of a failure.
    if (known?.tool.permission === "read") kept.catch(() => {});
    else await kept;
    this.#lookAtFolder();
    const outcome = await gate.dispatch(this.#request(call, tool));
    await kept;
    const told = toldOf(outcome, caller, gate, labelled);
    const content: readonly Content[] =
      call.problem === undefined ? told : [...told, { type: "text", text: call.problem }];
    await this.#parts.onCallEnd(outcome.callId, codeOf(outcome));
    const { ok, callId } = outcome;
    // The ledger has it already: the log may wait for what the model says to it.
    addLater([resultItem(call, tool, { ok, callId, code: codeOf(outcome) }, content)]);
    if (outcome.taskEnd !== undefined) this.#parts.onTaskEnd(outcome.taskEnd.message);
    return { outcome, content, isError: outcome.result.isError };
  }

  /**
   * May the agent run its own tool? Waits for a person where a rule asks. Nobody else is asked: where no rule
   * speaks, the gate decides as about its own tools. The verdict is `allow`, `deny`, or `abstain` for a
   * harmless tool about which no rule speaks: it may run. Never rejects.
   */
  async check(call: AgentCall, agent?: CallRequest["agent"]): Promise<CheckResult> {
    const { gate, add } = this.#parts;
    await add([useItem(call, call.tool)]);
    this.#lookAtFolder();
    const result = await gate.check({ ...this.#ownRequest(call), agent });
    await this.#parts.onCallEnd(result.callId, result.error?.code);
    return result;
  }

  /** What would be said about a call that has run already: nobody is asked, nothing is recorded. */
  explain(call: AgentCall): Promise<Explanation> {
    return this.#parts.gate.explain(this.#ownRequest(call), { as: "check" });
  }

  /** The agent told of a call that it had not asked about: only the log has it. */
  async unasked(call: AgentCall, text: string): Promise<void> {
    const end = { ok: true, code: "unasked" };
    await this.#parts.add([
      useItem(call, call.tool),
      resultItem(call, call.tool, end, [{ type: "text", text }]),
    ]);
  }

  /**
   * How a call ended that the agent ran itself, or was kept from. Hooks look at one that ran: what they add is
   * for the model. Never rejects.
   */
  async ended(call: AgentCall, end: AgentsEnd): Promise<LookedBack> {
    const { ran, ok, text } = end;
    const { add, gate, onTaskEnd } = this.#parts;
    const content: Content[] = [{ type: "text", text }];
    const seen: LookedBack =
      ran === undefined
        ? { contexts: [], taskEnd: undefined, stop: undefined }
        : await gate.lookBack(this.#request(call, call.tool), {
            ...ran,
            error: ok ? undefined : text,
          });
    await add([resultItem(call, call.tool, end, content)]);
    if (seen.taskEnd !== undefined) onTaskEnd(seen.taskEnd.message);
    return seen;
  }

  /** Whether a tool wants to see its input while the model writes it. */
  takesPartial(tool: string): boolean {
    const { tools } = this.#parts.gate;
    return tools.get(nameBack(tool, tools))?.tool.onPartial !== undefined;
  }

  /** Input that the model is still writing. */
  async partial(partial: Pick<PartialCall, "tool" | "toolUseId" | "input" | "complete">): Promise<void> {
    const { gate, sessionId, caller } = this.#parts;
    await gate.partial({ ...partial, tool: nameBack(partial.tool, gate.tools), sessionId, caller });
  }

  #lookAtFolder(): void {
    const moved = explainMoved(this.#parts.cwd);
    if (moved !== undefined) this.#parts.onFolderMoved(moved);
  }

  #ownRequest(call: AgentCall): CallRequest {
    const { isHarmless = false } = call;
    const request = this.#request(call, call.tool);
    return { ...request, unsure: "ask", isPlanning: isHarmless, decidesAlone: !isHarmless };
  }

  #request(call: AgentCall, tool: string): CallRequest {
    const { sessionId, caller, cwd, mode } = this.#parts;
    const { input, toolUseId, messageId, signal, onProgress } = call;
    return {
      tool,
      input,
      toolUseId,
      turnId: messageId,
      signal,
      onProgress,
      sessionId,
      caller,
      cwd: call.cwd ?? cwd,
      roots: [cwd],
      mode,
      surface: "session",
    };
  }
}

function codeOf(outcome: Outcome): string | undefined {
  return outcome.ok ? undefined : outcome.error.code;
}

function useItem({ toolUseId, input }: AgentCall, tool: string): Omit<NewItem, "turn"> {
  return { kind: "tool_use", itemId: toolUseId, body: { tool, toolUseId, input: shownInput(input) } };
}

/** What a model wrote may be no JSON object; the gate refuses it, and the log shows it. */
function shownInput(input: unknown): Json {
  if (input === undefined) return {};
  try {
    return JSON.parse(JSON.stringify(input)) as Json;
  } catch {
    return String(input);
  }
}

function resultItem(
  { toolUseId }: Pick<AgentCall, "toolUseId">,
  tool: string,
  end: { readonly ok: boolean; readonly callId?: string | undefined; readonly code?: string | undefined },
  content: readonly Content[],
): Omit<NewItem, "turn"> {
  const { ok, callId, code } = end;
  const body: JsonObject = {
    ...defined({ tool, toolUseId, ok, callId, code }),
    content: content.map(keptContent),
  };
  return { kind: "tool_result", itemId: `${toolUseId}-result`, body };
}

/** Pictures and files would fill the log: the model has seen them, the log says that they were there. */
function keptContent(block: Content): JsonObject {
  if (block.type === "text") return { type: "text", text: String(block.text) };
  const mimeType = typeof block.mimeType === "string" ? ` of type ${block.mimeType}` : "";
  return { type: "text", text: `[${block.type}${mimeType}, not kept]` };
}
