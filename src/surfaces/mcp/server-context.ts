/** What the methods of one server work with: the gate, its list of tools, upstream servers, who is asked. */
import type { JsonObject } from "../../core/input/json.ts";
import type { Clock } from "../../core/ports/ports.ts";
import type { Upstreams } from "../../core/ports/upstream.ts";
import type { RegisteredTool } from "../../core/tool/registry.ts";
import type { Gate } from "../../gate/gate.ts";
import { RawResult } from "../../mcp/messages.ts";
import type { Answer } from "../../mcp/peer.ts";
import { readElicitAnswer } from "./ask/approval-question.ts";
import { type Asking, type AskOptions, createAsking } from "./ask/create-asking.ts";
import { createParkedCalls, type ParkedCalls } from "./ask/parked-calls.ts";
import { type Changes, createChanges } from "./changes.ts";
import { createStamps, type Exchange, listTtlMs, optionalText, type Stamps, serverName } from "./exchange.ts";
import { describeSearchMode, listedTools } from "./handlers/listed-tools.ts";
import { type PermissionCheck, permissionPromptTool } from "./handlers/permission-prompt.ts";
import type { Skill } from "./handlers/prompts.ts";
import { createReach, type Reach } from "./handlers/reach.ts";
import { createToolList, type ToolList } from "./handlers/tool-list.ts";
import type { McpServerParts } from "./server-parts.ts";

const defaultPageSize = 1_000;
/** A client shows nothing while it waits for the list; who comes later is told as a change of it. */
const firstLookMs = 2_000;

/** A walk through the gate for one request, with the ways to ask the person at its client. */
export interface Walk {
  readonly exchange: Exchange;
  readonly asking: Asking;
  readonly gate: Gate;
}

export class ServerContext {
  readonly gate: Gate;
  readonly serverInfo: JsonObject;
  /** What the server says about itself in both eras. */
  readonly about: JsonObject;
  readonly stamps: Stamps;
  readonly tools: ToolList;
  readonly changes: Changes;
  readonly reach: Reach;
  readonly askOptions: AskOptions;
  readonly permissionPrompt: PermissionCheck | undefined;
  readonly onProblem: ((message: string) => void) | undefined;
  readonly #closing = new AbortController();
  readonly #parts: McpServerParts;
  readonly #parked: ParkedCalls;
  #ready: Promise<void> | undefined;
  #isSearchModeTold = false;

  constructor(parts: McpServerParts) {
    const { gate, clock, upstreams, version, attended = false, pageSize = defaultPageSize } = parts;
    this.#parts = parts;
    this.gate = gate;
    this.onProblem = parts.onProblem;
    this.permissionPrompt = parts.permissionPrompt;
    this.serverInfo = { name: serverName, title: serverName, version };
    this.about = { capabilities: capabilitiesOf(parts), instructions };
    this.stamps = createStamps(this.serverInfo);
    this.tools = createToolList({
      gate,
      pageSize,
      choose: (callable) => this.#choose(callable),
      besides: parts.permissionPrompt === undefined ? [] : [permissionPromptTool],
    });
    this.changes = createChanges({ gate, upstreams, clock });
    this.reach = createReach(gate, upstreams);
    this.askOptions = {
      clock,
      attended,
      mayClientAnswer: () => this.#settings.approveByElicitation ?? false,
    };
    this.#parked = createParkedCalls(this.askOptions, this.stamps, parts.shared);
    this.#ready = parts.ready && within(parts.ready, firstLookMs, clock);
    void this.#ready?.then(() => {
      this.#ready = undefined;
    });
  }

  /** Aborted when the server ends: who listens is told so. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  listTools(exchange: Exchange): Answer | Promise<Answer> {
    return this.#ready === undefined
      ? this.#toolsPage(exchange)
      : this.#ready.then(() => this.#toolsPage(exchange));
  }

  /** Runs what may ask the person at the client. */
  walk(exchange: Exchange, run: (walk: Walk) => Promise<Answer>): Promise<Answer> {
    const { gate } = this;
    const { era, request, connection } = exchange;
    if (era === "modern") return this.#parked.run(exchange, (asking) => run({ exchange, asking, gate }));
    // Older clients are asked by a request of ours while their own is being answered.
    const asking = createAsking(
      exchange,
      async (params, signal) =>
        readElicitAnswer(
          await connection.peer.request("elicitation/create", params, { signal, about: request.id }),
        ),
      this.askOptions,
    );
    return run({ exchange, asking, gate });
  }

  /** Those that this client may load. */
  async skills({ transport }: Exchange, signal: AbortSignal): Promise<readonly Skill[]> {
    const { skills } = this.#parts;
    return skills !== undefined && this.tools.canCall(transport.caller, "skill.load")
      ? await skills(signal)
      : [];
  }

  /** Upstream servers as far as this client reaches, if it may use the tool that does the same. */
  upstreamsFor({ transport }: Exchange, tool: string): Upstreams | undefined {
    return this.tools.canCall(transport.caller, tool) ? this.reach.upstreams(transport) : undefined;
  }

  /** Ends what waits; who only listens gets the last answer in the next turn. */
  stop(): void {
    this.#closing.abort();
    this.#parked.close();
    this.changes.close();
  }

  get #settings() {
    return this.#parts.settingsNow?.() ?? this.#parts;
  }

  #toolsPage({ era, request, transport }: Exchange): Answer {
    const fields = this.tools.page(transport.caller, era, optionalText(request.params, "cursor"));
    if (era === "legacy") return new RawResult(`{${fields}}`);
    return new RawResult(`${this.stamps.modernHead}"ttlMs":${listTtlMs},"cacheScope":"private",${fields}}`);
  }

  #choose(callable: readonly RegisteredTool[]): readonly RegisteredTool[] {
    const { upstreams, onSearchMode } = this.#parts;
    const { tools: mode = "all", tokenBudget } = this.#settings;
    // Without a server they are only words that a model pays for.
    const isAlone = upstreams === undefined || upstreams.status().length === 0;
    const useful = isAlone ? callable.filter(({ id }) => !aboutUpstreams.has(id)) : callable;
    const listed = listedTools(useful, { mode, tokenBudget });
    if (mode === "auto" && listed.mode === "search") {
      if (!this.#isSearchModeTold) onSearchMode?.(describeSearchMode(useful.length, tokenBudget));
      this.#isSearchModeTold = true;
    }
    return listed.tools;
  }
}

/** Resolves when either is there: the work is done, however it ended, or the time is over. */
export async function within(work: Promise<unknown>, ms: number, clock: Clock): Promise<void> {
  let cancel = () => {};
  const late = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve);
  });
  await Promise.race([late, work.catch(() => {})]);
  cancel();
}

const aboutUpstreams = new Set([
  "mcp.call",
  "mcp.resource_list",
  "mcp.resource_read",
  "mcp.prompt_list",
  "mcp.prompt_get",
]);

function capabilitiesOf({ upstreams }: McpServerParts): JsonObject {
  return {
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    prompts: { listChanged: true },
    ...(upstreams && { completions: {} }),
  };
}

const instructions =
  "Every call passes toolgate: rules may refuse it or have a person approve it. A refusal says what to do instead; do not repeat the same call unchanged.";
