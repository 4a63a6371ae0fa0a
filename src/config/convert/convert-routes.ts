/** Turns an old tool-routes.json into YAML of today, with everything said that its author should look at. */
import { isJsonObject, type JsonObject } from "../../core/input/json.ts";
import { shownName } from "../../core/text/visible.ts";
import { explainBadText, placesIn, withoutMark } from "../../safe/files/documents/file-text.ts";
import { findJsonError } from "../../safe/files/documents/json-error.ts";
import { readYaml, YAML_LIMITS } from "../../safe/files/documents/read-yaml.ts";
import { showPath } from "../../safe/files/documents/shape-words.ts";
import type { ConfigProblem } from "../config-problem.ts";
import { configSchema } from "../file/file-schema.ts";
import { parseConfigFile } from "../file/parse-file.ts";
import { writeComment, writeYaml } from "../file/write-yaml.ts";
import { attachFixtures, type OldFixtures } from "./old-fixtures.ts";
import { commentIn, convertRoute } from "./old-route.ts";

export type ConvertedRoutes =
  | { readonly ok: true; readonly yaml: string; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** The fixtures that lay beside the file become tests of its routes. */
export function convertRoutes(
  json: string,
  file: string,
  { fixtures, notes: aboutFixtures }: OldFixtures = { fixtures: [], notes: [] },
): ConvertedRoutes {
  const bad = explainBadText(json, YAML_LIMITS.maxBytes) ?? explainBadJson(json);
  if (bad !== undefined) return { ok: false, problems: [{ file, ...bad }] };
  const read = readYaml(json);
  if (!read.ok) return { ok: false, problems: [{ file, ...read.problem }] };
  const problems: ConfigProblem[] = [];
  const problem = (path: readonly string[], message: string): void => {
    const shown = path.length === 0 ? "" : `${showPath(path)}: `;
    problems.push({ file, ...read.placeOf(path, "key"), message: `${shown}${message}` });
  };
  if (!isJsonObject(read.value)) problem([], 'The file must hold an object with "routes".');
  const old = isJsonObject(read.value) ? read.value : {};
  const routes = Object.hasOwn(old, "routes") ? old.routes : undefined;
  if (problems.length === 0 && !isJsonObject(routes))
    problem(["routes"], "must be an object of routes by name.");

  const notes: string[] = [];
  const made: { comment?: string | undefined; name: string; route: JsonObject }[] = [];
  for (const [name, route] of Object.entries(isJsonObject(routes) ? routes : {})) {
    const converted = isJsonObject(route) ? convertRoute(name, route) : "must be an object.";
    if (typeof converted === "string") {
      problem(["routes", name], converted);
      continue;
    }
    notes.push(...converted.notes);
    for (const [index, one] of converted.routes.entries()) {
      if (made.some((other) => other.name === one.name))
        problem(["routes", name], `there would be two routes named ${shownName(one.name)}.`);
      made.push({ ...one, ...(index === 0 && { comment: converted.comment }) });
    }
  }
  if (problems.length > 0) return { ok: false, problems };
  const attached = attachFixtures(made, fixtures);
  notes.push(...aboutFixtures, ...attached.notes);
  const blocks = made.flatMap(({ comment, name, route }) => {
    const written = indented(writeYaml({ [name]: withTests(route, attached.tests.get(name)) }));
    return comment === undefined ? [written] : [writeComment(comment, "  "), written];
  });
  const yaml = layOut(old, blocks, notes);
  const again = parseConfigFile(yaml, file, "config");
  if (again.ok) return { ok: true, yaml, notes };
  // The places are those of the YAML, which nobody has: the message names the route.
  return { ok: false, problems: again.problems.map(({ message }) => ({ file, message })) };
}

function withTests(route: JsonObject, tests: readonly JsonObject[] = []): JsonObject {
  if (tests.length === 0) return route;
  return { ...route, tests: [...(Array.isArray(route.tests) ? route.tests : []), ...tests] };
}

function layOut(old: JsonObject, routes: readonly string[], notes: string[]): string {
  const comment = commentIn(old);
  const known = Object.keys(configSchema.properties ?? {});
  const others = Object.entries(old).filter(
    ([key]) => key !== "routes" && !["_comment", "comment", "description"].includes(key),
  );
  const left = others.filter(([key]) => !known.includes(key)).map(([key]) => shownName(key));
  if (left.length > 0) notes.push(`left out, because toolgate knows no such key: ${left.join(", ")}.`);
  const kept = Object.fromEntries(others.filter(([key]) => known.includes(key) && key !== "$schema"));
  return [
    ...(comment === undefined ? [] : [`${writeComment(comment)}\n`]),
    ...(Object.keys(kept).length === 0 ? [] : [writeYaml(kept)]),
    routes.length === 0 ? "routes: {}\n" : `routes:\n${joined(routes)}`,
  ].join("\n");
}

/** An empty line between routes, none between a comment and its route. */
function joined(blocks: readonly string[]): string {
  return blocks
    .map((block, index) => (index > 0 && !blocks[index - 1]?.startsWith("  #") ? `\n${block}` : block))
    .map((block) => (block.endsWith("\n") ? block : `${block}\n`))
    .join("");
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}

function explainBadJson(json: string): { line: number; column: number; message: string } | undefined {
  const text = withoutMark(json);
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    const yaml = readYaml(text);
    if (yaml.ok && isJsonObject(yaml.value) && !/^\s*[{[]/.test(text))
      return { line: 1, column: 1, message: "The file is YAML already, not JSON; use it as it is." };
    const { offset, message } = findJsonError(text);
    return { ...placesIn(text)(offset), message: `The file is not valid JSON: ${message}.` };
  }
}
