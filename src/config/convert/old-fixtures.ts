/** The fixtures beside an old tool-routes.json (calls, and what should become of each) as tests of today. */
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import { quietly } from "../../core/run/quietly.ts";
import { matchesWildcard } from "../../core/tool/tool-pattern.ts";
import { readTextFile } from "../../safe/files/documents/read-text-file.ts";
import { compilePattern } from "../../safe/regex/safe-regex.ts";

export interface OldFixture {
  /** `fixtures/bash/echo.json`. */
  readonly file: string;
  readonly test: JsonObject;
}

export interface OldFixtures {
  readonly fixtures: readonly OldFixture[];
  /** What the author should look at. */
  readonly notes: readonly string[];
}

/** Nobody keeps more of them by hand. */
const mostFixtures = 500;

/** Those in `fixtures/` of the folder in which the old file is, in the order of their names. */
export function readOldFixtures(folder: string): OldFixtures {
  const top = join(folder, "fixtures");
  const entries = quietly(() => readdirSync(top, { recursive: true, withFileTypes: true })) ?? [];
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  const notes: string[] = [];
  if (files.length > mostFixtures) notes.push(`fixtures: only the first ${mostFixtures} files were read.`);
  const fixtures = files.slice(0, mostFixtures).flatMap((path) => {
    const file = relative(folder, path);
    const read = readTextFile(path, { within: top });
    const value = read.ok ? quietly(() => JSON.parse(read.text) as Json) : undefined;
    // The folder may hold somebody else's files as well.
    if (value === undefined || !isJsonObject(value) || value.tool_call === undefined) return [];
    const test = toTest(value);
    if (test === undefined) notes.push(`${file}: left out, because it cannot be read as a fixture.`);
    else if (isJsonObject(value.assertions) && value.assertions.should_not_contain !== undefined)
      notes.push(`${file}: left out should_not_contain, which tests do not know.`);
    return test === undefined ? [] : [{ file, test }];
  });
  return { fixtures, notes };
}

/** Undefined: it is broken. */
function toTest({
  name,
  tool_call: call,
  expected_exit: exit,
  assertions,
}: JsonObject): JsonObject | undefined {
  if (!isJsonObject(call) || typeof call.tool_name !== "string" || !isJsonObject(call.tool_input))
    return undefined;
  if (exit !== 0 && exit !== 2) return undefined;
  const contains = isJsonObject(assertions) ? assertions.should_contain : undefined;
  return {
    ...(typeof name === "string" && name !== "" && { desc: name }),
    input: { tool_name: call.tool_name, tool_input: call.tool_input },
    expect: exit === 2 ? "block" : "allow",
    ...(exit === 2 && typeof contains === "string" && contains !== "" && { contains }),
  };
}

interface NamedRoute {
  readonly name: string;
  readonly route: JsonObject;
}

/** Each test goes to the route that refuses its call; one that should pass, to the first route for its tool. */
export function attachFixtures(
  routes: readonly NamedRoute[],
  fixtures: readonly OldFixture[],
): { readonly tests: ReadonlyMap<string, readonly JsonObject[]>; readonly notes: readonly string[] } {
  const tests = new Map<string, JsonObject[]>();
  const notes: string[] = [];
  for (const { file, test } of fixtures) {
    const { tool_name: tool, tool_input: input } = test.input as {
      tool_name: string;
      tool_input: JsonObject;
    };
    const ofTool = routes.filter(({ route }) => isForTool(route, tool));
    const chosen =
      test.expect === "block" ? ofTool.find(({ route }) => matches(route, input)) : (ofTool[0] ?? routes[0]);
    if (chosen === undefined) notes.push(`${file}: left out, because no route refuses its call.`);
    else tests.set(chosen.name, [...(tests.get(chosen.name) ?? []), test]);
  }
  return { tests, notes };
}

function isForTool({ tool }: JsonObject, called: string): boolean {
  return [tool]
    .flat()
    .some(
      (one) =>
        one === called || (typeof one === "string" && one.includes("*") && matchesWildcard(one, called)),
    );
}

function matches({ pattern, flags, field }: JsonObject, input: JsonObject): boolean {
  if (typeof pattern !== "string") return false;
  const compiled = compilePattern(pattern, typeof flags === "string" ? flags : undefined);
  const fields = typeof field === "string" ? [field] : ["command", "url", "file_path", "path"];
  return fields.some((name) => {
    const text = input[name];
    return typeof text === "string" && compiled.ok && compiled.pattern.test(text) === true;
  });
}
