/** The server core: one gate, any number of connections, both eras of the protocol. */
import type { JsonObject } from "../../core/input/json.ts";
import type { Clock } from "../../core/ports/ports.ts";
import { IndexedList } from "../../core/run/indexed-list.ts";
import type { RegisteredTool } from "../../core/tool/registry.ts";
import { type Era, modernVersions } from "../../mcp/eras.ts";
import { RawResult } from "../../mcp/messages.ts";
import type { Answer } from "../../mcp/peer.ts";
import { askLegacy } from "./ask/ask-legacy.ts";
import type { Asking } from "./ask/asking.ts";
import { createParkedCalls } from "./ask/parked-calls.ts";
import { createChanges } from "./changes.ts";
import { countOnlyWhile } from "./client-answers.ts";
import { Connection, type ConnectionHost } from "./connection.ts";
import {
  createStamps,
  type Exchange,
  type Handler,
  listTtlMs,
  optionalText,
  serverName,
} from "./exchange.ts";
import { callTool } from "./handlers/call-tool.ts";
import { complete } from "./handlers/complete.ts";
import { describeSearchMode, listedTools } from "./handlers/listed-tools.ts";
import { listen } from "./handlers/listen.ts";
import {
  answerPermissionPrompt,
  type PermissionCheck,
  permissionPromptName,
  permissionPromptTool,
} from "./handlers/permission-prompt.ts";
import { getPrompt, listPrompts } from "./handlers/prompts.ts";
import { createReach } from "./handlers/reach.ts";
import { ResourceWatch } from "./handlers/resource-watch.ts";
import { listResources, listResourceTemplates, readResource } from "./handlers/resources.ts";
import { createToolList } from "./handlers/tool-list.ts";
import type { McpServer, McpServerParts } from "./server-parts.ts";

const defaultPageSize = 1_000;
/** A client shows nothing while it waits for the list; who comes later is told as a change of it. */
const firstLookMs = 2_000;
const aboutUpstreams = new Set([
  "mcp.call",
  "mcp.resource_list",
  "mcp.resource_read",
  "mcp.prompt_list",
  "mcp.prompt_get",
]);

