/** Resources, prompts and changes of all upstream servers, as surfaces and the mcp tools reach them. */
import { isGateUri } from "../../core/input/gate-uri.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import type {
  UpstreamPrompt,
  UpstreamPromptResult,
  UpstreamResource,
  UpstreamResourceContent,
  UpstreamResourceTemplate,
  Upstreams,
} from "../../core/ports/upstream.ts";
import type { UpstreamConnection } from "./talk/connect-upstream.ts";
import { matchesTemplate } from "./tools/uri-template.ts";
import type { UpstreamServer } from "./upstream-server.ts";
import type { UpstreamSet } from "./upstream-set.ts";

export function createUpstreams(set: UpstreamSet): Upstreams {
  // Kept until the server lists anew: one whose list has changed must not lose its URIs to another server.
  const known = new Map<string, KnownUris>();
  const remember = (server: string, what: Partial<KnownUris>) =>
    known.set(server, { ...(known.get(server) ?? nothingKnown), ...what });

  return {
    status: () => set.status(),
    onChange: (listener) => set.onChange(listener),
    restart: (server) => set.restart(server),
    async listResources({ server }, { signal }) {
      const resources = await ofAll<UpstreamResource>(set, server, {
        ability: "resources",
        key: "uri",
        list: (connection) => connection.listResources({ signal }),
        onListed: (name, uris) => remember(name, { uris: new Set(uris) }),
      });
      return { resources };
    },
    async listResourceTemplates({ server }, { signal }) {
      const resourceTemplates = await ofAll<UpstreamResourceTemplate>(set, server, {
        ability: "resources",
        key: "uriTemplate",
        list: (connection) => connection.listResourceTemplates({ signal }),
        onListed: (name, templates) => remember(name, { templates }),
      });
      return { resourceTemplates };
    },
    async readResource({ server, uri }, { signal }) {
      const { contents } = await connectionOf(set, server).readResource(uri, { signal });
      if (!isListOf<UpstreamResourceContent>(contents, "uri"))
        throw new Error(`${server} answered with something that is no resource.`);
      if (contents.some((content) => isGateUri(content.uri)))
        throw new Error(`${server} answered in the name of the gate (toolgate:), which is not its own.`);
      return { contents };
    },
    async listPrompts({ server }, { signal }) {
      const prompts = await ofAll<UpstreamPrompt>(set, server, {
        ability: "prompts",
        key: "name",
        list: (connection) => connection.listPrompts({ signal }),
      });
      return { prompts };
    },
    async getPrompt({ server, name, arguments: given = {} }, { signal }) {
      const { messages, ...rest } = await connectionOf(set, server).getPrompt(name, given, { signal });
      if (!isListOf<UpstreamPromptResult["messages"][number]>(messages, "role"))
        throw new Error(`${server} answered with something that is no prompt.`);
      return { ...rest, messages };
    },
    async complete({ server, ref, argument, context }, { signal }) {
      const params = { ref: { ...ref }, argument, ...(context && { context }) };
      const { completion } = await connectionOf(set, server).complete(params, { signal });
      const { values, total, hasMore } = isJsonObject(completion) ? completion : {};
      return {
        values: Array.isArray(values)
          ? values.filter((value) => typeof value === "string").slice(0, 100)
          : [],
        ...(typeof total === "number" && { total }),
        ...(typeof hasMore === "boolean" && { hasMore }),
      };
    },
    subscribe: ({ server, uri }, { signal }) => connectionOf(set, server).subscribe(uri, { signal }),
    unsubscribe: ({ server, uri }, { signal }) => connectionOf(set, server).unsubscribe(uri, { signal }),
    serverOf(uri) {
      // A template such as `{+uri}` fits everything.
      if (isGateUri(uri)) return undefined;
      const names = set.servers.filter(isUsable).map(({ spec }) => spec.name);
      return (
        names.find((name) => known.get(name)?.uris.has(uri)) ??
        names.find((name) => known.get(name)?.templates.some((template) => matchesTemplate(template, uri)))
      );
    },
  };
}

interface KnownUris {
  readonly uris: ReadonlySet<string>;
  readonly templates: readonly string[];
}

const nothingKnown: KnownUris = { uris: new Set(), templates: [] };

/** A server that hangs must not hold up the others. Clients wait for about a minute, for two lists. */
const togetherMs = 10_000;
/** The same for one that has not been in time before, until it is. */
const againMs = 500;

interface Listing {
  /** Nobody is started to be asked for what it never had. */
  readonly ability: "resources" | "prompts";
  /** What names an item. One without a name, or with a URI of the gate's own, is left out. */
  readonly key: "uri" | "uriTemplate" | "name";
  readonly list: (connection: UpstreamConnection) => Promise<readonly JsonObject[]>;
  readonly onListed?: (server: string, names: readonly string[]) => void;
}

/** A server that fails or is slow is left out; its error counts only where it was asked for by name. */
async function ofAll<Item>(
  set: UpstreamSet,
  server: string | undefined,
  { ability, key, list, onListed }: Listing,
): Promise<readonly Item[]> {
  const listOf = async (name: string, connection: UpstreamConnection) => {
    const listed = (await list(connection)).filter((item) => isTheirs(key, item));
    onListed?.(
      name,
      listed.map((item) => String(item[key])),
    );
    return listed.map((item) => ({ ...item, server: name }) as Item);
  };
  if (server !== undefined) return listOf(server, connectionOf(set, server));
  const asked = set.servers.filter((one) => isUsable(one) && mayHave(one, ability));
  const lists = asked.map((one) => inTime(one, listOf(one.spec.name, connectionOf(set, one.spec.name))));
  return (await Promise.all(lists)).flat();
}

const late = new WeakSet<UpstreamServer>();

function inTime<Item>(server: UpstreamServer, work: Promise<readonly Item[]>): Promise<readonly Item[]> {
  return new Promise((resolve) => {
    const giveUp = () => {
      late.add(server);
      resolve([]);
    };
    const timer = setTimeout(giveUp, late.has(server) ? againMs : togetherMs);
    const end = (items: readonly Item[]) => {
      clearTimeout(timer);
      resolve(items);
    };
    const answered = (items: readonly Item[]) => {
      late.delete(server);
      end(items);
    };
    work.then(answered, () => end([]));
  });
}

function mayHave(server: UpstreamServer, capability: string): boolean {
  const { capabilities, state } = server.status();
  if (state === "broken") return false;
  return capabilities === undefined || capabilities[capability] !== undefined;
}

function isUsable({ spec, connection }: UpstreamServer): boolean {
  return spec.enabled && connection !== undefined;
}

function connectionOf(set: UpstreamSet, name: string): UpstreamConnection {
  const server = set.server(name);
  if (server === undefined) throw new Error(set.explainUnknown(name));
  if (server.connection !== undefined) return server.connection;
  const { problem } = server.spec;
  throw new Error(problem === undefined ? `The upstream ${name} is switched off.` : `${name}: ${problem}`);
}

function isTheirs(key: Listing["key"], { [key]: named }: JsonObject): boolean {
  return typeof named === "string" && (key === "name" || !isGateUri(named));
}

/** What else a server says in its items is passed on as it is. */
function isListOf<Item>(value: Json | undefined, key: string & keyof Item): value is Json & readonly Item[] {
  return Array.isArray(value) && value.every((one) => isJsonObject(one) && typeof one[key] === "string");
}
