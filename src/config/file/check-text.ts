/** Finds texts that look right and never are: invisible characters in names, and regular expressions that YAML's quotes have changed. */
import { isJsonObject, type Json, type JsonObject } from "../../core/input/json.ts";
import { hasInvisible } from "../../core/text/visible.ts";
import { maxProblems, type ShapeProblem } from "../../safe/files/documents/check-shape.ts";
import type { Path } from "../../safe/files/documents/read-yaml.ts";
import { showPath } from "../../safe/files/documents/shape-words.ts";

/** For a value that already has the right shape. */
export function checkText(file: JsonObject): ShapeProblem[] {
  const problems: ShapeProblem[] = [];
  const problem = (path: Path, part: "key" | "value", reason: string): void => {
    if (problems.length < maxProblems)
      problems.push({ path, part, message: `${showPath(path)}: ${reason}`, reason, plain: reason });
  };
  for (const section of ["routes", "policies", "limits", "hooks"]) {
    for (const { rule, path, name } of rulesIn(file, section)) {
      // Two names that look the same, or a tool's name that only looks like one.
      if (hasInvisible(name))
        problem(path, "key", "the name holds characters that nobody can see; remove them.");
      checkTools(rule, path);
      checkPatterns(rule, path);
    }
  }
  checkAddress(file.web);
  return problems;

  function checkAddress(web: Json | undefined): void {
    const search = isJsonObject(web ?? null) ? (web as JsonObject).search : undefined;
    const { url } = isJsonObject(search ?? null) ? (search as JsonObject) : {};
    if (typeof url !== "string") return;
    const address = URL.parse(url);
    if (
      address === null ||
      !/^https?:$/.test(address.protocol) ||
      address.username !== "" ||
      address.hash !== ""
    )
      problem(["web", "search", "url"], "value", "must be a full http(s) address, without user or fragment.");
  }

  function checkTools(rule: JsonObject, path: Path): void {
    for (const key of ["tool", "tools", "toolPatterns", "field", "category"]) {
      const value = rule[key];
      const names = Array.isArray(value) ? (value as readonly Json[]) : [value];
      for (const [index, name] of names.entries()) {
        if (typeof name === "string" && hasInvisible(name))
          problem(
            Array.isArray(value) ? [...path, key, index] : [...path, key],
            "value",
            "holds characters that nobody can see, so it would never match; remove them.",
          );
      }
    }
  }

  function checkPatterns(rule: JsonObject, path: Path): void {
    checkPattern(rule.pattern, [...path, "pattern"]);
    const conditions = Array.isArray(rule.conditions) ? (rule.conditions as readonly JsonObject[]) : [];
    for (const [index, { operator, value }] of conditions.entries()) {
      if (operator !== "matches") continue;
      const at = [...path, "conditions", index, "value"];
      if (Array.isArray(value)) for (const [item, one] of value.entries()) checkPattern(one, [...at, item]);
      else checkPattern(value, at);
    }
  }

  function checkPattern(pattern: Json | undefined, path: Path): void {
    const why = typeof pattern === "string" ? explainChanged(pattern) : undefined;
    if (why !== undefined) problem(path, "value", why);
  }
}

function explainChanged(pattern: string): string | undefined {
  // Such a character can only come from an escape in double quotes: the file itself may not hold it.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what "\b" and the like become
  const found = /[\0\x07\x08\x1b]/.exec(pattern)?.[0];
  if (found !== undefined) {
    const written = { "\0": "\\0", "\x07": "\\a", "\b": "\\b", "\x1b": "\\e" }[found];
    return `${written} inside double quotes is a control character, not what it means in a regular expression. Use single quotes, or double the backslash.`;
  }
  if (/^[^\n]+\n$/.test(pattern))
    return 'ends with a line break, as every block that starts with "|" does, and the break is part of the pattern. Use "|-", or write \\n in single quotes.';
  return undefined;
}

export interface WrittenRule {
  readonly name: string;
  readonly rule: JsonObject;
  readonly path: Path;
}

/** The rules of a section, whether it is a mapping or a list of objects with names. Those of hooks lie one level deeper. */
export function rulesIn(file: JsonObject, section: string): WrittenRule[] {
  if (section === "hooks") {
    const commands = rulesIn((file.hooks ?? {}) as JsonObject, "commands");
    return commands.map((one) => ({ ...one, path: ["hooks", ...one.path] }));
  }
  const written = Object.hasOwn(file, section) ? file[section] : undefined;
  if (Array.isArray(written)) {
    return (written as readonly JsonObject[]).map((rule, index) => ({
      name: String(rule.name),
      rule,
      path: [section, index],
    }));
  }
  return Object.entries((written ?? {}) as JsonObject).map(([name, rule]) => ({
    name,
    rule: rule as JsonObject,
    path: [section, name],
  }));
}
