/** The official JSON Schema test suite, each schema as a property of an object: that is how a tool's input schema holds it. */

import { readFileSync } from "node:fs";
import type { Json, JsonObject } from "../../../../src/core/input/json.ts";
import type { JsonSchema } from "../../../../src/core/tool/schema.ts";

export type Draft = "draft2020-12" | "draft7";

export interface SuiteGroup {
  /** `ref: relative pointer ref to object` */
  readonly name: string;
  readonly schema: JsonSchema;
  readonly tests: readonly { readonly description: string; readonly value: Json; readonly valid: boolean }[];
}

/** `withRemotes`: what the schemas refer to outside of themselves is copied into their `$defs`. */
export function loadSuite(draft: Draft, options: { readonly withRemotes?: boolean } = {}): SuiteGroup[] {
  const files = readJson(`${draft}.json`) as unknown as Readonly<Record<string, readonly Group[]>>;
  const defs = options.withRemotes === true ? remotesOf(draft) : undefined;
  return Object.entries(files).flatMap(([file, groups]) =>
    groups.map(({ description, schema, tests }) => ({
      name: `${file}: ${description}`,
      schema: asProperty(schema, draft, defs),
      tests: tests.map(({ data, ...test }) => ({ ...test, value: { value: data } })),
    })),
  );
}

interface Group {
  readonly description: string;
  readonly schema: JsonSchema;
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[];
}

const DRAFTS = {
  "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
  draft7: "http://json-schema.org/draft-07/schema#",
} as const;

/** With an `$id` the schema stays a resource of its own, so its `#` still means itself. */
function asProperty(schema: JsonSchema, draft: Draft, defs?: JsonObject): JsonSchema {
  const resource = typeof schema === "boolean" ? schema : withId(schema, "https://suite.example/wrapped");
  return {
    $schema: DRAFTS[draft],
    type: "object",
    properties: { value: resource },
    required: ["value"],
    ...(defs && { [draft === "draft7" ? "definitions" : "$defs"]: defs }),
  };
}

function withId(schema: JsonSchema, $id: string): JsonObject {
  return { $id, ...(schema as JsonObject) };
}

/** The suite serves them at this address; a tool's author has to copy what the tool needs. */
function remotesOf(draft: Draft): JsonObject {
  const all = Object.entries(readJson("remotes.json") as JsonObject);
  // The few with a vocabulary are meta-schemas.
  const own = all.filter(
    ([path, schema]) =>
      path.startsWith("draft2020-12/") === (draft === "draft2020-12") &&
      !Object.hasOwn(schema as JsonObject, "$vocabulary"),
  );
  return Object.fromEntries(
    own.map(([path, schema]) => [path, withId(schema as JsonSchema, `http://localhost:1234/${path}`)]),
  );
}

function readJson(name: string): Json {
  const address = new URL(`fixtures/json-schema-test-suite/${name}`, import.meta.url);
  return JSON.parse(readFileSync(address, "utf8")) as Json;
}
