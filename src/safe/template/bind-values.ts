/** Fills a compiled template: checks each value, drops words of absent ones, lists arguments for sh. */

import { type RenderedParts, renderLine, renderScript } from "./render.ts";
import type { BoundTemplate, TemplateProperties } from "./template-args.ts";
import { holesOf, type TemplateWord } from "./words.ts";

const MAX_VALUE_CHARACTERS = 10_000;

export interface TemplateProgram extends RenderedParts {
  /** The arguments of each command, in order. */
  readonly argumentLists: readonly (readonly TemplateWord[])[];
  readonly properties: TemplateProperties;
}

const METACHARACTERS = /[;&|<>$`\\"'*?()[\]{}!#~\n\r]/g;

export function bindValues(
  program: TemplateProgram,
  values: Readonly<Record<string, unknown>>,
): BoundTemplate {
  const given = new Map<string, string>();
  for (const name of program.names) {
    const value = pick(values, name) ?? program.properties[name]?.default ?? undefined;
    if (value === undefined) {
      if (program.properties[name]?.required) return refuse(`${quoted(name)} is required; give it a value.`);
      continue;
    }
    const text = toText(name, value);
    if (!text.ok) return text;
    given.set(name, text.text);
  }
  const dropped: TemplateWord[] = [];
  for (const list of program.argumentLists) {
    const tail = findDropped(list, given);
    if (!tail.ok) return tail;
    dropped.push(...tail.words);
    for (const word of list) {
      const dash = findDash(word, given, program.properties);
      if (dash !== undefined) return refuse(dash);
    }
  }
  return {
    ok: true,
    command: "sh",
    args: [
      "-c",
      renderScript(program, dropped),
      "toolgate",
      ...program.names.map((name) => given.get(name) ?? ""),
    ],
    line: renderLine(program, dropped, given),
    warnings: [...given].flatMap(([name, text]) => warn(name, text)),
  };
}

/**
 * A default that no call could use is an error of the template, so it is said when the template is loaded.
 */
export function findWrongDefaults(names: readonly string[], properties: TemplateProperties): string[] {
  return names.flatMap((name) => {
    const property = properties[name];
    if (property?.default === undefined || property.default === null) return [];
    const text = toText(name, property.default);
    return text.ok ? [] : [`The default does not fit: ${text.message}`];
  });
}

function toText(name: string, value: unknown): { ok: true; text: string } | { ok: false; message: string } {
  const isPlain =
    typeof value === "string" ||
    typeof value === "boolean" ||
    (typeof value === "number" && Number.isFinite(value));
  if (!isPlain)
    return refuse(`${quoted(name)} must be text, a number or true/false to be an argument of a command.`);
  const text = String(value);
  if (text.includes("\0"))
    return refuse(`${quoted(name)} holds a NUL character, which no program can receive.`);
  if (text.length > MAX_VALUE_CHARACTERS) {
    return refuse(`${quoted(name)} has ${text.length} characters; the limit is ${MAX_VALUE_CHARACTERS}.`);
  }
  if (!text.isWellFormed())
    return refuse(`${quoted(name)} holds half of a surrogate pair, which is not a character.`);
  return { ok: true, text };
}

/** Only the last words may go: without one in the middle the others would change their meaning. */
function findDropped(
  list: readonly TemplateWord[],
  given: ReadonlyMap<string, string>,
): { ok: true; words: readonly TemplateWord[] } | { ok: false; message: string } {
  const first = list.findIndex((word) => absentIn(word, given) !== undefined);
  if (first === -1) return { ok: true, words: [] };
  for (const word of list.slice(first)) {
    const missing = absentIn(list[first]!, given)!;
    const hasValue = holesOf(word).some((hole) => given.has(hole.placeholder.name));
    if (absentIn(word, given) === undefined || hasValue) {
      return refuse(
        `${quoted(missing)} is missing; it can only be left out together with everything after it. Give it a value.`,
      );
    }
  }
  return { ok: true, words: list.slice(first) };
}

function absentIn(word: TemplateWord, given: ReadonlyMap<string, string>): string | undefined {
  return holesOf(word).find((hole) => !given.has(hole.placeholder.name))?.placeholder.name;
}

/** The first thing in the word decides whether it is an option; empty pieces hide no dash. */
function findDash(
  word: TemplateWord,
  given: ReadonlyMap<string, string>,
  properties: TemplateProperties,
): string | undefined {
  let before = "";
  for (const piece of word.pieces) {
    if (piece.kind === "unknown" && !piece.mayBeEmpty) return undefined;
    if (piece.kind === "text") before += piece.text;
    if (piece.kind !== "hole") continue;
    const { name } = piece.hole.placeholder;
    const value = given.get(name) ?? "";
    if (value === "" || properties[name]?.allowDash) {
      before += value;
      continue;
    }
    if (before === "" && value.startsWith("-")) {
      return `${quoted(name)} starts with "-" and would be read as an option. Leave the dash out (for a file: ./${"-name"}); the tool's author can set allowDash.`;
    }
    if (before === "-" && !/^\d+$/.test(value)) {
      return `${quoted(name)} follows a dash and would choose the option; only digits are taken there unless the tool's author sets allowDash.`;
    }
    before += value;
  }
  return undefined;
}

function warn(name: string, text: string): string[] {
  const found = [...new Set(text.match(METACHARACTERS) ?? [])].map((character) =>
    JSON.stringify(character).slice(1, -1),
  );
  if (found.length === 0) return [];
  return [
    `${quoted(name)} holds shell metacharacters (${found.join(" ")}); it was passed as one argument and not interpreted.`,
  ];
}

/** Own properties only: `constructor` is a name like any other. */
function pick(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

function quoted(name: string): string {
  return `The argument ${JSON.stringify(name)}`;
}

function refuse(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message };
}
