/**
 * The http handler: one request to where the author says, or to a URL of the caller's, with the arguments in
 * path, query or body. Addresses are checked where the connection is made; private ones are open only to a
 * plugin that says so in a trusted place.
 */
import { failed } from "../../../core/call/tool-answer.ts";
import { conventionalRoles } from "../../../core/input/input-roles.ts";
import type { JsonSchema } from "../../../core/tool/schema.ts";
import { refuseKnownAddress } from "../../../safe/net/known-address.ts";
import { type FetchRequest, safeFetch } from "../../../safe/net/safe-fetch.ts";
import type { HttpHandler } from "./handler-shapes.ts";
import { fillHeaders, type HeaderValues, namesCredential } from "./header-values.ts";
import { toHttpResult } from "./http-answer.ts";
import type { HandlerInput, HandlerPlace, HandlerProblem, Prepared } from "./prepared-handler.ts";
import { requestContent } from "./request-arguments.ts";
import { propertiesOf, withDefaults } from "./template-properties.ts";
import { compileUrl, type UrlTemplate } from "./url-template.ts";
import { wholeNumber } from "./whole-number.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];
const limits = {
  timeout: { otherwise: 10_000, most: 600_000 },
  maxBytes: { otherwise: 1024 * 1024, most: 64 * 1024 * 1024 },
};

export function prepareHttp(handler: HttpHandler, inputSchema: JsonSchema, place: HandlerPlace): Prepared {
  const timeout = wholeNumber("timeout", handler.timeout, limits.timeout);
  const maxBytes = wholeNumber("maxBytes", handler.maxBytes, limits.maxBytes);
  const method = String(handler.method ?? "POST").toUpperCase();
  const properties = propertiesOf(inputSchema);
  const url = compileUrl(handler.url, new Set(Object.keys(properties)));
  const headers = fillHeaders(handler.headers ?? {}, place);
  const problems: HandlerProblem[] = [
    ...timeout.problems,
    ...maxBytes.problems,
    ...(methods.includes(method)
      ? []
      : [{ field: "method", message: `The method must be one of ${methods.join(", ")}.` }]),
    ...(url.ok ? [] : url.errors.map((message) => ({ field: "url", message }))),
    ...(headers.ok ? [] : headers.problems),
    ...(url.ok && headers.ok ? findLeak(url, handler) : []),
  ];
  if (problems.length > 0 || !url.ok || !headers.ok) return problems;

  const mayBePrivate = place.trusted && place.allowPrivate;
  const request = (args: HandlerInput) => makeRequest(method, url, withDefaults(args, properties), headers);
  return {
    permission: method === "GET" || method === "HEAD" ? "read" : "write",
    capabilities: ["net:fetch"],
    // A field called `path` is the API's here; the URL is told by `derive`, whole.
    roles: { content: Object.keys(properties).filter((name) => conventionalRoles.content.includes(name)) },
    timeoutMs: timeout.value,
    validate: (args) => {
      const made = request(args);
      if (typeof made === "string") return made;
      const refused = refuseKnownAddress(new URL(made.url), mayBePrivate, place.judge);
      return refused && `${refused.message} ${hintFor(refused, place)}`;
    },
    derive: (args) => {
      const made = request(args);
      return typeof made === "string" ? undefined : { url: made.url };
    },
    run: async (args, { signal }) => {
      const made = request(args);
      if (typeof made === "string") return failed({ code: "invalid_input", message: made });
      if (headers.unset.length > 0) return failed(unsetVariables(headers.unset));
      const { fetch: ask = safeFetch } = place;
      const answer = await ask({
        ...made,
        timeoutMs: timeout.value,
        maxBytes: maxBytes.value,
        allowPrivate: mayBePrivate,
        ...(!url.fixedHost && { refuseRedirect: otherHost }),
        signal,
      });
      if (answer.ok) return toHttpResult(answer, headers.secrets);
      return failed({ code: answer.code, message: `${answer.message} ${hintFor(answer, place)}` });
    },
  };
}

type Made = Pick<FetchRequest, "method" | "headers" | "body"> & { readonly url: string };

function makeRequest(
  method: string,
  url: UrlTemplate,
  args: HandlerInput,
  { headers }: HeaderValues,
): Made | string {
  const filled = url.fill((name) => (Object.hasOwn(args, name) ? args[name] : undefined));
  if (!filled.ok) return filled.message;
  const content = requestContent(method, args, url);
  if (!content.ok) return content.message;
  // By text: `searchParams` would write the author's own part anew.
  const query = [filled.url.search.slice(1), ...content.query].filter((part) => part !== "");
  filled.url.search = query.join("&");
  const own = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  return {
    method,
    url: filled.url.href,
    headers: {
      ...(!own.has("accept") && { accept: "application/json, text/*;q=0.9, */*;q=0.1" }),
      ...(content.body !== undefined && !own.has("content-type") && { "content-type": "application/json" }),
      ...headers,
    },
    ...(content.body !== undefined && { body: content.body }),
  };
}

/** Where the caller chooses the host, it would choose who gets the key. */
function findLeak({ fixedHost }: UrlTemplate, { headers = {} }: HttpHandler): HandlerProblem[] {
  if (fixedHost) return [];
  return Object.entries(headers)
    .filter(([name, value]) => value.includes("${") || namesCredential(name))
    .map(([name]) => ({
      field: `headers.${name}`,
      message:
        "The caller chooses the host of this URL and would get this header; write the host yourself, or leave the header out.",
    }));
}

/** Rules saw the first URL only. A host that the author chose may redirect, a model's choice may not. */
function otherHost(to: string, from: string): string | undefined {
  return new URL(to).host === new URL(from).host
    ? undefined
    : "it is another host, for which other rules may hold.";
}

function unsetVariables(names: readonly string[]) {
  const message = `This tool needs ${names.join(", ")} in the environment of toolgate, and it is not set there. Whoever runs toolgate has to set it.`;
  return { code: "missing_variable", message };
}

function hintFor(
  { code, hint }: { readonly code: string; readonly hint: string },
  place: HandlerPlace,
): string {
  if (code !== "blocked_address") return hint;
  if (place.trusted && place.allowPrivate)
    return "allowPrivate opens addresses of one's own network only; nothing opens this one.";
  return place.trusted
    ? "If it is meant to be reached, the plugin file has to say allowPrivate: true."
    : "Only a plugin in a trusted place may reach private addresses.";
}
