/** tools/call: one walk through the gate, and its outcome as the text of a result, serialised once. */
import { describeRule } from "../../../core/call/describe-rule.ts";
import type { Stop } from "../../../core/call/errors.ts";
import type { Outcome } from "../../../core/call/outcome.ts";
import { isJsonObject, type JsonObject } from "../../../core/input/json.ts";
import { withWireNames } from "../../../core/tool/wire-names.ts";
import type { Gate } from "../../../gate/gate.ts";
import { toldOfFailure, toldOfSuccess } from "../../../gate/model/own-texts.ts";
import type { Era } from "../../../mcp/eras.ts";
import { RawResult, RpcError, rpcCodes } from "../../../mcp/messages.ts";
import type { Answer } from "../../../mcp/peer.ts";
import { type Exchange, objectParam, type Stamps, textParam, wrongParams } from "../exchange.ts";
import type { ServerContext, Walk } from "../server-context.ts";
import { answerPermissionPrompt, noInput, permissionPromptName, toolUseIdOf } from "./permission-prompt.ts";
import { canBeShown } from "./tool-list.ts";

export function callTool(exchange: Exchange, server: ServerContext): Answer | Promise<Answer> {
  const { params } = exchange.request;
  const { name, arguments: given = {} } = params;
  if (name === permissionPromptName && server.permissionPrompt !== undefined)
    return answerPermissionPrompt(exchange, server, server.permissionPrompt);
  // What is no call is refused by the gate, and on record.
  const input = isJsonObject(given) ? given : noInput;
  return server.walk(exchange, (walk) =>
    dispatch(name as string, input, walk).then((outcome) => {
      if (!outcome.ok && outcome.error.code === "bad_call") refuseForm(params);
      return toResult(outcome, exchange, server.gate, server.stamps);
    }),
  );
}

/** In the protocol's own words. */
function refuseForm(params: JsonObject): void {
  textParam(params, "name");
  objectParam(params, "arguments");
}

/** Every way in of this surface that runs something ends here. */
export function dispatch(tool: string, input: unknown, { exchange, asking, gate }: Walk): Promise<Outcome> {
  const { request, transport } = exchange;
  const { caller, sessionId, cwd, mayStillCall } = transport;
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
    isStillAllowed: mayStillCall && (() => mayStillCall(request.id)),
  });
}

function toResult(outcome: Outcome, { era, transport }: Exchange, gate: Gate, stamps: Stamps): RawResult {
  if (!outcome.ok && outcome.error.code === "unknown_tool") throw unknownTool(outcome.error, gate);
  if (!outcome.ok && outcome.error.code === "store_unavailable") throw refused(outcome.error);
  const { result } = outcome;
  const added = addedTexts(outcome);
  const told = outcome.ok
    ? toldOfSuccess(outcome, transport.caller, gate)
    : toldOfFailure(outcome, transport.caller, gate);
  const content = added.length === 0 ? told : [...told, ...added.map((text) => ({ type: "text", text }))];
  const structured = outcome.ok ? structuredOf(outcome, era, gate, added.length === 0) : undefined;
  const head = era === "modern" ? stamps.modernHead : "{";
  return new RawResult(
    `${head}"content":${JSON.stringify(content)}${structured === undefined ? "" : `,"structuredContent":${structured}`}${
      result.isError ? ',"isError":true' : ""
    }}`,
  );
}

/** Clients know a tool by the name that the list has for it. */
function unknownTool({ code, message, hint }: Stop, gate: Gate): RpcError {
  const named = withWireNames(hint, { has: (id) => gate.tools.get(id) !== undefined });
  return wrongParams(`${message} ${named}`, { code });
}

/** As an error of the protocol: clients show its message and nothing else. */
export function refused(stop: Stop, about: JsonObject = {}): RpcError {
  const { code, message, hint, rule, retryAfterMs = 0 } = stop;
  const by = rule === undefined ? "" : describeRule(rule);
  const text = [message, hint, by].filter((part) => part !== "").join(" ");
  // Nothing is wrong with what was asked for: later it may work.
  if (code === "store_unavailable")
    return new RpcError(rpcCodes.internalError, text, { ...about, code, retryAfterMs });
  return wrongParams(text, { ...about, code });
}

/** What hooks want the conversation to show; and where nobody could be asked, who could be. */
function addedTexts(outcome: Outcome): readonly string[] {
  if (outcome.ok || outcome.error.code !== "no_approver") return outcome.contexts;
  return [...outcome.contexts, howToAsk];
}

const howToAsk =
  "People answer such questions with `toolgate approvals` if toolgate mcp runs without --no-wait, in `toolgate serve`, or, with `mcp: { approve_by_elicitation: true }` in the configuration, in a client that supports elicitation.";

/** A client that was promised a structured part takes its absence for an error. Only huge ones go. */
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
  if (era === "legacy" && !isJsonObject(structured)) return undefined;
  const json = JSON.stringify(structured);
  if (json.length > maxStructuredCharacters) return undefined;
  // Claude Code shows a model only the structured part where there is one: the text must not hold more.
  if (isPromised || (isWhole && registered?.source.kind === "upstream")) return json;
  const [only, ...more] = result.content;
  return isWhole && more.length === 0 && only?.type === "text" && only.text === json ? json : undefined;
}
