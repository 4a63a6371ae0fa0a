/** One route as a value: router, checks, OpenAPI document and attack tests are made of one list. */
import type { Static, TSchema } from "typebox";
import type { Answer } from "./answer.ts";
import type { ProblemAnswer } from "./problem.ts";
import type { Right, TokenHolder } from "./rights.ts";
import type { RouteRequest } from "./route-request.ts";
import type { HttpParts, Served } from "./server-parts.ts";

export type { RouteRequest } from "./route-request.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** `/api/tools/:name` -> `{ name: string }`. */
export type PathParams<Path extends string> = {
  readonly [Name in ParamNames<Path>]: string;
};

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/**
 * `Parts`: what the route's code works with, besides the request. The functions are properties, not methods:
 * so a server that lacks one of the parts of its routes does not compile.
 */
export interface Route<Parts, Params, Query extends TSchema, Body extends TSchema> {
  readonly method: Method;
  /** `/api/tools/:name/call`; a parameter is one segment. */
  readonly path: string;
  /** What a token must be allowed to do; of several, one is enough. `public`: no token is looked at. */
  readonly right: Right | readonly Right[] | "public";
  /** One line for the API's description. */
  readonly summary: string;
  readonly description?: string;
  /** What the parameters in the path mean, by name. */
  readonly params?: Readonly<Record<string, string>>;
  /** A closed object schema. Without a schema, a query is refused. */
  readonly query?: Query;
  /** Without a schema, a body is refused. To a POST, an empty object is no body. */
  readonly body?: Body;
  /** At most so many bytes: for routes that need no token. Default: the server's limit. */
  readonly maxBodyBytes?: number;
  /** The body may be left out. */
  readonly bodyOptional?: true;
  /** By status; null: an answer without a schema. Problems need not be listed. */
  readonly answers: Readonly<Record<number, TSchema | AnswerForm>>;
  /** The success in other forms, for clients whose `Accept` names them. */
  readonly otherForms?: readonly AnswerForm[];
  /** Held open for long (events): counts as one of the caller's streams, not as a request. */
  readonly longLived?: true;
  /** What a client that sends Expect: 100-continue is told first: one header, or a refusal. */
  readonly welcome?: (
    header: (name: string) => string | undefined,
    parts: Parts,
  ) => string | ProblemAnswer | undefined;
  /** For what must leave a record: a known caller was refused by the right, the query or the body. */
  readonly onRefused?: (refused: RefusedRequest<Params>, parts: Parts) => Promise<void>;
  readonly handle: (
    request: RouteRequest<Params, Static<Query>, Static<Body>>,
    parts: Parts,
  ) => Answer | Promise<Answer>;
}

export interface RefusedRequest<Params> {
  readonly params: Params;
  readonly holder: TokenHolder;
  readonly problem: ProblemAnswer;
}

/** An answer that is not JSON. */
export interface AnswerForm {
  readonly contentType: string;
  readonly description: string;
}

/** Any route: the server hands in what the route's own schemas have checked. */
// biome-ignore lint/suspicious/noExplicitAny: a list holds routes of all types; each is checked by itself.
export type AnyRoute<Parts = never> = Route<Parts, any, any, any>;

/** Types the routes of a surface: parameters come from the path, query and body from their schemas. */
export function defineRouteFor<Parts>() {
  return <const Path extends string, Query extends TSchema = TSchema, Body extends TSchema = TSchema>(
    route: Route<Parts, PathParams<Path>, Query, Body> & { readonly path: Path },
  ) => route;
}

/** For routes that need nothing but the server. */
export const defineRoute = defineRouteFor<HttpParts & Served>();

/** Does this caller have the right, or one of the rights, that the route asks for? */
export function isAllowed({ right }: AnyRoute, { rights }: TokenHolder): boolean {
  if (right === "public") return true;
  return typeof right === "string" ? rights.has(right) : right.some((one) => rights.has(one));
}
