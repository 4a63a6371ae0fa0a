/** tools/list as text, kept for callers who see the same until a tool, a category or a rule changes. */
import { Buffer } from "node:buffer";
import type { Caller } from "../../../core/call/call.ts";
import { isJsonObject, type JsonObject } from "../../../core/input/json.ts";
import type { RegisteredTool } from "../../../core/tool/registry.ts";
import type { KnownIds } from "../../../core/tool/wire-names.ts";
import type { Gate } from "../../../gate/gate.ts";
import { mcpDefinition } from "../../../gate/model/definitions.ts";
import type { Era } from "../../../mcp/eras.ts";
import { wrongParams } from "../exchange.ts";

export type ToolList = ReturnType<typeof createToolList>;

export interface ToolListOptions {
  readonly gate: Gate;
  readonly pageSize: number;
  /** Which of the tools that a caller could call are shown. */
  readonly choose: (callable: readonly RegisteredTool[]) => readonly RegisteredTool[];
  /** Shown besides, such as `permission_prompt`. */
  readonly besides: readonly JsonObject[];
}

interface Kept {
  readonly callable: ReadonlySet<string>;
  readonly shown: readonly RegisteredTool[];
  readonly pages: Map<string, string>;
}

/** Who asks for ever other things gets them, but takes no more room for it. */
const mostViewers = 32;
const mostPages = 64;

export function createToolList({ gate, pageSize, choose, besides }: ToolListOptions) {
  const kept = new Map<string, Kept>();
  const stops = [
    gate.events.on("tools-change", () => kept.clear()),
    gate.events.on("rules-change", () => kept.clear()),
  ];

  const viewed = (caller: Caller | undefined): Kept => {
    const key = caller === undefined ? "" : gate.tools.viewKey(caller);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const callable = gate.tools
      .view(caller === undefined ? {} : { caller })
      .flatMap(({ id, callable: can }) => (can ? (gate.tools.get(id) ?? []) : []));
    const shown = [...choose(callable)].sort(byName);
    const made = { callable: new Set(callable.map(({ id }) => id)), shown, pages: new Map() };
    if (kept.size >= mostViewers) kept.clear();
    kept.set(key, made);
    return made;
  };

  return {
    /** The fields of one page of `tools/list`, without braces. Throws an RpcError for a wrong cursor. */
    page(caller: Caller | undefined, era: Era, cursor: string | undefined): string {
      const { callable, shown, pages } = viewed(caller);
      const key = `${era} ${cursor ?? ""}`;
      const known = pages.get(key);
      if (known !== undefined) return known;
      const { items, nextCursor } = pageOf(shown, pageSize, cursor);
      const tools = items.map((tool) => mcpTool(tool, era, callable));
      const json = `"tools":${JSON.stringify(nextCursor === undefined ? [...tools, ...besides] : tools)}${
        nextCursor === undefined ? "" : `,"nextCursor":${JSON.stringify(nextCursor)}`
      }`;
      if (pages.size >= mostPages) pages.clear();
      pages.set(key, json);
      return json;
    },
    /** Whether this caller could ever call it. */
    canCall: (caller: Caller | undefined, id: string): boolean => viewed(caller).callable.has(id),
    close(): void {
      for (const stop of stops) stop();
    },
  };
}

function byName(a: RegisteredTool, b: RegisteredTool): number {
  return a.wireName < b.wireName ? -1 : a.wireName > b.wireName ? 1 : 0;
}

function mcpTool(registered: RegisteredTool, era: Era, callable: KnownIds): JsonObject {
  const { tool, outputSchema } = registered;
  const { annotations } = tool;
  return {
    ...(mcpDefinition(registered, callable) as JsonObject),
    ...(canBeShown(outputSchema, era) && { outputSchema: outputSchema as JsonObject }),
    ...(annotations && { annotations: { ...annotations } }),
  };
}

/** Older clients know only objects as structured output. */
export function canBeShown(outputSchema: unknown, era: Era): boolean {
  return isJsonObject(outputSchema) && (era === "modern" || outputSchema.type === "object");
}

/** The list may change between two pages: a cursor says after which name to go on. */
function pageOf(
  sorted: readonly RegisteredTool[],
  size: number,
  cursor: string | undefined,
): { readonly items: readonly RegisteredTool[]; readonly nextCursor: string | undefined } {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const start = after === undefined ? 0 : sorted.findIndex(({ wireName }) => wireName > after);
  if (start === -1) return { items: [], nextCursor: undefined };
  const items = sorted.slice(start, start + size);
  const last = items.at(-1);
  const isEnd = last === undefined || start + size >= sorted.length;
  return { items, nextCursor: isEnd ? undefined : writeCursor(last.wireName) };
}

const mark = "n:";

function writeCursor(name: string): string {
  return Buffer.from(mark + name).toString("base64url");
}

function readCursor(cursor: string): string {
  const text = Buffer.from(cursor, "base64url").toString();
  if (cursor.length > 1_000 || !text.startsWith(mark)) throw wrongParams("The cursor is none of ours.");
  return text.slice(mark.length);
}
