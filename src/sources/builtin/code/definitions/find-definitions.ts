/** Finds definitions in a text. Runs in its own process: a grammar can be made to hang or eat memory. */
import { readFile } from "node:fs/promises";
import treeSitter from "@vscode/tree-sitter-wasm";
import { type Found, type FoundDefinition, nestDefinitions } from "./nest-definitions.ts";

export interface Source {
  readonly grammar: string;
  readonly query: string;
  readonly text: string;
  /** The parser is asked to give up after this time; whether it does is up to it. */
  readonly maxMs: number;
}

export interface FoundDefinitions {
  readonly definitions: readonly FoundDefinition[];
  /** The text does not follow the grammar everywhere: something may be missing. */
  readonly hasErrors: boolean;
  /** Nothing was found because it took too long. */
  readonly gaveUp: boolean;
}

/** 384 MB: a text of a megabyte needs a third of it, a made-up one all there is. */
const maxPages = 6 * 1024;
const startPages = 512;
const maxMatches = 20_000;

export async function run({ grammar, query, text, maxMs }: Source): Promise<FoundDefinitions> {
  const { language, compiled } = await load(grammar, query);
  const parser = new treeSitter.Parser();
  try {
    parser.setLanguage(language);
    const deadline = performance.now() + maxMs;
    const isLate = () => performance.now() > deadline;
    const tree = parser.parse(text, null, { progressCallback: isLate });
    if (tree === null) return { definitions: [], hasErrors: true, gaveUp: true };
    const matches = compiled.matches(tree.rootNode, { matchLimit: 4_096, progressCallback: isLate });
    const found = matches.slice(0, maxMatches).flatMap(({ captures }) => readMatch(captures, text));
    const result = {
      definitions: nestDefinitions(found),
      hasErrors: tree.rootNode.hasError,
      gaveUp: isLate(),
    };
    tree.delete();
    return result;
  } finally {
    parser.delete();
  }
}

interface Loaded {
  readonly language: treeSitter.Language;
  readonly compiled: treeSitter.Query;
}

let started: Promise<void> | undefined;
const loaded = new Map<string, Promise<Loaded>>();

function load(grammar: string, query: string): Promise<Loaded> {
  let one = loaded.get(grammar);
  if (one === undefined) {
    one = loadNow(grammar, query);
    loaded.set(grammar, one);
  }
  return one;
}

async function loadNow(grammar: string, query: string): Promise<Loaded> {
  started ??= start();
  await started;
  const folder = new URL(".", import.meta.resolve("@vscode/tree-sitter-wasm"));
  const bytes = await readFile(new URL(`tree-sitter-${grammar}.wasm`, folder));
  const language = await treeSitter.Language.load(new Uint8Array(bytes));
  return { language, compiled: new treeSitter.Query(language, query) };
}

function start(): Promise<void> {
  const { WebAssembly } = globalThis as typeof globalThis & WithMemory;
  const wasmMemory = new WebAssembly.Memory({ initial: startPages, maximum: maxPages });
  const options: unknown = { wasmMemory };
  return treeSitter.Parser.init(options as Parameters<typeof treeSitter.Parser.init>[0]);
}

interface WithMemory {
  readonly WebAssembly: {
    readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => object;
  };
}

const maxName = 200;

function readMatch(captures: readonly treeSitter.QueryCapture[], text: string): Found[] {
  const name = captures.find((capture) => capture.name === "name")?.node;
  const whole = captures.find(({ name: role }) => role !== "name" && role !== "object");
  if (name === undefined || whole === undefined) return [];
  const { node, name: kind } = whole;
  const { startPosition, endPosition } = node;
  // A node that ends at the first column of a line does not stand on that line.
  const endRow =
    endPosition.column === 0 && endPosition.row > startPosition.row ? endPosition.row - 1 : endPosition.row;
  return [
    {
      name: text.slice(name.startIndex, Math.min(name.endIndex, name.startIndex + maxName)),
      nameAt: name.startIndex,
      kind,
      start: node.startIndex,
      end: node.endIndex,
      line: startPosition.row + 1,
      endLine: endRow + 1,
      signature: lineAround(text, name.startIndex, node),
    },
  ];
}

const maxBefore = 200;
const maxAfter = 200;

/** The line that holds the name, without the bracket that opens the body; of a shared line only this part. */
function lineAround(
  text: string,
  at: number,
  node: { readonly startIndex: number; readonly endIndex: number },
) {
  const before = text.slice(Math.max(0, at - maxBefore), at);
  const lineAt = at - before.length + before.lastIndexOf("\n") + 1;
  const isAlone = node.startIndex <= lineAt || onlyModifiers.test(text.slice(lineAt, node.startIndex));
  const from = isAlone ? lineAt : node.startIndex;
  const part = text.slice(from, Math.min(node.endIndex, at + maxAfter));
  const line = (part.split(/[\r\n]/, 1)[0] ?? "").trim();
  const isCut = line.length === part.trim().length && node.endIndex > at + maxAfter;
  return isCut ? `${line}…` : line.replace(/\s*(?:=>\s*)?[{:]$/, "");
}

/** `export const`, `public static`, `template <typename T>`: part of a definition, though before its node. */
const onlyModifiers = /^[\w\s<>,]*$/;
