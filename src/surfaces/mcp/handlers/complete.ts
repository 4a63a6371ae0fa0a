/** completion/complete: what could be filled in, as the server of the prompt or resource says. */
import { isJsonObject, type JsonObject } from "../../../core/input/json.ts";
import type { Upstreams } from "../../../core/ports/upstream.ts";
import { type Exchange, objectParam, textParam, wrongParams } from "../exchange.ts";
import type { ServerContext } from "../server-context.ts";
import { splitPromptName } from "./prompts.ts";
import type { Reach } from "./reach.ts";

const maxValues = 100;

export async function complete(exchange: Exchange, { reach, stamps }: ServerContext): Promise<JsonObject> {
  return stamps.result(exchange.era, { completion: await completionOf(exchange, reach) });
}

async function completionOf({ request, transport }: Exchange, reach: Reach): Promise<JsonObject> {
  const upstreams = reach.upstreams(transport);
  const { params, signal } = request;
  const ref = objectParam(params, "ref");
  const given = objectParam(params, "argument");
  const argument = { name: textParam(given, "name"), value: textParam(given, "value") };
  const found = await refOf(ref, upstreams, signal);
  const nothing = { values: [], hasMore: false };
  if (found === undefined || upstreams === undefined || !isOneOf(upstreams, found)) return nothing;
  const context = params.context === undefined ? undefined : objectParam(params, "context");
  // What is typed goes to the server: not where the finished request could not go.
  const values = { ...textsOf(context), [argument.name]: argument.value };
  const { tool, input } = finished(found, values);
  if (await reach.isDenied(transport, tool, input)) return nothing;
  const answer = await upstreams.complete({ ...found, argument, context }, { signal });
  const { total, hasMore } = answer;
  return {
    values: answer.values.slice(0, maxValues),
    ...(total !== undefined && { total }),
    hasMore: hasMore === true || answer.values.length > maxValues,
  };
}

type Found = Pick<Parameters<Upstreams["complete"]>[0], "server" | "ref">;

function isOneOf(upstreams: Upstreams, { server }: Found): boolean {
  return upstreams.status().some((one) => one.server === server);
}

/** The values that were filled in before. Anything else in there would go to the server unjudged. */
function textsOf(context: JsonObject | undefined): Readonly<Record<string, string>> {
  if (context === undefined) return {};
  const { arguments: given = {}, ...more } = context;
  const isFine = isJsonObject(given) && Object.values(given).every((value) => typeof value === "string");
  if (!isFine || Object.keys(more).length > 0)
    throw wrongParams('"context" takes "arguments": an object whose values are texts.');
  return given as Readonly<Record<string, string>>;
}

/** The request as it would be with what is typed so far, so that rules about its arguments see them. */
function finished(
  { server, ref }: Found,
  values: Readonly<Record<string, string>>,
): { readonly tool: string; readonly input: JsonObject } {
  if (ref.type === "ref/prompt")
    return { tool: "mcp.prompt_get", input: { server, name: ref.name, arguments: values } };
  const uri = ref.uri.replace(/\{[^}]*\}/g, (hole) => filling(hole, values));
  return { tool: "mcp.resource_read", input: { server, uri } };
}

/** `{+path}`, `{a,b}`: every value that the hole names, as typed. */
function filling(hole: string, values: Readonly<Record<string, string>>): string {
  const names = hole
    .slice(1, -1)
    .replace(/^[+#./;?&]/, "")
    .split(",");
  return names.map((name) => values[name.replace(/\*$|:\d+$/, "")] ?? "").join("/");
}

async function refOf(
  ref: JsonObject,
  upstreams: Upstreams | undefined,
  signal: AbortSignal,
): Promise<Found | undefined> {
  if (ref.type === "ref/prompt") {
    const split = splitPromptName(textParam(ref, "name"));
    return split && { server: split.server, ref: { type: "ref/prompt", name: split.name } };
  }
  if (ref.type !== "ref/resource") throw wrongParams('"ref" must be a ref/prompt or a ref/resource.');
  const uri = textParam(ref, "uri");
  const server = upstreams?.serverOf(uri) ?? (await serverOfTemplate(uri, upstreams, signal));
  return server === undefined ? undefined : { server, ref: { type: "ref/resource", uri } };
}

async function serverOfTemplate(
  uriTemplate: string,
  upstreams: Upstreams | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  let cursor: string | undefined;
  do {
    const page = await upstreams?.listResourceTemplates({ cursor }, { signal });
    const found = page?.resourceTemplates.find((template) => template.uriTemplate === uriTemplate);
    if (found !== undefined) return found.server;
    cursor = page?.nextCursor;
  } while (cursor !== undefined);
  return undefined;
}
