/** tools/call: one walk through the gate, and its outcome as the text of a result, serialised once. */
import type { Stop } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Outcome } from "../../core/outcome.ts";
import type { Gate } from "../../gate.ts";
import type { Era } from "../../mcp/eras.ts";
import { isObject, RawResult, type RpcError } from "../../mcp/messages.ts";
import type { Answer } from "../../mcp/peer.ts";
import type { Asking } from "./ask/asking.ts";
import { type Exchange, objectParam, type Stamps, textParam, wrongParams } from "./exchange.ts";
import { canBeShown } from "./tool-list.ts";

export function callTool(exchange: Exchange, asking: Asking, gate: Gate, stamps: Stamps): Promise<Answer> {
  const { params } = exchange.request;
  const tool = textParam(params, "name");
  const input = objectParam(params, "arguments");
  return dispatch(tool, input, exchange, asking, gate).then((outcome) =>
    toResult(outcome, exchange.era, gate, stamps),
  );
}

/** Every way in of this surface that runs something ends here. */
export function dispatch(
  tool: string,
  input: JsonObject,
  { request, transport }: Exchange,
  asking: Asking,
  gate: Gate,
): Promise<Outcome> {
  const { caller, sessionId, cwd } = transport;
  return gate.dispatch({
    tool,
    input,
    caller,
    sessionId,
    cwd,
    toolUseId: toolUseIdOf(request.params),
    surface: "mcp",
    signal: asking.signal,
    onProgress: asking.onProgress,
    approver: asking.approver,
    elicit: asking.elicit,
  });
}

/** Joins the record of the agent's hook with the one of this call. */
export function toolUseIdOf({ _meta: meta }: JsonObject): string | undefined {
  const id = isObject(meta) ? meta["claudecode/toolUseId"] : undefined;
  return typeof id === "string" && id.length <= 200 ? id : undefined;
}

function toResult(outcome: Outcome, era: Era, gate: Gate, stamps: Stamps): RawResult {
  if (!outcome.ok && outcome.error.code === "unknown_tool") throw refused(outcome.error);
  const { result } = outcome;
  const added = addedTexts(outcome);
  const content =
    added.length === 0
      ? result.content
      : [...result.content, ...added.map((text) => ({ type: "text", text }))];
  const structured = outcome.ok ? structuredOf(outcome, era, gate, added.length === 0) : undefined;
  const head = era === "modern" ? stamps.modernHead : "{";
  return new RawResult(
    `${head}"content":${JSON.stringify(content)}${structured === undefined ? "" : `,"structuredContent":${structured}`}${
      result.isError ? ',"isError":true' : ""
    }}`,
  );
}

/** As an error of the protocol: clients show its message and nothing else. */
export function refused({ code, message, hint }: Stop, about: JsonObject = {}): RpcError {
  return wrongParams(hint === "" ? message : `${message} ${hint}`, { ...about, code });
}

/** What hooks want the conversation to show; and where nobody could be asked, who could be. */
function addedTexts(outcome: Outcome): readonly string[] {
  if (outcome.ok || outcome.error.code !== "no_approver") return outcome.contexts;
  return [...outcome.contexts, howToAsk];
}

const howToAsk =
  "People answer such questions with `toolgate approvals` if toolgate mcp runs without --no-wait, in `toolgate serve`, or in a client that supports elicitation.";

/** Output that was cut has lost its structured part; a client that was promised one takes its absence for an error. */
const maxStructuredCharacters = 4 * 1024 * 1024;

function structuredOf(
  { tool, result, value }: Outcome & { readonly ok: true },
  era: Era,
  gate: Gate,
  isWhole: boolean,
): string | undefined {
  const { structured } = result;
  const registered = gate.tools.get(tool);
  const isPromised = canBeShown(registered?.outputSchema, era);
  if (structured === undefined) {
    if (result.isError || !isPromised) return undefined;
    const json = value === undefined ? undefined : JSON.stringify(value);
    return json !== undefined && json.length <= maxStructuredCharacters ? json : undefined;
  }
  if (era === "legacy" && !isObject(structured)) return undefined;
  const json = JSON.stringify(structured);
  if (json.length > maxStructuredCharacters) return undefined;
  // Claude Code shows a model nothing else where there is a structured part: the text must not hold more than it does.
  if (isPromised || (isWhole && registered?.source.kind === "upstream")) return json;
  const [only, ...more] = result.content;
  return isWhole && more.length === 0 && only?.type === "text" && only.text === json ? json : undefined;
}
