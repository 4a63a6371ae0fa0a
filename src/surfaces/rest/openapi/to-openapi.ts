/** Describes the API as OpenAPI 3.1, made of the routes and schemas that the server itself works by. */
import type { TSchema } from "typebox";
import type { AnswerForm, AnyRoute } from "../../http/route.ts";
import { problemBody } from "../schemas/shapes.ts";
import { createNamedSchemas } from "./named-schemas.ts";

export interface OpenApiDocument {
  readonly openapi: "3.1.1";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

export function toOpenApi(routes: readonly AnyRoute[], version: string, prefix = ""): OpenApiDocument {
  const { use, named } = createNamedSchemas();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, use) };
  }
  const problem = { "application/problem+json": { schema: use(problemBody) } };
  return {
    openapi: "3.1.1",
    info: {
      title: "toolgate",
      version,
      description: "One gate that every tool call passes through. What each route means: docs/rest.md.",
    },
    servers: [{ url: prefix === "" ? "/" : prefix }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "`toolgate tokens create` makes one." },
      },
      responses: { Problem: { description: "What is wrong with the request.", content: problem } },
      schemas: named(),
    },
  };
}

type UseSchema = (schema: TSchema) => unknown;

function operationOf(route: AnyRoute, use: UseSchema): Record<string, unknown> {
  const { summary, description, body, bodyOptional, right } = route;
  const rights = typeof right === "string" ? [right] : right;
  return {
    operationId: operationId(route),
    summary,
    ...(description !== undefined && { description }),
    tags: [route.path.split("/").find((part) => part !== "" && part !== "api") ?? "api"],
    "x-toolgate-rights": rights,
    ...(right === "public" && { security: [] }),
    parameters: [...pathParameters(route), ...queryParameters(route, use)],
    ...(body !== undefined && {
      requestBody: {
        required: bodyOptional !== true,
        content: { "application/json": { schema: use(body) } },
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.answers).map(([status, answer]) => [status, responseOf(answer, route, use)]),
      ),
      default: { $ref: "#/components/responses/Problem" },
    },
  };
}

/** `POST /api/tools/:name/call` -> `postToolsNameCall`. */
function operationId({ method, path }: AnyRoute): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join("");
}

function pathParameters({ path, params }: AnyRoute): object[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: params?.[name] ?? name,
    schema: { type: "string" },
  }));
}

function queryParameters({ query }: AnyRoute, use: UseSchema): object[] {
  const properties = (query as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {};
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    ...("description" in schema && { description: schema.description }),
    schema: use(schema),
  }));
}

function responseOf(answer: TSchema | AnswerForm, route: AnyRoute, use: UseSchema): object {
  const form = "contentType" in answer ? (answer as AnswerForm) : undefined;
  const main = form?.contentType ?? "application/json";
  const content: Record<string, object> = {
    [main]: form === undefined ? { schema: use(answer as TSchema) } : {},
  };
  for (const other of route.otherForms ?? []) content[other.contentType] = {};
  return { description: form?.description ?? route.summary, content };
}
