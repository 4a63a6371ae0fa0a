/** What an upstream server is answered when it asks: what a person says, or else a polite no. */
import type { Elicit, ElicitRequest } from "../../../core/call/elicit.ts";
import { isJsonObject, type JsonObject } from "../../../core/input/json.ts";
import { RpcError, rpcCodes } from "../../../mcp/messages.ts";

/** Throws an RpcError for what toolgate does not answer. */
export function answerServer(method: string, name: string): JsonObject {
  if (method === "ping") return {};
  const why =
    method === "sampling/createMessage"
      ? `toolgate does not let servers use the model ("${name}" asked for it). Do the work without sampling.`
      : method === "roots/list"
        ? "toolgate has no roots to tell; give the server its folders as arguments in the configuration."
        : `toolgate does not answer ${method.slice(0, 100)}.`;
  throw new RpcError(rpcCodes.methodNotFound, why);
}

export interface Question {
  readonly params: JsonObject;
  /** Of the server that asks. */
  readonly name: string;
  readonly elicit?: Elicit | undefined;
  readonly signal: AbortSignal;
  readonly key?: string;
}

/** A question that nobody can be asked is declined. Undefined: the question cannot be shown. */
export async function answerQuestion(question: Question): Promise<JsonObject | undefined> {
  const { params, name, elicit, signal, key } = question;
  const request = readQuestion(params, name);
  if (request === undefined) return undefined;
  if (elicit === undefined || signal.aborted) return { action: "decline" };
  try {
    const { action, content } = await elicit({ ...request, key }, { signal });
    return { action, ...(action === "accept" && content !== undefined && { content }) };
  } catch {
    // The client went away, or the call is over.
    return { action: "cancel" };
  }
}

/** Only what the protocol knows: `_meta` and other additions of the server are not passed on. */
function readQuestion(params: JsonObject, name: string): ElicitRequest | undefined {
  const { message, mode, requestedSchema, url, elicitationId } = params;
  if (typeof message !== "string") return undefined;
  if (mode === "url") {
    const address = typeof url === "string" ? URL.parse(url) : null;
    if (address === null || !isPage(address)) return undefined;
    const id = typeof elicitationId === "string" ? { elicitationId } : {};
    return { from: name, params: { mode, message, url: address.href, ...id } };
  }
  if (!isJsonObject(requestedSchema)) return undefined;
  return { from: name, params: { ...(mode === "form" && { mode }), message, requestedSchema } };
}

/** Clients open it: no file, no script, no scheme of a program, no name before `@` like a host. */
function isPage({ protocol, username, password }: URL): boolean {
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "";
}
