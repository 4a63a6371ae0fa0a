/** A model on loopback that follows a script and remembers what it was told, to test real agents. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { anthropicMessages } from "./scripted-model/anthropic-messages.ts";
import { type ModelRequest, type ModelToolResult, sinceLastTurn } from "./scripted-model/conversation.ts";
import type { Dialect, TurnRequest } from "./scripted-model/dialect.ts";
import { parseJson, readBody, send } from "./scripted-model/exchange.ts";
import { gemini } from "./scripted-model/gemini.ts";
import { openaiChat } from "./scripted-model/openai-chat.ts";
import { openaiResponses } from "./scripted-model/openai-responses.ts";
import { createScriptReader, type Script, type ScriptedConversation } from "./scripted-model/script.ts";

export interface ScriptedModelOptions {
  /** One turn per request, in order; or one function for every request. */
  readonly script: Script;
  /** Conversations with a script of their own (sub-agents); the first one that fits. */
  readonly conversations?: readonly ScriptedConversation[];
  /** Larger requests are refused with 413. */
  readonly maxRequestBytes?: number;
}

export interface ScriptedModel extends AsyncDisposable {
  /** Such as `http://127.0.0.1:41234`: what clients call the base URL. */
  readonly url: string;
  /** Every request for an answer. */
  readonly requests: readonly ModelRequest[];
  /** Everything else that was asked, such as `HEAD /`. */
  readonly asides: readonly string[];
  /** What functions of the script threw; the client saw a 500. */
  readonly errors: readonly unknown[];
  /** Every tool result the model was told, each once, in the order in which they came. */
  toolResults(): readonly ModelToolResult[];
  /** Everything the client itself told the model between turns, such as the context a hook added. */
  systemMessages(): readonly string[];
  /** Ends open answers too. */
  close(): Promise<void>;
}

const dialects: readonly Dialect[] = [anthropicMessages, openaiChat, openaiResponses, gemini];
const defaultMaxRequestBytes = 64 * 1024 * 1024;

export async function createScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const { script, conversations = [], maxRequestBytes = defaultMaxRequestBytes } = options;
  const readScript = createScriptReader(script, conversations);
  const requests: ModelRequest[] = [];
  const asides: string[] = [];
  const errors: unknown[] = [];
  const closing = new AbortController();

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      // A client that went away in the middle of its request is no error of the script.
      if (request.complete) errors.push(error);
      response.destroy();
    });
  });

  async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = incoming.method ?? "GET";
    const path = new URL(incoming.url ?? "/", "http://localhost").pathname;
    const [dialect, kind] = findDialect(method, path);
    const text = await readBody(incoming, maxRequestBytes);
    if (text === undefined) {
      return send(response, dialect.writeError(413, `The request is larger than ${maxRequestBytes} bytes.`));
    }
    if (kind !== "turn") asides.push(`${method} ${path}`);
    if (kind === undefined) {
      // Clients look whether somebody is there before they ask.
      if (method === "HEAD") return send(response, { status: 200, type: "application/json", chunks: [] });
      return send(response, dialect.writeError(404, `There is no ${method} ${path} here.`));
    }
    const body = parseJson(text);
    if (kind === "aside") return send(response, dialect.writeAside(path, body));

    const turn = dialect.readTurn(body, path);
    if ("problem" in turn) return send(response, dialect.writeError(400, turn.problem));
    const request: ModelRequest = {
      index: requests.length,
      dialect: dialect.name,
      path,
      headers: flatHeaders(incoming),
      body,
      ...turn,
      ...news(turn),
    };
    requests.push(request);

    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const answer = readScript(request, AbortSignal.any([gone.signal, closing.signal])).then((said) =>
      "status" in said
        ? { ...dialect.writeError(said.status, said.message), headers: said.headers }
        : dialect.writeTurn(said, turn, `msg_scripted_${request.index + 1}`),
    );
    const written = await answer.catch((error: unknown) => {
      errors.push(error);
      return dialect.writeError(500, `The script failed: ${String(error)}`);
    });
    send(response, written);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= new Promise((resolve) => {
      closing.abort();
      server.close(() => resolve());
      server.closeAllConnections();
    });
    return closed;
  };

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    asides,
    errors,
    // A request that is sent again after an error brings the same results again.
    toolResults: () => [
      ...new Map(
        requests.flatMap(({ toolResults }) => toolResults.map((result) => [result.id, result])),
      ).values(),
    ],
    systemMessages: () => requests.flatMap(({ systemMessages }) => systemMessages),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A path of no dialect is answered in the words of the first. */
function findDialect(method: string, path: string): [Dialect, ReturnType<Dialect["kindOf"]>] {
  const found = dialects.find((dialect) => dialect.kindOf(method, path) !== undefined);
  return [found ?? anthropicMessages, found?.kindOf(method, path)];
}

function news({ messages }: TurnRequest): Pick<ModelRequest, "toolResults" | "systemMessages"> {
  const recent = sinceLastTurn(messages);
  return {
    toolResults: recent.flatMap(({ toolResults }) => toolResults),
    systemMessages: recent.filter(({ role }) => role === "system").map(({ text }) => text),
  };
}

function flatHeaders({ headers }: IncomingMessage): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.toString()]));
}
