/** Keeps in the gate what each upstream server offers: its tools, and what is withheld until a person accepts it. */
import { messageOf } from "../../../core/call/errors.ts";
import { shownName } from "../../../core/text/visible.ts";
import type { RegisteredTool, ToolSource, Withheld } from "../../../core/tool/registry.ts";
import type { AnyTool } from "../../../core/tool/tool.ts";
import { withheldBecause } from "../pins/withheld-because.ts";
import type { Offer, OfferedTool, Refused } from "./make-offer.ts";

/** The part of a gate's tools that upstreams need. */
export interface UpstreamHost {
  get(name: string): RegisteredTool | undefined;
  list(): readonly RegisteredTool[];
  register(tool: AnyTool, source: ToolSource): void;
  replace(tool: AnyTool, source: ToolSource): void;
  unregister(id: string): boolean;
  withhold(name: string, why: Withheld | undefined): void;
  batch<Result>(change: () => Result): Result;
}

interface SyncedServer {
  readonly spec: { readonly name: string };
  readonly offer: Offer;
  refused(tools: readonly Refused[]): void;
}

interface Held {
  readonly tool: AnyTool;
  readonly digest: string;
}

export class ToolsInGate {
  readonly #host: UpstreamHost;
  readonly #note: ((text: string) => void) | undefined;
  /** What is in the gate, by server and by name. */
  readonly #held = new Map<string, Map<string, Held>>();
  readonly #withheld = new Map<string, Set<string>>();

  constructor(host: UpstreamHost, note: ((text: string) => void) | undefined) {
    this.#host = host;
    this.#note = note;
  }

  /** In one step, without waiting: no call sees half of it. True: something is different. */
  sync(server: SyncedServer): boolean {
    const host = this.#host;
    const { name } = server.spec;
    const { tools, pending } = server.offer;
    const held = this.#held.get(name) ?? new Map<string, Held>();
    const before = this.#withheld.get(name) ?? new Set<string>();
    const refused: Refused[] = [];
    let isOther = false;
    for (const id of held.keys()) {
      if (tools.has(id)) continue;
      if (this.#holds(name, id)) host.unregister(id);
      held.delete(id);
      isOther = true;
    }
    const taken = tools.size === 0 ? noNames : takenNames(host, name);
    for (const [id, offered] of tools) {
      if (held.get(id)?.digest === offered.digest && this.#holds(name, id)) continue;
      isOther = true;
      const why = explainTaken(id, taken) ?? this.#put(id, offered, name);
      if (why === undefined) held.set(id, { tool: offered.tool, digest: offered.digest });
      else {
        held.delete(id);
        refused.push({ tool: offered.name, message: why });
      }
    }
    for (const id of before) if (!pending.has(id)) host.withhold(id, undefined);
    const arrived = [...pending].filter(([id]) => !before.has(id)).map(([, { tool }]) => tool);
    if (arrived.length > 0) {
      isOther = true;
      this.#note?.(waitingNote(name, arrived));
    }
    for (const [id, { tool, why }] of pending) {
      host.withhold(id, withheldBecause(name, tool, why));
    }
    this.#held.set(name, held);
    this.#withheld.set(name, new Set(pending.keys()));
    server.refused(refused);
    return isOther;
  }

  /** Undefined: it is in the gate. */
  #put(id: string, { tool, digest }: OfferedTool, server: string): string | undefined {
    const host = this.#host;
    const source: ToolSource = { kind: "upstream", name: server, digest };
    try {
      if (this.#holds(server, id)) host.replace(tool, source);
      else host.register(tool, source);
      return undefined;
    } catch (error) {
      // What the gate refuses now must not go on as it was before.
      if (this.#holds(server, id)) host.unregister(id);
      return messageOf(error);
    }
  }

  /** Whether the tool of this name is the one that was put there. */
  #holds(server: string, id: string): boolean {
    const ours = this.#held.get(server)?.get(id);
    return ours !== undefined && this.#host.get(id)?.given === ours.tool;
  }

  /** Takes everything of a server out of the gate. */
  remove(server: string): void {
    for (const id of this.#held.get(server)?.keys() ?? [])
      if (this.#holds(server, id)) this.#host.unregister(id);
    for (const id of this.#withheld.get(server) ?? []) this.#host.withhold(id, undefined);
    this.#held.delete(server);
    this.#withheld.delete(server);
  }
}

const noNames: ReadonlyMap<string, string> = new Map();

function explainTaken(id: string, taken: ReadonlyMap<string, string>): string | undefined {
  const holder = taken.get(id.toLowerCase());
  return holder && `its name is taken by ${holder}, and no upstream may stand in its place.`;
}

/** Every name in the gate that is not this server's, in lower case: a client may not tell the cases apart. */
function takenNames(host: UpstreamHost, server: string): ReadonlyMap<string, string> {
  const taken = new Map<string, string>();
  for (const { id, names, source } of host.list()) {
    if (source.kind === "upstream" && source.name === server) continue;
    for (const name of names) taken.set(name.toLowerCase(), `the ${source.kind} tool ${id}`);
  }
  return taken;
}

function waitingNote(server: string, tools: readonly string[]): string {
  const [first = "", ...others] = tools;
  const which = others.length === 0 ? shownName(first) : `${shownName(first)} and ${others.length} more`;
  return `Upstream ${server}: ${which} ${others.length === 0 ? "is" : "are"} new or changed, and hidden until accepted: toolgate upstreams review ${server}`;
}
