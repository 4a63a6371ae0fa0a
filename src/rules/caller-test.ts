/** Whether a rule holds for who calls: by name, by pattern, by the rights of the caller's token. */
import type { Caller } from "../core/call/call.ts";
import { isRecord } from "../core/input/json.ts";
import { unknownKeys } from "../core/input/unknown-keys.ts";
import { isRight, rights } from "../core/ports/tokens.ts";
import { matchesWildcard } from "../core/tool/tool-pattern.ts";
import type { WrittenCaller } from "./shapes/caller-shape.ts";

/** Undefined: nobody knows. Then a rule that narrows holds, and one that widens does not. */
export type CallerTest = (caller: Caller) => boolean | undefined;

/** Undefined: for everybody. */
export function compileCaller(written: WrittenCaller | undefined): CallerTest | undefined {
  if (written === undefined) return undefined;
  const said = partsOf(written);
  return ({ id, owner, rights: held }) => {
    const isMeant = (one: string) => isNamed(one, id) || (owner !== undefined && isNamed(one, owner));
    if (said.name !== undefined && !said.name.some(isMeant)) return false;
    if (said.not?.some(isMeant) === true) return false;
    if (said.right === undefined) return true;
    return held === undefined ? undefined : said.right.some((one) => held.includes(one));
  };
}

/** Without a pattern the names are compared as they are; `*` stands for any characters, in linear time. */
function isNamed(name: string, id: string): boolean {
  return name.includes("*") ? matchesWildcard(name, id) : name === id;
}

function partsOf(written: WrittenCaller) {
  if (typeof written === "string" || isList(written)) return { name: [written].flat() };
  const { name, not, right } = written;
  return {
    name: name === undefined ? undefined : [name].flat(),
    not: not === undefined ? undefined : [not].flat(),
    right: right === undefined ? undefined : [right].flat(),
  };
}

function isList(written: object): written is readonly string[] {
  return Array.isArray(written);
}

/** Every name that it holds, for those who count or look at them. */
export function callerNames(written: WrittenCaller | undefined): readonly string[] {
  if (written === undefined) return [];
  const { name = [], not = [] } = partsOf(written);
  return [...name, ...not];
}

/** For rules that somebody made in code, of any form. Undefined: it can be used. */
export function explainBadCaller(written: unknown): string | undefined {
  if (written === undefined || areNames(written)) return undefined;
  if (!isRecord(written) || Array.isArray(written))
    return "caller must be a name, a list of names, or an object.";
  const [unknown] = unknownKeys(written, ["name", "not", "right"]);
  if (unknown !== undefined) return `caller has an unknown key "${unknown.key}"; ${unknown.instead}`;
  const { name, not, right } = written;
  if (name === undefined && not === undefined && right === undefined)
    return "caller is empty; say name, not or right, or leave it out.";
  if (![name, not].every((one) => one === undefined || areNames(one)))
    return "caller takes a name or a list of names for name and not.";
  const wanted: readonly unknown[] = right === undefined ? [] : [right].flat();
  if (!wanted.every(isRight) || (Array.isArray(right) && right.length === 0))
    return `caller takes one or several of ${rights.join(", ")} for right.`;
  return undefined;
}

function areNames(value: unknown): boolean {
  const all: readonly unknown[] = [value].flat();
  return all.length > 0 && all.every((one) => typeof one === "string" && one !== "");
}
