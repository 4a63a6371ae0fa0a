/** Rule files that nobody vouches for: what those of one place may cost, counted before anything is built. */
import { patternNames } from "../../core/tool/tool-pattern.ts";
import { callerNames } from "../../rules/caller-test.ts";
import { patternsIn } from "../../rules/rule-set.ts";
import type { YamlLimits } from "../../safe/files/documents/read-yaml.ts";
import { readPattern } from "../../safe/regex/pattern-syntax.ts";
import type { ConfigProblem } from "../config-problem.ts";
import { type ParsedFile, parseConfigFile } from "../file/parse-file.ts";
import type { Ignored } from "../loaded-config.ts";
import { narrow } from "./narrow.ts";

/** Ten times what the largest rule files of real projects need. A file that needs more needs trust. */
export const strangerBudget = {
  /** Of all files together. */
  bytes: 256 * 1024,
  yaml: { maxBytes: 256 * 1024, maxDepth: 32, maxValues: 30_000, maxTokens: 150_000 } satisfies YamlLimits,
  patterns: 500,
  /** Names of tools in all rules; a rule counts at least once. Each is compared with every called tool. */
  names: 1_000,
  /** Characters and classes of all patterns, counted repetitions written out. */
  weight: 50_000,
  /** To compile one, and to compile all, measured in a process of its own. */
  patternMs: 20,
  totalMs: 500,
  memoryBytes: 48 * 1024 * 1024,
  /** Of wall time, for all of that. */
  timeoutMs: 5_000,
} as const;

export interface StrangerFile {
  readonly file: string;
  readonly kind: "config" | "routes";
  readonly text: string;
  /** Of a project: then it can only make the gate stricter. */
  readonly narrows: boolean;
}

export type ReadStranger =
  | { readonly ok: true; readonly file: ParsedFile; readonly ignored: readonly Ignored[] }
  | {
      readonly ok: false;
      readonly problems: readonly ConfigProblem[];
      /** As in `ParsedConfig`, within the budget. */
      readonly rest?: ParsedFile;
    };

/** Who reads them, and whether the budget holds. */
export interface StrangerReader {
  read(files: readonly StrangerFile[]): Promise<readonly ReadStranger[]>;
  /** For a person who looks at a file to decide on trust, any file that could be trusted can be read. */
  readonly bounded: boolean;
}

/** In this process, for those who serve nobody else. */
export const ownReader: StrangerReader = { bounded: true, read: async (files) => readStrangers(files) };

export const unboundedReader: StrangerReader = {
  bounded: false,
  read: async (files) => files.map((file) => readStranger(file, undefined)),
};

/** In the order of the files. */
export function readStrangers(files: readonly StrangerFile[]): ReadStranger[] {
  const left = {
    bytes: strangerBudget.bytes,
    patterns: strangerBudget.patterns,
    names: strangerBudget.names,
    weight: strangerBudget.weight,
  };
  return files.map((file) => {
    left.bytes -= Buffer.byteLength(file.text);
    return left.bytes < 0 ? tooMuch(file.file, "bytes") : readStranger(file, left);
  });
}

interface Left {
  patterns: number;
  names: number;
  weight: number;
}

function readStranger({ file, kind, text, narrows }: StrangerFile, left: Left | undefined): ReadStranger {
  const limits = left === undefined ? undefined : strangerBudget.yaml;
  const parsed = parseConfigFile(text, file, kind, { limits, discreet: true });
  if (!parsed.ok) {
    const { problems, rest } = parsed;
    if (rest === undefined || (left && spend(rest, left)) !== undefined) return { ok: false, problems };
    return { ok: false, problems, rest: narrows ? narrow(rest, file).file : rest };
  }
  const over = left && spend(parsed.file, left);
  if (over !== undefined) return tooMuch(file, over);
  return narrows ? { ok: true, ...narrow(parsed.file, file) } : { ok: true, file: parsed.file, ignored: [] };
}

/** Undefined: there was enough. */
function spend(file: ParsedFile, left: Left): "patterns" | "names" | "weight" | undefined {
  left.names -= namesIn(file);
  if (left.names < 0) return "names";
  const patterns = patternsIn(file);
  left.patterns -= patterns.length;
  if (left.patterns < 0) return "patterns";
  for (const { source, flags } of patterns) {
    const syntax = readPattern(source, flags);
    left.weight -= syntax.ok ? syntax.shape.weight : 0;
    if (left.weight < 0) return "weight";
  }
  return undefined;
}

function namesIn({ routes, policies, limits }: ParsedFile): number {
  const tools = [
    ...routes.map(({ tool }) => tool),
    ...policies.map((policy) => policy.tools),
    ...limits.map((limit) => limit.tools ?? "*"),
  ];
  const callers = [...routes, ...policies, ...limits].flatMap(({ caller }) => callerNames(caller));
  return tools.reduce((sum, one) => sum + Math.max(1, patternNames(one).length), callers.length);
}

const explained = {
  bytes: `the rule files of one place may have ${strangerBudget.bytes} bytes together`,
  patterns: `the rule files of one place may hold ${strangerBudget.patterns} patterns together`,
  names: `the rules of one place may name ${strangerBudget.names} tools together, and each rule counts`,
  weight: "its patterns repeat too much",
  cost: "compiling its patterns takes too much time or memory",
  reading: "reading it takes too much time or memory",
};

/** The whole file counts as broken: of rules that were meant to narrow, none is left out in silence. */
export function tooMuch(
  file: string,
  what: keyof typeof explained,
): { readonly ok: false; readonly problems: readonly ConfigProblem[] } {
  const message = `It is more than is read from a file that is not trusted: ${explained[what]}. Write less, or look at it and run: toolgate trust`;
  return { ok: false, problems: [{ file, message }] };
}
