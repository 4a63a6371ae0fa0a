/** Which turn of the script answers a request: each conversation has its own place in its own list. */
import type { ModelAnswer, ModelRequest } from "./conversation.ts";

export interface ScriptedCall {
  readonly tool: string;
  /** For a protocol that has namespaces of tools (OpenAI Responses); others leave it out. */
  readonly namespace?: string;
  /** A text is sent as it is by APIs whose arguments are text: a model may write what is no JSON. */
  readonly input?: Readonly<Record<string, unknown>> | string;
  /** Made up if not given; give one to find the result again. */
  readonly id?: string;
}

/** Text; one call; several calls in one turn; both; or an HTTP error. */
export type ScriptedReply =
  | string
  | ScriptedCall
  | readonly ScriptedCall[]
  | {
      readonly text: string;
      readonly calls: readonly ScriptedCall[];
      /** In the words of the API, such as `max_tokens`; where the protocol is Anthropic's or chat completions. */
      readonly stopReason?: string;
    }
  | {
      readonly status: number;
      readonly message?: string;
      /** Such as `{ "retry-after": "1" }`. */
      readonly headers?: Readonly<Record<string, string>>;
    };

/** A function decides by the request. `signal` fires when the client gives up or the model closes. */
export type ScriptedTurn =
  | ScriptedReply
  | ((
      request: ModelRequest,
      context: { readonly signal: AbortSignal },
    ) => ScriptedReply | Promise<ScriptedReply>);

export interface ScriptedConversation {
  /** A text in the system prompt or in what the model was told first, or a function of the request. */
  readonly when: string | ((request: ModelRequest) => boolean);
  readonly script: Script;
}

/** One turn per request, in order; or one function for every request. */
export type Script = readonly ScriptedTurn[] | Extract<ScriptedTurn, (...given: never) => unknown>;

type ReadScript = (request: ModelRequest, signal: AbortSignal) => Promise<ModelAnswer>;

export function createScriptReader(main: Script, conversations: readonly ScriptedConversation[]): ReadScript {
  const places = new Map<Script, number>();
  let calls = 0;
  const nextId = () => `toolu_scripted_${++calls}`;

  return async (request, signal) => {
    const script = conversations.find(({ when }) => concerns(when, request))?.script ?? main;
    const place = places.get(script) ?? 0;
    places.set(script, place + 1);
    const turn =
      typeof script === "function" ? script : (script[place] ?? scriptEnded(script.length, request));
    return toAnswer(typeof turn === "function" ? await turn(request, { signal }) : turn, nextId);
  };
}

function concerns(when: ScriptedConversation["when"], request: ModelRequest): boolean {
  if (typeof when === "function") return when(request);
  // Only what came before the first turn: later messages of the main conversation quote what a sub-agent was asked.
  const turn = request.messages.findIndex(({ role }) => role === "assistant");
  const first = request.messages
    .slice(0, turn === -1 ? undefined : turn)
    .filter(({ role }) => role === "user");
  return request.system.includes(when) || first.some(({ text }) => text.includes(when));
}

function scriptEnded(turns: number, { index }: ModelRequest): string {
  const length = turns === 1 ? "1 turn" : `${turns} turns`;
  return `The script is over: it has ${length}, and request ${index + 1} asked for one more.`;
}

function toAnswer(reply: ScriptedReply, nextId: () => string): ModelAnswer {
  if (typeof reply === "string") return { text: reply, calls: [] };
  if ("status" in reply) {
    const { status, message = `The script answers ${status}.`, headers } = reply;
    return { status, message, headers };
  }
  const toCall = ({ id, tool, namespace, input }: ScriptedCall) => ({
    id: id ?? nextId(),
    tool,
    ...(namespace !== undefined && { namespace }),
    input: input ?? {},
  });
  if ("calls" in reply)
    return { text: reply.text, calls: reply.calls.map(toCall), stopReason: reply.stopReason };
  return { text: "", calls: ("tool" in reply ? [reply] : reply).map(toCall) };
}
