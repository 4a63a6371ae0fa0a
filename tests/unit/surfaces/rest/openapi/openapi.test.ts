import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allRoutes } from "../../../../../src/surfaces/serve/all-routes.ts";
import { startTestServer, type TestServer } from "../../../../http-server.ts";
import { createApi, expectFit } from "../../http/api.ts";

describe("the API's own description", () => {
  let server: TestServer;
  // biome-ignore lint/suspicious/noExplicitAny: a test names the fields it looks at
  let document: any;
  beforeAll(async () => {
    server = await startTestServer({ routes: allRoutes });
    document = (await createApi(server).get("/api/openapi.json", { token: "token-call" })).body;
  });
  afterAll(() => server.close());

  it("is valid OpenAPI 3.1 by the official schema", async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result).toMatchObject({ valid: true });
  });

  it("names every route with its rights, parameters, body and answers, and no others", () => {
    const described = Object.entries<object>(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map(
        (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
      ),
    );
    expect(described.toSorted()).toEqual(allRoutes.map(({ method, path }) => `${method} ${path}`).toSorted());
    const call = document.paths["/api/tools/{name}/call"].post;
    expect(call["x-toolgate-rights"]).toEqual(["call"]);
    expect(call.requestBody.content["application/json"].schema).toEqual({
      $ref: "#/components/schemas/CallBody",
    });
    expect(Object.keys(call.responses["200"].content)).toEqual(["application/json", "text/event-stream"]);
    expect(document.paths["/api/health/live"].get.security).toEqual([]);
  });

  it("has an operation id for each, all different, and no reference to nowhere", () => {
    const text = JSON.stringify(document);
    const ids = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(allRoutes.length);
    for (const [, name = ""] of text.matchAll(/#\/components\/schemas\/(\w+)"/g))
      expect(document.components.schemas, name).toHaveProperty(name);
  });

  it("gives examples of bodies that the server takes", () => {
    let examples = 0;
    for (const { body, path } of allRoutes) {
      for (const example of (body as { examples?: unknown[] } | undefined)?.examples ?? []) {
        expectFit(example, body, `${path}: ${JSON.stringify(example)}`);
        examples++;
      }
    }
    expect(examples).toBeGreaterThan(5);
  });
});

describe("docs/rest.md", () => {
  it("names every route with its method", () => {
    const text = readFileSync(new URL("../../../../../docs/rest.md", import.meta.url), "utf8");
    const missing = allRoutes
      .map(({ method, path }) => `${method} ${path}`)
      .filter((route) => !text.includes(`\`${route}\``));
    expect(missing).toEqual([]);
  });
});
