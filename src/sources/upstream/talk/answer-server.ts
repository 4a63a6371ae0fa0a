/** What an upstream server gets when it is the one who asks: a person's answer where there is one, else a polite no. */
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

/** A question that cannot be put to anybody is declined, so that the server goes on. Undefined: it cannot be shown. */
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

/** Only what the protocol knows; `_meta` and whatever else the server added is no business of the client's. */
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

/** Clients open it: a program's own scheme, a file or a script must not be started that way, and a name before `@` passes for the host. */
function isPage({ protocol, username, password }: URL): boolean {
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "";
}
