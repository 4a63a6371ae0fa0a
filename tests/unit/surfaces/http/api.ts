/** Asks a test server, and checks every answer against the schema that its route promises. */
import { afterAll, beforeAll, expect } from "vitest";
import type { Json } from "../../../../src/core/input/json.ts";
import type { JsonSchema, ValidationResult } from "../../../../src/core/tool/schema.ts";
import { compileJsonSchema } from "../../../../src/safe/schema/json-schema.ts";
import { createMatchRoute } from "../../../../src/surfaces/http/match-route.ts";
import { prepareRoute } from "../../../../src/surfaces/http/prepare-route.ts";
import { problemBody } from "../../../../src/surfaces/rest/schemas/shapes.ts";
import { allRoutes } from "../../../../src/surfaces/serve/all-routes.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../../../http-server.ts";

const matchRoute = createMatchRoute(allRoutes.map((route) => prepareRoute<never>(route, undefined as never)));

export interface Answered<Body> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
}

export interface Asking {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export function createApi(server: Pick<TestServer, "ask">) {
  // biome-ignore lint/suspicious/noExplicitAny: a test names the fields it looks at
  async function ask<Body = any>(method: string, path: string, asking: Asking = {}): Promise<Answered<Body>> {
    const { token = "token-all", body, headers } = asking;
    const response = await server.ask(path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { status } = response;
    const type = response.headers.get("content-type") ?? "";
    const read = (/[/+]json$/.test(type) ? await response.json() : await response.text()) as Body;
    if (type === "application/problem+json") expectFit(read, problemBody, `${status} ${method} ${path}`);
    else if (type === "application/json") checkAnswer(method, path, status, read);
    return { status, body: read, headers: response.headers };
  }
  return {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    get: <Body = any>(path: string, asking?: Asking) => ask<Body>("GET", path, asking),
    // biome-ignore lint/suspicious/noExplicitAny: as above
    post: <Body = any>(path: string, body?: unknown, asking?: Asking) =>
      ask<Body>("POST", path, { ...asking, body }),
    // biome-ignore lint/suspicious/noExplicitAny: as above
    put: <Body = any>(path: string, body: unknown, asking?: Asking) =>
      ask<Body>("PUT", path, { ...asking, body }),
    // biome-ignore lint/suspicious/noExplicitAny: as above
    delete: <Body = any>(path: string, asking?: Asking) => ask<Body>("DELETE", path, asking),
  };
}

/** A server with all routes for the tests around, and its API. */
export function useServer(options: Partial<TestServerOptions> = {}) {
  let started: TestServer | undefined;
  beforeAll(async () => {
    started = await startTestServer({ routes: allRoutes, ...options });
  });
  afterAll(() => started?.close());
  // Whoever takes it apart before it was started still means the one that will be.
  const server = new Proxy({} as TestServer, { get: (_, key) => Reflect.get(started ?? {}, key) });
  return { server, api: createApi(server) };
}

function checkAnswer(method: string, path: string, status: number, body: unknown): void {
  const match = matchRoute(method, path.split("?")[0] ?? "");
  if (match.kind !== "found") throw new Error(`No route answers ${method} ${path}.`);
  const schema = match.route.route.answers[status];
  expect(schema, `${method} ${path} says nothing about ${status}`).toBeDefined();
  if (schema !== undefined && !("contentType" in schema)) expectFit(body, schema, `${method} ${path}`);
}

export function expectFit(value: unknown, schema: unknown, what: string): void {
  let validate = compiledSchemas.get(schema as object);
  if (validate === undefined) {
    const compiled = compileJsonSchema(JSON.parse(JSON.stringify(schema)) as JsonSchema);
    if (!compiled.ok) throw new Error(compiled.message);
    validate = compiled.validate;
    compiledSchemas.set(schema as object, validate);
  }
  const result = validate(value as Json);
  if (!result.ok) expect(result.issues, what).toEqual([]);
}

const compiledSchemas = new WeakMap<object, (value: Json) => ValidationResult>();
