/** The words for what a file should hold and what it holds instead. */
import type { Json } from "../../../core/input/json.ts";
import { visible } from "../../../core/text/visible.ts";
import { closestNames } from "../../../core/tool/tool-name.ts";
import type { Path } from "./read-yaml.ts";
import type { SchemaType } from "./schema-part.ts";

const typeWords: Record<SchemaType, string> = {
  object: "a mapping (key: value)",
  array: "a list",
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  null: "nothing",
};

export function describeTypes(types: readonly SchemaType[]): string {
  return inWords([...new Set(types.filter((type) => type !== "null").map((type) => typeWords[type]))], "or");
}

/** `"x"`, `the number 3`, `a list`, `nothing`. */
export function describe(value: Json): string {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  return typeof value === "number"
    ? `the number ${value}`
    : typeof value === "boolean"
      ? `${value}`
      : quoted(value);
}

function quoted(value: string): string {
  return `"${visible(value, { maxLength: 80 })}"`;
}

export function hintFor(types: readonly SchemaType[], value: Json): string {
  const wantsText = types.includes("string");
  if (wantsText && (typeof value === "number" || typeof value === "boolean")) return "; put it in quotes.";
  if (wantsText && value !== null && typeof value === "object")
    return "; if it is meant as text, put it in single quotes.";
  if (types.includes("object") && Array.isArray(value))
    return '; give each entry a name of its own instead of "- ".';
  if (
    (types.includes("number") || types.includes("integer")) &&
    typeof value === "string" &&
    value.trim() !== "" &&
    !Number.isNaN(Number(value))
  )
    return "; remove the quotes.";
  if (types.includes("boolean") && typeof value === "string" && /^(?:yes|no|on|off|true|false)$/i.test(value))
    return "; write true or false, without quotes.";
  return ".";
}

export function expectedChoice(choices: readonly (string | number)[], given: Json): string {
  const expected = choices.length === 1 ? `${choices[0]}` : `one of ${choices.join(", ")}`;
  const close = typeof given === "string" ? meantChoice(given, choices.map(String)) : undefined;
  return `expected ${expected}, received ${describe(given)}${close === undefined ? "." : `; did you mean ${close}?`}`;
}

/** Routes block and allow, policies deny and approve: everybody mixes them up. */
const sameMeaning = [
  ["block", "deny"],
  ["allow", "approve"],
];

function meantChoice(given: string, choices: readonly string[]): string | undefined {
  const words = sameMeaning.find((pair) => pair.includes(given.toLowerCase())) ?? [];
  return choices.find((one) => words.includes(one)) ?? closestNames(given, choices, 1)[0];
}

export function listHint(written: string): string {
  const names = written.split(/[\s,|]+/).filter(Boolean);
  return names.length > 1
    ? `; write several as a list: [${visible(names.join(", "), { maxLength: 80 })}]`
    : ".";
}

export function inWords(words: readonly string[], joint: "and" | "or"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${joint} ${words.at(-1)}`;
}

/** `routes.github-pr.tests[0].expect` */
export function showPath(path: Path): string {
  return path.reduce<string>((shown, step) => {
    if (typeof step === "number") return `${shown}[${step}]`;
    const plain = /^[\w$@/-]{1,64}$/.test(step);
    if (!plain) return `${shown}[${quoted(step)}]`;
    return shown === "" ? step : `${shown}.${step}`;
  }, "");
}
