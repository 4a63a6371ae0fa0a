/** Every method that clients may ask for: the right that it needs, its era, and who answers. */
import { isJsonObject, type JsonObject } from "../../core/input/json.ts";
import { type Era, modernVersions } from "../../mcp/eras.ts";
import type { Answer } from "../../mcp/peer.ts";
import type { Right } from "../http/rights.ts";
import { type Exchange, textParam } from "./exchange.ts";
import { callTool } from "./handlers/call-tool.ts";
import { complete } from "./handlers/complete.ts";
import { listen } from "./handlers/listen.ts";
import { getPrompt, listPrompts } from "./handlers/prompts.ts";
import { listResources, listResourceTemplates, readResource } from "./handlers/resources.ts";
import type { ServerContext } from "./server-context.ts";

type Rights = readonly Right[];

export interface McpMethod {
  /** What a token must be allowed to do over HTTP; of several rights, one is enough. */
  readonly right: Rights | ((params: JsonObject) => Rights);
  /** Undefined: in both. */
  readonly era?: Era;
  /** Also before `initialize`. */
  readonly comesFirst?: true;
  /** Answered only when either side has had enough: over HTTP it is a stream. */
  readonly staysOpen?: true;
  readonly handle: (exchange: Exchange, server: ServerContext) => Answer | Promise<Answer>;
}

/** Whoever may call may also look. */
export const looks: Rights = ["call", "read"];
const runs: Rights = ["call"];

const methods: Readonly<Record<string, McpMethod>> = {
  initialize: {
    right: looks,
    era: "legacy",
    comesFirst: true,
    handle: ({ connection, request }, { about, serverInfo }) => ({
      protocolVersion: connection.initialize(request.params),
      ...about,
      serverInfo,
    }),
  },
  ping: { right: looks, era: "legacy", comesFirst: true, handle: () => ({}) },
  "server/discover": {
    right: looks,
    era: "modern",
    handle: ({ era }, { stamps, about }) =>
      stamps.list(era, { supportedVersions: [...modernVersions], ...about }),
  },
  "subscriptions/listen": {
    right: (params) => (subscribes(params) ? runs : looks),
    era: "modern",
    staysOpen: true,
    handle: listen,
  },
  "tools/list": { right: looks, handle: (exchange, server) => server.listTools(exchange) },
  "tools/call": { right: runs, handle: callTool },
  "resources/list": { right: looks, handle: listed(listResources) },
  "resources/templates/list": { right: looks, handle: listed(listResourceTemplates) },
  "resources/read": { right: runs, handle: readResource },
  "resources/subscribe": {
    right: runs,
    era: "legacy",
    handle: async ({ connection, request }) => {
      await connection.watch.add(textParam(request.params, "uri"), request.signal);
      return {};
    },
  },
  "resources/unsubscribe": {
    right: looks,
    era: "legacy",
    handle: async ({ connection, request }) => {
      await connection.watch.remove(textParam(request.params, "uri"), request.signal);
      return {};
    },
  },
  "prompts/list": { right: looks, handle: listed(listPrompts) },
  "prompts/get": { right: runs, handle: getPrompt },
  "completion/complete": { right: runs, handle: complete },
};

export const methodNames: readonly string[] = Object.keys(methods);

export function methodOf(name: string): McpMethod | undefined {
  return Object.hasOwn(methods, name) ? methods[name] : undefined;
}

/** Whether a token with these rights may ask for it. What does not exist is nothing that could be refused. */
export function mayAsk(rights: ReadonlySet<Right>, name: string, params: unknown): boolean {
  const right = methodOf(name)?.right ?? looks;
  const needed = typeof right === "function" ? right(isJsonObject(params) ? params : {}) : right;
  return needed.some((one) => rights.has(one));
}

/** Listening to resources is what `resources/subscribe` was: their servers are told. */
function subscribes({ notifications: wanted }: JsonObject): boolean {
  return isJsonObject(wanted) && wanted.resourceSubscriptions !== undefined;
}

function listed(
  list: (exchange: Exchange, server: ServerContext) => Promise<JsonObject>,
): McpMethod["handle"] {
  return async (exchange, server) => server.stamps.list(exchange.era, await list(exchange, server));
}
