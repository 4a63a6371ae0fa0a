/** The upstream MCP servers of a configuration: tools, resources, prompts, and changes while it runs. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Environment } from "../config/folders.ts";
import { messageOf } from "../core/call/errors.ts";
import type { PinStore } from "../core/ports/pins.ts";
import type { Upstreams } from "../core/ports/upstream.ts";
import { packageVersion } from "../gate/package-version.ts";
import type { McpPrompts, McpResources } from "../sources/builtin/mcp/ports.ts";
import type { FirstSight } from "../sources/upstream/pins/accepted-note.ts";
import { acceptItems, type ReviewItem, reviewItems } from "../sources/upstream/pins/review.ts";
import { connectUpstream } from "../sources/upstream/talk/connect-upstream.ts";
import { createEraMemory } from "../sources/upstream/talk/era-memory.ts";
import type { UpstreamHost } from "../sources/upstream/tools/tools-in-gate.ts";
import { UpstreamSet } from "../sources/upstream/upstream-set.ts";
import { createUpstreams } from "../sources/upstream/upstreams-port.ts";
import { resolveUpstreams, type UpstreamConfig } from "./resolve-upstreams.ts";

/**
 * `known`: what is accepted already; nothing is started unless it is called. `first-sight`: servers that
 * nobody has seen are asked before. `live`: for what runs long; nobody waits, all are asked in the
 * background, and what others accept counts at once.
 */
export type UpstreamsMode = "known" | "first-sight" | "live";

export interface UpstreamsRequest {
  readonly host: UpstreamHost;
  readonly pins: PinStore;
  readonly mode: UpstreamsMode;
  /** Where the variables come from that the configuration names. */
  readonly env: Environment;
  /** For the person who runs toolgate. */
  readonly note?: ((text: string) => void) | undefined;
  /** For the record: a server was seen for the first time, and what it offers counts. */
  readonly onFirstSight?: ((seen: FirstSight) => void) | undefined;
}

export interface OpenUpstreams {
  readonly upstreams: Upstreams;
  /** When every server that nobody had seen was asked, or failed. */
  readonly firstLook: Promise<void>;
  /** Puts another configuration in force. */
  configure(config: UpstreamConfig): Promise<void>;
  /** What waits for a person at this server, as it was seen last. Undefined: there is no such server. */
  review(server: string): Promise<readonly ReviewItem[] | undefined>;
  /** Accepts exactly these definitions, in every process. Answers those that are in force now. */
  accept(
    server: string,
    wanted: readonly { readonly tool: string; readonly digest: string }[],
  ): Promise<readonly ReviewItem[]>;
  /** Asks every server for its tools. What fails is in its status. */
  look(): Promise<void>;
  /** Resolves when no process of an upstream is left. */
  close(): Promise<void>;
}

export async function openUpstreams(
  config: UpstreamConfig,
  request: UpstreamsRequest,
): Promise<OpenUpstreams> {
  const { host, mode, env, note, onFirstSight } = request;
  const { state } = config.folders;
  const pins: PinStore = {
    ...request.pins,
    async acceptFirst(key, offered) {
      const accepted = await request.pins.acceptFirst(key, offered);
      // Of several processes the one whose definitions count tells it.
      if (accepted === undefined) {
        const server = set.servers.find(({ spec }) => spec.key === key)?.spec.name ?? key;
        onFirstSight?.({ server, tools: offered.tools.map(({ name: tool, digest }) => ({ tool, digest })) });
      }
      return accepted;
    },
  };
  const eras = createEraMemory(join(state, "upstreams"));
  const ports = {
    client: { name: "toolgate", version: packageVersion() },
    eras,
    hiddenPaths: [state, config.folders.config],
    ...(note && { note }),
  };
  const isLive = mode === "live";
  const set: UpstreamSet = new UpstreamSet({
    host,
    pins,
    note,
    // A command says by itself what did not work.
    ...(isLive && { tellTrouble: note }),
    connect: (settings) => connectUpstream(settings, ports),
  });
  await set.configure(resolveUpstreams(config, env));
  const closing = new AbortController();
  if (isLive) {
    const tell = note ?? (() => {});
    followPins(set, pins, closing.signal, tell).catch((error: unknown) =>
      tell(`What others accept is not noticed here any more: ${messageOf(error)}`),
    );
  }
  const firstLook = mode === "known" ? Promise.resolve() : set.lookAtNew();
  if (isLive) void firstLook.then(() => lookLater(set, closing.signal));
  return {
    upstreams: createUpstreams(set),
    firstLook,
    async configure(next) {
      await set.configure(resolveUpstreams(next, env));
      if (mode !== "known") void set.lookAtNew();
    },
    async review(name) {
      const spec = set.server(name)?.spec;
      return spec && reviewItems(pins, name, spec.key);
    },
    async accept(name, wanted) {
      const spec = set.server(name)?.spec;
      if (spec === undefined) throw new Error(set.explainUnknown(name));
      const accepted = await acceptItems(pins, name, spec.key, wanted);
      await set.readPins();
      return accepted;
    },
    look: () => set.lookAtAll(),
    close: async () => {
      closing.abort();
      await set.close();
    },
  };
}

/** The client that started this wants its list of tools first; whether they changed is looked at later. */
async function lookLater(set: UpstreamSet, signal: AbortSignal): Promise<void> {
  await sleep(lookAfterMs, undefined, { signal, ref: false }).catch(() => {});
  if (!signal.aborted) await set.lookAtAll();
}

const lookAfterMs = 1_000;

/** What a person accepts on the command line counts in every process that runs. */
async function followPins(
  set: UpstreamSet,
  pins: PinStore,
  signal: AbortSignal,
  note: (text: string) => void,
): Promise<void> {
  for await (const _ of pins.changes(signal, note)) await set.readPins();
}

/** For the tools that list and read resources. */
export function resourcesOf(upstreams: () => Upstreams | undefined): McpResources {
  return {
    servers: () => serversWith(upstreams(), "resources"),
    onlyReads: (name) =>
      upstreams()
        ?.status()
        .some(({ server, permission }) => server === name && permission === "read") === true,
    list: (request, context) => opened(upstreams).listResources(request, context),
    read: (request, context) => opened(upstreams).readResource(request, context),
  };
}

export function promptsOf(upstreams: () => Upstreams | undefined): McpPrompts {
  return {
    servers: () => serversWith(upstreams(), "prompts"),
    list: (request, context) => opened(upstreams).listPrompts(request, context),
    get: (request, context) => opened(upstreams).getPrompt(request, context),
  };
}

/** Of a server that has not been connected yet nobody knows; it may. */
function serversWith(upstreams: Upstreams | undefined, ability: "resources" | "prompts"): readonly string[] {
  return (upstreams?.status() ?? [])
    .filter(({ state, capabilities }) => {
      if (state === "disabled") return false;
      return capabilities === undefined || capabilities[ability] !== undefined;
    })
    .map(({ server }) => server);
}

function opened(upstreams: () => Upstreams | undefined): Upstreams {
  const found = upstreams();
  if (found === undefined) throw new Error("No MCP server is connected here.");
  return found;
}
