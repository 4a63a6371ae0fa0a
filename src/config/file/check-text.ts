/** Finds texts that look right and are not: invisible characters, and patterns that YAML's quotes changed. */
import { hasInvisible } from "../../core/text/visible.ts";
import { callerNames } from "../../rules/caller-test.ts";
import type { WrittenCaller } from "../../rules/shapes/caller-shape.ts";
import { maxProblems, type ShapeProblem } from "../../safe/files/documents/check-shape.ts";
import type { Path } from "../../safe/files/documents/read-yaml.ts";
import type { WrittenFile } from "./file-schema.ts";
import { rulesIn } from "./written-rules.ts";

/** For a file that already has the right shape. */
export function checkText(file: WrittenFile): ShapeProblem[] {
  const problems: ShapeProblem[] = [];
  const problem = (path: Path, part: "key" | "value", reason: string): void => {
    if (problems.length < maxProblems) problems.push({ path, part, reason, plain: reason });
  };
  for (const { rule, path, name } of Object.values(rulesIn(file)).flat()) {
    // Two names that look the same, or a tool's name that only looks like one.
    if (hasInvisible(name))
      problem(path, "key", "the name holds characters that nobody can see; remove them.");
    checkTools(rule, path);
    if ("caller" in rule) checkCaller(rule.caller, [...path, "caller"]);
    if ("pattern" in rule) checkPattern(rule.pattern, [...path, "pattern"]);
    const conditions = "conditions" in rule ? (rule.conditions ?? []) : [];
    for (const [index, { operator, value }] of conditions.entries()) {
      const at = [...path, "conditions", index, "value"];
      if (operator === "matches") each(value, at, checkPattern);
    }
  }
  const url = file.web?.search?.url;
  if (url !== undefined && !isServiceAddress(url))
    problem(["web", "search", "url"], "value", "must be a full http(s) address, without user or fragment.");
  return problems;

  function checkCaller(caller: WrittenCaller | undefined, path: Path): void {
    if (callerNames(caller).some((name) => hasInvisible(name)))
      problem(path, "value", "holds characters that nobody can see, so it would never match; remove them.");
    if (caller !== undefined && typeof caller === "object" && Object.keys(caller).length === 0)
      problem(path, "value", "is empty; say name, not or right, or leave it out.");
  }

  function checkTools(rule: object, path: Path): void {
    for (const [key, value] of Object.entries(rule)) {
      if (!namesSomething.has(key)) continue;
      each(value, [...path, key], (text, at) => {
        if (typeof text === "string" && hasInvisible(text))
          problem(at, "value", "holds characters that nobody can see, so it would never match; remove them.");
      });
    }
  }

  function checkPattern(pattern: unknown, path: Path): void {
    const why = typeof pattern === "string" ? explainChanged(pattern) : undefined;
    if (why !== undefined) problem(path, "value", why);
  }
}

const namesSomething = new Set(["tool", "tools", "toolPatterns", "field", "category"]);

/** A value, or each of a list of them. */
function each(value: unknown, path: Path, check: (one: unknown, path: Path) => void): void {
  if (!Array.isArray(value)) check(value, path);
  else for (const [index, one] of value.entries()) check(one, [...path, index]);
}

function isServiceAddress(url: string): boolean {
  const { protocol = "", username, hash } = URL.parse(url) ?? {};
  return /^https?:$/.test(protocol) && username === "" && hash === "";
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
