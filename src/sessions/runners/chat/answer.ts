/** What a model has answered so far: text and calls of tools, put together from the pieces of a stream. */
import type { SessionUsage } from "../../../core/ports/sessions.ts";
import { readToolUse } from "../../../gate/model/read-tool-use.ts";
import type { AnswerBlock, ModelCall } from "./messages.ts";

/** A call whose input is still being written. */
export interface OpenCall {
  id: string;
  name: string;
  /** Its JSON as far as it has come. */
  json: string;
  /** Where the endpoint gives the input as a whole. */
  input: unknown;
}

type OpenBlock =
  | { readonly type: "text"; text: string }
  | { readonly type: "thinking"; readonly raw: Record<string, unknown> }
  | { readonly type: "call"; readonly call: OpenCall };

export class Answer {
  /** Why it is over. Undefined: it goes on, or the endpoint does not say. */
  stopReason: string | undefined;
  usage: Partial<SessionUsage> = {};
  /** The endpoint says that nothing more comes. */
  isWhole = false;
  /** What the endpoint says went wrong, in the middle of the stream. */
  failure: { readonly type: string; readonly message: string } | undefined;
  readonly #blocks: OpenBlock[] = [];
  readonly #byKey = new Map<unknown, OpenBlock>();
  readonly #changed = new Set<OpenCall>();
  #text = "";
  #newText = "";

  get text(): string {
    return this.#text;
  }

  /** Whatever was sent by now may have been seen: the request is not sent again. */
  get hasBegun(): boolean {
    return this.#blocks.length > 0;
  }

  get hasCalls(): boolean {
    return this.openCalls().length > 0;
  }

  openCalls(): readonly OpenCall[] {
    return this.#blocks.flatMap((block) => (block.type === "call" ? [block.call] : []));
  }

  addText(text: unknown): void {
    if (typeof text !== "string" || text === "") return;
    const last = this.#blocks.at(-1);
    if (last?.type === "text") last.text += text;
    else this.#blocks.push({ type: "text", text });
    this.#text += text;
    this.#newText += text;
  }

  beginThinking(key: unknown, raw: Readonly<Record<string, unknown>>): void {
    const block: OpenBlock = { type: "thinking", raw: { ...raw } };
    this.#blocks.push(block);
    this.#byKey.set(key, block);
  }

  addThinking(key: unknown, field: "thinking" | "signature", text: unknown): void {
    const block = this.#byKey.get(key);
    if (block?.type === "thinking" && typeof text === "string")
      block.raw[field] = `${block.raw[field] ?? ""}${text}`;
  }

  beginCall(key: unknown, begun: { readonly id?: unknown; readonly name?: unknown }): OpenCall {
    const call: OpenCall = { id: textOr(begun.id), name: textOr(begun.name), json: "", input: undefined };
    const block: OpenBlock = { type: "call", call };
    this.#blocks.push(block);
    this.#byKey.set(key, block);
    this.#changed.add(call);
    return call;
  }

  callOf(key: unknown): OpenCall | undefined {
    const block = this.#byKey.get(key);
    return block?.type === "call" ? block.call : undefined;
  }

  addInput(call: OpenCall, given: unknown): void {
    if (typeof given === "string") call.json += given;
    else if (given !== undefined && given !== null) call.input = given;
    this.#changed.add(call);
  }

  /** What came since it was asked last. */
  takeNews(): { readonly text: string; readonly calls: readonly OpenCall[] } {
    const news = { text: this.#newText, calls: [...this.#changed] };
    this.#newText = "";
    this.#changed.clear();
    return news;
  }

  /** The whole message. `idOf`: no other call of the session has it. */
  blocks(idOf: (call: OpenCall) => string): readonly AnswerBlock[] {
    return this.#blocks.map((block) =>
      block.type === "call" ? { type: "call", call: readCall(block.call, idOf(block.call)) } : block,
    );
  }
}

function readCall({ name, json, input }: OpenCall, id: string): ModelCall {
  const read = readToolUse({
    function: { name, arguments: json === "" && input !== undefined ? input : json },
  });
  return { id, name, input: read?.input, problem: read?.problem };
}

function textOr(value: unknown): string {
  return typeof value === "string" ? value : "";
}