export function createMcpServer(parts: McpServerParts): McpServer {
  const { gate, clock, upstreams, version, onProblem } = parts;
  const { pageSize = defaultPageSize, attended = false, settingsNow = () => parts } = parts;
  const serverInfo = { name: serverName, title: serverName, version };
  const stamps = createStamps(serverInfo);
  const choose = (callable: readonly RegisteredTool[]) => {
    const { tools: mode = "all", tokenBudget } = settingsNow();
    // Without a server they are only words that a model pays for.
    const isAlone = upstreams === undefined || upstreams.status().length === 0;
    const useful = isAlone ? callable.filter(({ id }) => !aboutUpstreams.has(id)) : callable;
    const listed = listedTools(useful, { mode, tokenBudget });
    if (mode === "auto" && listed.mode === "search") tellSearchMode(useful.length, tokenBudget);
    return listed.tools;
  };
  let isTold = false;
  const tellSearchMode = (count: number, tokenBudget: number | undefined) => {
    if (!isTold) parts.onSearchMode?.(describeSearchMode(count, tokenBudget));
    isTold = true;
  };
  const { permissionPrompt } = parts;
  const besides = permissionPrompt === undefined ? [] : [permissionPromptTool];
  const tools = createToolList({ gate, pageSize, choose, besides });
  const changes = createChanges({ gate, upstreams, clock });
  const mayClientAnswer = () => settingsNow().approveByElicitation ?? false;
  const askOptions = {
    clock,
    stamps,
    attended,
    get approveByElicitation() {
      return mayClientAnswer();
    },
  };
  const parked = createParkedCalls(askOptions);
  const reach = createReach(gate, upstreams);
  const closing = new AbortController();
  /** Over HTTP each request of the newer protocol is one. */
  const connections = new IndexedList<Connection>();
  const about = { capabilities: capabilitiesOf(parts), instructions };

  let ready = parts.ready && within(parts.ready, firstLookMs, clock);
  void ready?.then(() => {
    ready = undefined;
  });
  const listTools: Handler = (exchange) =>
    ready === undefined ? toolsPage(exchange) : ready.then(() => toolsPage(exchange));
  const toolsPage = ({ era, request, transport }: Exchange): Answer => {
    const fields = tools.page(transport.caller, era, optionalText(request.params, "cursor"));
    if (era === "legacy") return new RawResult(`{${fields}}`);
    return new RawResult(`${stamps.modernHead}"ttlMs":${listTtlMs},"cacheScope":"private",${fields}}`);
  };
  const listed =
    (list: (exchange: Exchange) => Promise<JsonObject>): Handler =>
    async (exchange) =>
      stamps.list(exchange.era, await list(exchange));
  const whileAllowed = (given: Asking) => countOnlyWhile(mayClientAnswer, given, attended);
  /** A walk that may ask the person at the client. */
  const asking =
    (walk: (exchange: Exchange, asking: Asking) => Promise<Answer>): Handler =>
    (exchange) =>
      exchange.era === "legacy"
        ? walk(exchange, whileAllowed(askLegacy(exchange, askOptions)))
        : parked.run(exchange, (given) => walk(exchange, whileAllowed(given)));
  const skills = async ({ transport }: Exchange, signal: AbortSignal) =>
    parts.skills !== undefined && tools.canCall(transport.caller, "skill.load")
      ? await parts.skills(signal)
      : [];
  const ofUpstreams = ({ transport }: Exchange, tool: string) =>
    tools.canCall(transport.caller, tool) ? reach.upstreams(transport) : undefined;

  const callOne = asking((exchange, given) => callTool(exchange, given, gate, stamps));
  const withPermissionPrompt = (check: PermissionCheck): Handler => {
    const isOwnTool = (wireName: string) => gate.tools.get(wireName)?.wireName === wireName;
    const prompt = { ...askOptions, check, isOwnTool };
    return (exchange) =>
      exchange.request.params.name === permissionPromptName
        ? answerPermissionPrompt(exchange, prompt)
        : callOne(exchange);
  };

  const handlers: readonly [string, Handler][] = [
    ["tools/list", listTools],
    ["tools/call", permissionPrompt === undefined ? callOne : withPermissionPrompt(permissionPrompt)],
    [
      "resources/list",
      listed((exchange) => listResources(exchange, ofUpstreams(exchange, "mcp.resource_list"))),
    ],
    [
      "resources/templates/list",
      listed((exchange) => listResourceTemplates(exchange, ofUpstreams(exchange, "mcp.resource_list"))),
    ],
    [
      "resources/read",
      asking(async (exchange, given) =>
        stamps.list(
          exchange.era,
          await readResource(exchange, given, gate, reach.upstreams(exchange.transport)),
          0,
        ),
      ),
    ],
    [
      "prompts/list",
      listed((exchange) =>
        listPrompts(exchange, (signal) => skills(exchange, signal), ofUpstreams(exchange, "mcp.prompt_get")),
      ),
    ],
    [
      "prompts/get",
      asking(async (exchange, given) => {
        const found = await getPrompt(exchange, given, gate, (signal) => skills(exchange, signal));
        return stamps.result(exchange.era, found);
      }),
    ],
    ["completion/complete", async (exchange) => stamps.result(exchange.era, await complete(exchange, reach))],
  ];
  const host: ConnectionHost = {
    legacy: new Map(handlers),
    modern: new Map<string, Handler>([
      ...handlers,
      ["server/discover", ({ era }) => discover(era)],
      [
        "subscriptions/listen",
        (exchange) => listen(exchange, { changes, reach, stamps, closing: closing.signal }),
      ],
    ]),
    greeting: { ...about, serverInfo },
    onProblem,
    watchChanges: (listener) => changes.on(listener),
    createWatch: (transport) => new ResourceWatch(reach, transport),
    onClosed: (connection) => connections.remove(connection),
  };

  function discover(era: Era): JsonObject {
    return stamps.list(era, { supportedVersions: [...modernVersions], ...about });
  }

  return {
    connect(transport) {
      const connection = new Connection(transport, host);
      connections.add(connection);
      return connection;
    },
    async close({ drainMs = 0 } = {}) {
      closing.abort();
      parked.close();
      changes.close();
      // Who only listens gets the last answer now.
      await new Promise<void>((resolve) => setImmediate(resolve));
      const idle = Promise.all(connections.all().map((connection) => connection.idle()));
      if (drainMs > 0) await within(idle, drainMs, clock);
      for (const connection of connections.all()) connection.close();
      tools.close();
    },
  };
}

/** Resolves when either is there: the work is done, however it ended, or the time is over. */
async function within(work: Promise<unknown>, ms: number, clock: Clock): Promise<void> {
  let cancel = () => {};
  const late = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve);
  });
  await Promise.race([late, work.catch(() => {})]);
  cancel();
}

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
