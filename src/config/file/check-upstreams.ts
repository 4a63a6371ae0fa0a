/** What no schema can say about upstream servers: good names, a program or an address, real variables. */
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import type { ShapeProblem } from "../../safe/files/documents/check-shape.ts";
import type { Path } from "../../safe/files/documents/read-yaml.ts";
import { explainBadReferences } from "../settings/variables.ts";

const namePattern = /^[a-z0-9][a-z0-9_-]{0,31}$/;

/** Undefined: it can be used. The name stands before `__` in the names of its tools. */
export function explainBadUpstreamName(name: string): string | undefined {
  if (!namePattern.test(name))
    return 'an upstream\'s name is 1 to 32 lower-case letters, digits, "-" and "_", and starts with a letter or digit.';
  // `a__b` with the tool `c` and `a` with the tool `b__c` would be one name.
  if (name.includes("__") || name.endsWith("_"))
    return 'an upstream\'s name must not hold "__" or end with "_": that divides it from the tool\'s name.';
  return undefined;
}

/** For a section that already has the right shape. */
export function checkUpstreams(section: Json | undefined): ShapeProblem[] {
  const problems: ShapeProblem[] = [];
  const problem = (path: Path, part: "key" | "value", reason: string): void => {
    problems.push({ path, part, reason });
  };
  if (section === undefined || !isJsonObject(section)) return problems;
  for (const [name, upstream] of Object.entries(section)) {
    const path = ["upstreams", name];
    const badName = explainBadUpstreamName(name);
    if (badName !== undefined) problem(path, "key", badName);
    checkOne(upstream as JsonObject, path);
  }
  return problems;

  function checkOne(upstream: JsonObject, path: Path): void {
    const says = (key: string) => upstream[key] !== undefined && upstream[key] !== null;
    if (says("command") === says("url")) {
      problem(path, "key", says("url") ? 'takes "command" or "url", not both.' : 'needs "command" or "url".');
      return;
    }
    const [strange, with_] = says("url") ? [ofCommand, "command"] : [ofUrl, "url"];
    for (const key of strange)
      if (says(key)) problem([...path, key], "key", `goes with "${with_}" only; remove it.`);
    checkUrl(upstream.url, [...path, "url"]);
    checkVariables(upstream, path);
    if (says("oauth") && Object.keys((upstream.headers ?? {}) as object).some(isAuthorization))
      problem(
        [...path, "oauth"],
        "key",
        'and a header "Authorization" would be two answers to one question.',
      );
  }

  function checkUrl(url: Json | undefined, path: Path): void {
    // What a variable will say is not known yet.
    if (typeof url !== "string" || url.includes("${")) return;
    const why = explainBadUrl(url);
    if (why !== undefined) problem(path, "value", why);
  }

  function checkVariables(value: Json, path: Path): void {
    if (typeof value === "string") {
      const why = explainBadReferences(value);
      if (why !== undefined) problem(path, "value", why);
    } else if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) checkVariables(one, [...path, index]);
    } else if (isJsonObject(value))
      for (const [key, one] of Object.entries(value)) checkVariables(one, [...path, key]);
  }
}

const ofCommand = ["args", "env", "env_pass", "cwd", "sandbox"];
const ofUrl = ["headers", "oauth"];

function isAuthorization(header: string): boolean {
  return header.toLowerCase() === "authorization";
}

export function explainBadUrl(url: string): string | undefined {
  const address = URL.parse(url);
  if (address === null || !/^https?:$/.test(address.protocol)) return "must be a full http(s) address.";
  if (address.username !== "" || address.password !== "")
    return 'must not hold a user or password; use "headers".';
  return address.hash === "" ? undefined : "must not have a fragment (#...).";
}
