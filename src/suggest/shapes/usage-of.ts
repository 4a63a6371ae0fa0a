/** The least general usage that covers commands of one kind (`keyOf`): what was seen, and a type only where enough was seen. */
import { type OperandType, parseUsage } from "../../rules/conditions/usage.ts";
import type { CommandShape, ShapedOption } from "./command-shape.ts";

export interface SeenCommand {
  readonly shape: CommandShape;
  /** How many approved calls held it. */
  readonly times: number;
}

export interface Generality {
  /** False: only values that were seen. */
  readonly typed: boolean;
  /** Options that were denied. */
  readonly without: ReadonlySet<string>;
}

/** So many different values of one place must have been seen before a type stands for them. */
export const leastValues = 3;
const leastCoverage = 0.9;
const mostAlternatives = 24;

/** Undefined: no usage says enough of it. */
export function usageOf(seen: readonly SeenCommand[], { typed, without }: Generality): string | undefined {
  const wanted = seen.filter(({ shape }) => !shape.options.some(({ name }) => without.has(name)));
  const [first] = wanted;
  if (first === undefined) return undefined;
  const usual = withoutRare(wanted);
  const options = optionsOf(usual, typed);
  const usage = [...first.shape.known.words, ...options, ...operandsOf(usual, typed)].join(" ");
  const parsed = parseUsage(usage);
  if (typeof parsed === "string") return undefined;
  const covered = sum(wanted.filter(({ shape }) => parsed.matches(shape.argv)));
  return covered >= leastCoverage * sum(wanted) ? usage : undefined;
}

/** What was seen once is left out where the rest is nearly all. */
function withoutRare(seen: readonly SeenCommand[]): readonly SeenCommand[] {
  const usual = seen.filter(({ times }) => times > 1);
  return sum(usual) >= leastCoverage * sum(seen) ? usual : seen;
}

function sum(seen: readonly SeenCommand[]): number {
  return seen.reduce((total, { times }) => total + times, 0);
}

interface SeenOption {
  readonly option: ShapedOption;
  readonly values: Set<string>;
  readonly shapes: Set<CommandShape>;
}

function optionsOf(seen: readonly SeenCommand[], typed: boolean): string[] {
  const found = new Map<string, SeenOption>();
  for (const { shape } of seen)
    for (const option of shape.options) {
      const key = `${option.name} ${option.form}`;
      const known = found.get(key) ?? { option, values: new Set<string>(), shapes: new Set() };
      known.shapes.add(shape);
      if (option.value !== undefined) known.values.add(option.value);
      found.set(key, known);
    }
  const types = seen[0]?.shape.known.values;
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, { option, values, shapes }]) => {
      // `ruff format --check` says nothing of `ruff format`.
      const isAlways = seen.every(({ shape }) => shapes.has(shape));
      const [open, close] = isAlways ? ["(", ")"] : ["[", "]"];
      if (option.form === "alone") return [`${open}${option.name}${close}`];
      const type = types?.get(option.name);
      const alternatives = alternativesOf(values, type ?? "pinned", typed);
      const between = option.form === "next" ? " " : option.form === "equals" ? "=" : "";
      if (alternatives.length === 0 || alternatives.length > mostAlternatives) return [];
      const written = alternatives.map((value) =>
        between === " " ? value : `${option.name}${between}${value}`,
      );
      return [`${open}${between === " " ? `${option.name} ` : ""}${written.join("|")}${close}`];
    });
}

function operandsOf(seen: readonly SeenCommand[], typed: boolean): string[] {
  const counts = seen.map(({ shape }) => shape.operands.length);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (most === 0) return [];
  const [first] = seen;
  const kind = first?.shape.known.operands ?? "pinned";
  // Several targets stand as they were seen; calls with others are of another kind.
  if (kind === "pinned" && most > 1) return (first?.shape.operands ?? []).filter(isWritable);
  const values = new Set(seen.flatMap(({ shape }) => shape.operands));
  const alternatives = alternativesOf(values, kind, typed);
  if (alternatives.length === 0 || alternatives.length > mostAlternatives) return [];
  const one = alternatives.join("|");
  if (most === 1) return least === 0 ? [one.endsWith("...") ? `[${one}...]` : `[${one}]`] : [one];
  return least === 0 ? [`[${one}...]`] : [one, `[${one}...]`];
}

function alternativesOf(values: ReadonlySet<string>, type: string, typed: boolean): string[] {
  if (!typed || type === "pinned" || type === "build-folder" || type === "none") return writable(values);
  if (type !== "PATH") return values.size >= leastValues ? [type as OperandType] : writable(values);
  const groups = new Map<string, string[]>();
  for (const value of [...values].sort()) {
    const key = `${topOf(value)} ${extensionOf(value)}`;
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return [...groups.values()].flatMap((group) =>
    group.length < leastValues ? writable(group) : [pathOf(group)],
  );
}

/** `src/PATH.ts` for what all of them have in common. */
function pathOf(paths: readonly string[]): string {
  const folders = paths.map((path) => path.split("/").slice(0, -1));
  const [first = []] = folders;
  let shared = 0;
  while (shared < first.length && folders.every((folder) => folder[shared] === first[shared])) shared++;
  const prefix = first
    .slice(0, shared)
    .map((part) => `${part}/`)
    .join("");
  const type = folders.every((folder) => folder.length === shared) ? "NAME" : "PATH";
  return `${prefix}${type}${sharedEnd(paths)}`;
}

/** `.test.ts` if all end so, else `.ts`. */
export function sharedEnd(paths: readonly string[]): string {
  const bases = paths.map((path) => path.slice(path.lastIndexOf("/") + 1));
  const ends = bases.map((base) => base.slice(base.indexOf(".", 1)));
  const [first = ""] = ends;
  if (bases.every((base) => base.indexOf(".", 1) > 0) && ends.every((end) => end === first)) return first;
  return extensionOf(paths[0] ?? "");
}

function topOf(path: string): string {
  const parts = path.replace(/^\.\//, "").split("/");
  return `${path.startsWith("./")}${parts.length > 1 ? parts[0] : ""}`;
}

export function extensionOf(path: string): string {
  const base = path.slice(path.lastIndexOf("/") + 1);
  const dot = base.lastIndexOf(".");
  return dot > 0 ? base.slice(dot) : "";
}

/** Values that stand for themselves in a usage. */
function writable(values: Iterable<string>): string[] {
  return [...values].filter(isWritable).sort();
}

function isWritable(value: string): boolean {
  return /^[\w.:@+/-]+$/.test(value) && !/(?:NUMBER|HASH|NAME|PATH|TEXT)/.test(value);
}
