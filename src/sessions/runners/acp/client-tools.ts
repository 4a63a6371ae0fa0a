/** Files and terminals that an agent asks its client for: calls of the gate's own tools, judged and recorded. */
import type { JsonObject } from "../../../core/input/json.ts";
import { RpcError, rpcCodes } from "../../../mcp/messages.ts";
import type { AgentResult, SessionCalls } from "../../session-calls.ts";
import { exactText } from "./exact-text.ts";
import { acpCodes, listIn, objectIn, textIn } from "./protocol.ts";

export interface ClientToolsParts {
  readonly calls: SessionCalls;
  readonly cwd: string;
  readonly newId: () => string;
}

interface Terminal {
  readonly stop: AbortController;
  readonly done: Promise<void>;
  output: string;
  exit: JsonObject | undefined;
}

export class ClientTools {
  readonly #parts: ClientToolsParts;
  readonly #terminals = new Map<string, Terminal>();

  constructor(parts: ClientToolsParts) {
    this.#parts = parts;
  }

  /** Undefined: no method of these. */
  answer(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> | undefined {
    if (method === "fs/read_text_file") return this.#read(params, signal);
    if (method === "fs/write_text_file") return this.#write(params, signal);
    if (method === "terminal/create") return this.#create(params, signal);
    if (method === "terminal/output") return Promise.resolve(this.#output(this.#find(params)));
    if (method === "terminal/wait_for_exit") return this.#wait(this.#find(params));
    if (method === "terminal/kill") return this.#kill(params, false);
    if (method === "terminal/release") return this.#kill(params, true);
    return undefined;
  }

  /** Whatever still runs is ended. */
  close(): void {
    for (const { stop } of this.#terminals.values()) stop.abort();
    this.#terminals.clear();
  }

  async #read({ path, line, limit }: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const offset = typeof line === "number" && line > 0 ? line - 1 : 0;
    const isPart = offset > 0 || typeof limit === "number";
    const range = typeof limit === "number" ? { offset, limit } : { offset };
    const input = { path: path ?? "", ...range, lineNumbers: false };
    const result = await this.#run("fs.read", input, signal);
    const content = exactText(textOf(result), structuredOf(result), isPart);
    if (content === undefined)
      throw new RpcError(
        rpcCodes.internalError,
        `${String(path)} cannot be handed over exactly as it is: it is too long, or no plain text. Read parts of it.`,
      );
    return { content };
  }

  async #write({ path, content }: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    await this.#run("fs.write", { path: path ?? "", content: content ?? "" }, signal);
    return {};
  }

  async #run(tool: string, input: JsonObject, signal: AbortSignal): Promise<AgentResult> {
    const { calls, newId } = this.#parts;
    const result = await calls.run({ tool, input, toolUseId: newId(), signal });
    if (!result.isError) return result;
    const missing = result.outcome.ok && /no such file|does not exist|not found/i.test(textOf(result));
    throw new RpcError(missing ? acpCodes.notFound : rpcCodes.internalError, textOf(result));
  }

  /** Answered at once; a refusal is what the terminal shows. */
  async #create(params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const { calls, cwd, newId } = this.#parts;
    const { command, args } = params;
    if (typeof command !== "string") throw new RpcError(rpcCodes.invalidParams, "command must be a text.");
    const words = Array.isArray(args) ? args.map(String) : [];
    const variables = listIn(params.env).map(({ name, value }) => `${String(name)}=${quoted(String(value))}`);
    // Without arguments it is a command line already.
    const line = words.length === 0 ? command : [command, ...words].map(quoted).join(" ");
    const stop = new AbortController();
    const id = newId();
    const input = { command: [...variables, line].join(" "), cwd: textIn(params.cwd) ?? cwd };
    const running = calls.run({
      tool: "shell.exec",
      input,
      toolUseId: id,
      signal: AbortSignal.any([stop.signal, signal]),
    });
    const terminal: Terminal = {
      stop,
      output: "",
      exit: undefined,
      done: running.then((result) => {
        terminal.output = textOf(result);
        terminal.exit = exitOf(result);
      }),
    };
    this.#terminals.set(id, terminal);
    return { terminalId: id };
  }

  #find({ terminalId }: JsonObject): Terminal {
    const found = this.#terminals.get(String(terminalId));
    if (found === undefined) throw new RpcError(acpCodes.notFound, `There is no terminal ${terminalId}.`);
    return found;
  }

  #output({ output, exit }: Terminal): JsonObject {
    return { output, truncated: false, ...(exit && { exitStatus: exit }) };
  }

  async #wait(terminal: Terminal): Promise<JsonObject> {
    await terminal.done;
    return terminal.exit ?? {};
  }

  async #kill(params: JsonObject, isReleased: boolean): Promise<JsonObject> {
    const terminal = this.#find(params);
    terminal.stop.abort();
    if (isReleased) this.#terminals.delete(String(params.terminalId));
    await terminal.done;
    return {};
  }
}

function textOf({ content }: AgentResult): string {
  return content.map((block) => (block.type === "text" ? String(block.text) : "")).join("\n");
}

function structuredOf({ outcome }: AgentResult): JsonObject {
  return objectIn((outcome.result as { readonly structured?: JsonObject }).structured);
}

function exitOf(result: AgentResult): JsonObject {
  const { exitCode, signal } = structuredOf(result);
  if (typeof exitCode === "number") return { exitCode };
  return typeof signal === "string" ? { exitCode: null, signal } : { exitCode: result.outcome.ok ? 0 : 126 };
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
