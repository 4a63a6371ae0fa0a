/** Makes a route ready when the server starts: schemas are compiled, its code gets its parts. */
import { ToolgateError } from "../../core/call/errors.ts";
import type { Json } from "../../core/input/json.ts";
import type { JsonSchema, ValidationResult } from "../../core/tool/schema.ts";
import { compileJsonSchema } from "../../safe/schema/json-schema.ts";
import type { Answer } from "./answer.ts";
import type { ProblemAnswer } from "./problem.ts";
import { createReadQuery, type ReadQuery } from "./read-query.ts";
import type { AnyRoute, RefusedRequest, RouteRequest } from "./route.ts";

type Params = Readonly<Record<string, string>>;

export interface PreparedRoute {
  readonly route: AnyRoute;
  readonly segments: readonly string[];
  readonly readQuery: ReadQuery;
  /** Undefined: the route takes no body; a POST may carry an empty object. */
  readonly validateBody: ((body: Json) => ValidationResult) | undefined;
  readonly welcome: (header: (name: string) => string | undefined) => string | ProblemAnswer | undefined;
  readonly onRefused: (refused: RefusedRequest<Params>) => Promise<void> | undefined;
  readonly handle: (request: RouteRequest<Params, unknown, unknown>) => Answer | Promise<Answer>;
}

/** Throws for a schema that cannot be used: a route that does not check its input must not be served. */
export function prepareRoute<Parts>(route: AnyRoute<Parts>, parts: Parts): PreparedRoute {
  const where = `${route.method} ${route.path}`;
  if (!/^(?:\/(?::[a-z][A-Za-z]*|[a-z0-9._-]+))+$/.test(route.path))
    throw new ToolgateError(`The route ${where} has a path that cannot be matched.`);
  return {
    route,
    segments: route.path.split("/"),
    readQuery: createReadQuery(route.query, (schema) => compile(schema, `the query of ${where}`)),
    validateBody: route.body === undefined ? undefined : compile(route.body, `the body of ${where}`),
    welcome: (header) => route.welcome?.(header, parts),
    onRefused: (refused) => route.onRefused?.(refused, parts),
    handle: (request) => route.handle(request, parts),
  };
}

/** TypeBox writes "any name" as a pattern. Checking a pattern costs more than the rest of the request. */
function withoutAnyPattern(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("patternProperties" in value)) return value;
  const { patternProperties, ...rest } = value as { patternProperties: Record<string, unknown> };
  const { "^.*$": any, ...others } = patternProperties;
  if (any === undefined || Object.keys(others).length > 0 || "additionalProperties" in rest) return value;
  return { ...rest, additionalProperties: any };
}

function compile(schema: unknown, where: string): (value: Json) => ValidationResult {
  // TypeBox marks its schemas with properties that are not JSON and not listed.
  const compiled = compileJsonSchema(JSON.parse(JSON.stringify(schema), withoutAnyPattern) as JsonSchema);
  if (!compiled.ok) throw new ToolgateError(`The schema of ${where} cannot be used: ${compiled.message}.`);
  return compiled.validate;
}
