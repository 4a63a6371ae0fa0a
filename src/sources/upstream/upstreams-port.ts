/** Resources, prompts and changes of all upstream servers together, as surfaces and the mcp tools reach them. */
import { isGateUri } from "../../core/input/gate-uri.ts";
import type { Json, JsonObject } from "../../core/input/json.ts";
import type {
  UpstreamPrompt,
  UpstreamPromptResult,
  UpstreamResource,
  UpstreamResourceContent,
  UpstreamResourceTemplate,
  Upstreams,
} from "../../core/ports/upstream.ts";
import type { UpstreamConnection } from "./talk/connection.ts";
import { matchesTemplate } from "./tools/uri-template.ts";
import type { UpstreamServer } from "./upstream-server.ts";
import type { UpstreamSet } from "./upstream-set.ts";

export function createUpstreams(set: UpstreamSet): Upstreams {
  // Kept until the server lists anew: whoever says that its own have changed must not lose them to another server meanwhile.
  const known = new Map<string, KnownUris>();
  const remember = (server: string, what: Partial<KnownUris>) =>
    known.set(server, { ...(known.get(server) ?? nothingKnown), ...what });

  return {
    status: () => set.status(),
    onChange: (listener) => set.onChange(listener),
    restart: (server) => set.restart(server),
    async listResources({ server }, { signal }) {
      const listed = await ofAll<UpstreamResource>(set, server, "resources", async (name, connection) => {
        const resources = (await connection.listResources({ signal })).filter(isTheirs("uri"));
        remember(name, { uris: new Set(resources.map(({ uri }) => uri as string)) });
        return resources.map((resource) => ({ ...resource, server: name }) as unknown as UpstreamResource);
      });
      return { resources: listed };
    },
    async listResourceTemplates({ server }, { signal }) {
      const listed = await ofAll<UpstreamResourceTemplate>(
        set,
        server,
        "resources",
        async (name, connection) => {
          const templates = (await connection.listResourceTemplates({ signal })).filter(
            isTheirs("uriTemplate"),
          );
          remember(name, { templates: templates.map(({ uriTemplate }) => uriTemplate as string) });
          return templates.map((one) => ({ ...one, server: name }) as unknown as UpstreamResourceTemplate);
        },
      );
      return { resourceTemplates: listed };
    },
    async readResource({ server, uri }, { signal }) {
      const { contents } = await connectionOf(set, server).readResource(uri, { signal });
      if (!isListOf(contents, has("uri")))
        throw new Error(`${server} answered with something that is no resource.`);
      if ((contents as readonly Json[]).some(speaksForGate))
        throw new Error(`${server} answered in the name of the gate (toolgate:), which is not its own.`);
      return { contents: contents as unknown as readonly UpstreamResourceContent[] };
    },
    async listPrompts({ server }, { signal }) {
      const listed = await ofAll<UpstreamPrompt>(set, server, "prompts", async (name, connection) => {
        const prompts = (await connection.listPrompts({ signal })).filter(has("name"));
        return prompts.map((prompt) => ({ ...prompt, server: name }) as unknown as UpstreamPrompt);
      });
      return { prompts: listed };
    },
    async getPrompt({ server, name, arguments: given = {} }, { signal }) {
      const answer = await connectionOf(set, server).getPrompt(name, given, { signal });
      if (!isListOf(answer.messages, has("role")))
        throw new Error(`${server} answered with something that is no prompt.`);
      return answer as unknown as UpstreamPromptResult;
    },
    async complete({ server, ref, argument, context }, { signal }) {
      const params = { ref, argument, ...(context && { context }) } as unknown as JsonObject;
      const { completion } = await connectionOf(set, server).complete(params, { signal });
      const { values, total, hasMore } = (completion ?? {}) as JsonObject;
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

/** One that hangs must not keep what the others have; clients wait for about a minute, and may need two lists. */
const togetherMs = 10_000;
/** The same for one that has not been in time before, until it is. */
const againMs = 500;

/** One that fails or is slow leaves the others as they are; only where it was asked for by name its error counts. */
async function ofAll<Item>(
  set: UpstreamSet,
  server: string | undefined,
  capability: "resources" | "prompts",
  list: (name: string, connection: UpstreamConnection) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  if (server !== undefined) return list(server, connectionOf(set, server));
  const asked = set.servers.filter((one) => isUsable(one) && mayHave(one, capability));
  const lists = await Promise.all(
    asked.map((one) => inTime(one, list(one.spec.name, one.connection as UpstreamConnection))),
  );
  return lists.flat();
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

/** Nobody is started to be asked for what it never had. */
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

function has(key: string): (value: Json) => boolean {
  return (value) => typeof (value as JsonObject | null)?.[key] === "string";
}

function isTheirs(key: "uri" | "uriTemplate"): (value: JsonObject) => boolean {
  return ({ [key]: uri }) => typeof uri === "string" && !isGateUri(uri);
}

function speaksForGate(content: Json): boolean {
  const { uri } = content as JsonObject;
  return typeof uri === "string" && isGateUri(uri);
}

function isListOf(value: Json | undefined, is: (one: Json) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}
