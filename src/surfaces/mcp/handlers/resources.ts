/** Resources: the gate's own, and those of upstream servers, which are read through the gate. */
import { isJsonObject, type JsonObject } from "../../../core/input/json.ts";
import type { UpstreamResource, Upstreams } from "../../../core/ports/upstream.ts";
import { shownName } from "../../../core/text/visible.ts";
import type { Answer } from "../../../mcp/peer.ts";
import { type Exchange, optionalText, textParam, wrongParams } from "../exchange.ts";
import type { ServerContext, Walk } from "../server-context.ts";
import { dispatch, refused } from "./call-tool.ts";
import { listOwnResources, readOwnResource } from "./own-resources.ts";

export async function listResources(exchange: Exchange, server: ServerContext): Promise<JsonObject> {
  const { request, transport } = exchange;
  const upstreams = server.upstreamsFor(exchange, "mcp.resource_list");
  const cursor = optionalText(request.params, "cursor");
  const own = cursor === undefined ? listOwnResources(transport) : [];
  const page = await upstreams?.listResources({ cursor }, { signal: request.signal });
  if (upstreams === undefined && cursor !== undefined) throw wrongParams("The cursor is none of ours.");
  return {
    resources: [...own, ...(page?.resources ?? []).map(withoutServer)],
    ...(page?.nextCursor !== undefined && { nextCursor: page.nextCursor }),
  };
}

export async function listResourceTemplates(exchange: Exchange, server: ServerContext): Promise<JsonObject> {
  const { request } = exchange;
  const upstreams = server.upstreamsFor(exchange, "mcp.resource_list");
  const cursor = optionalText(request.params, "cursor");
  const page = await upstreams?.listResourceTemplates({ cursor }, { signal: request.signal });
  return {
    resourceTemplates: (page?.resourceTemplates ?? []).map(withoutServer),
    ...(page?.nextCursor !== undefined && { nextCursor: page.nextCursor }),
  };
}

export function readResource(exchange: Exchange, server: ServerContext): Promise<Answer> {
  const upstreams = server.reach.upstreams(exchange.transport);
  return server.walk(exchange, async (walk) =>
    server.stamps.list(exchange.era, await readWith(walk, upstreams), 0),
  );
}

async function readWith(walk: Walk, upstreams: Upstreams | undefined): Promise<JsonObject> {
  const { exchange, gate } = walk;
  const uri = textParam(exchange.request.params, "uri");
  const own = readOwnResource(uri, exchange.transport, gate);
  if (own !== undefined) return own;
  const server = upstreams && (upstreams.serverOf(uri) ?? (await findServer(uri, upstreams, exchange)));
  if (server === undefined) throw notFound(uri);
  const outcome = await dispatch("mcp.resource_read", { server, uri, whole: true }, walk);
  if (!outcome.ok) throw refused(outcome.error, { uri });
  return {
    contents: outcome.result.content.map((block): JsonObject => {
      if (block.type === "resource" && isJsonObject(block.resource)) return block.resource;
      return { uri, mimeType: "text/plain", text: block.type === "text" ? String(block.text) : "" };
    }),
  };
}

/** A client may know a resource from elsewhere. The resource counts if a server lists or describes it now. */
async function findServer(
  uri: string,
  upstreams: Upstreams,
  { request }: Exchange,
): Promise<string | undefined> {
  const { signal } = request;
  for (const list of [upstreams.listResources, upstreams.listResourceTemplates]) {
    await list({}, { signal });
    const found = upstreams.serverOf(uri);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function notFound(uri: string): Error {
  return wrongParams(`There is no resource ${shownName(uri)}.`, { uri });
}

function withoutServer({ server: _server, ...rest }: Pick<UpstreamResource, "server"> & object): JsonObject {
  const resource = rest as JsonObject;
  // Clients insist on a name.
  return typeof resource.name === "string"
    ? resource
    : { ...resource, name: String(resource.uri ?? resource.uriTemplate) };
}
