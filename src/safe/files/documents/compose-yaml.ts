/** The YAML reader under our limits: what is too deep, too large or wrong ends it early. */
import {
  Composer,
  type Document,
  type ErrorCode,
  isCollection,
  isPair,
  isScalar,
  Lexer,
  type ParsedNode,
  Parser,
} from "yaml";
import { explainYamlError, plainYamlError, type YamlError } from "./yaml-error.ts";

export type Composed =
  | { readonly ok: true; readonly root: ParsedNode | null }
  | {
      readonly ok: false;
      readonly offset: number;
      readonly message: string;
      /** Without a word of the text. */
      readonly plain: string;
    };

interface Limits {
  readonly maxDepth: number;
  readonly maxTokens: number;
}

export function composeYaml(text: string, limits: Limits): Composed {
  try {
    return composeAll(text, limits);
  } catch (error) {
    if (error instanceof TooManyErrors) return stopAt(error.first, text);
    throw error;
  }
}

/** The parser is fed token by token, so that it can be left at any of them. */
function composeAll(text: string, { maxDepth, maxTokens }: Limits): Composed {
  const parser = new Parser();
  const composer = new Composer({
    version: "1.2",
    schema: "core",
    merge: false,
    resolveKnownTags: false,
    // It compares each key with all before: minutes for a hundred thousand. `toValue` uses a set.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
  });
  endAfterErrors(composer);
  const documents: Document.Parsed[] = [];
  let tokens = 0;
  let strays = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      if (token.type === "directive" && !/^%YAML 1\.2\s*$/.test(token.source))
        return stop(
          token.offset,
          `The directive ${JSON.stringify(token.source.slice(0, 40))} is not accepted; remove the line.`,
          "A directive is not accepted; remove the line.",
        );
      if (token.type === "error" && ++strays > maxErrors) continue;
      documents.push(...composer.next(token));
      const [, second] = documents;
      if (second !== undefined) return stop(second.range[0], moreThanOne);
    }
    // Documents, pairs and scalars are on the stack too.
    if (parser.stack.length > maxDepth * 3)
      return stop(parser.offset, `The file is nested deeper than ${maxDepth} levels.`);
    if (++tokens > maxTokens)
      return stop(parser.offset, "The file holds too many parts; split it into several files.");
  }
  for (const token of parser.end()) documents.push(...composer.next(token));
  documents.push(...composer.end(true, text.length));
  const [first, second] = documents;
  if (second !== undefined) return stop(second.range[0], moreThanOne);
  const error = first?.errors[0];
  if (error !== undefined) {
    // An unclosed quote takes the rest of the file with it: its author must see where it starts.
    const isOpenQuote = /^Missing closing ['"]/.test(error.message);
    const start = isOpenQuote ? lastScalarOffset(first?.contents) : undefined;
    return stopAt(error, text, start);
  }
  return { ok: true, root: first?.contents ?? null };
}

/** One is told; a file made of errors would otherwise become a million of them. */
const maxErrors = 20;

class TooManyErrors extends Error {
  readonly first: YamlError;

  constructor(first: YamlError) {
    super();
    this.first = first;
  }
}

/** The reader cannot be stopped. Should its inside change, such files become slow, and nothing else. */
function endAfterErrors(composer: Composer): void {
  const onError: unknown = Reflect.get(composer, "onError");
  if (typeof onError !== "function") return;
  let first: YamlError | undefined;
  let errors = 0;
  Reflect.set(composer, "onError", (...told: [number | ErrorSource, ErrorCode, string, boolean?]) => {
    Reflect.apply(onError, composer, told);
    const [source, code, message, isWarning] = told;
    if (isWarning === true) return;
    const offset = typeof source === "number" ? source : "offset" in source ? source.offset : source[0];
    first ??= { code, message, pos: [offset] };
    if (++errors > maxErrors) throw new TooManyErrors(first);
  });
}

type ErrorSource = readonly [number, ...number[]] | { readonly offset: number };

const moreThanOne = 'The file holds more than one YAML document; keep one and remove the "---" line.';

function lastScalarOffset(root: ParsedNode | null | undefined): number | undefined {
  let node: unknown = root;
  while (isCollection(node)) {
    const last: unknown = node.items.at(-1);
    node = isPair(last) ? (last.value ?? last.key) : last;
  }
  return isScalar(node) ? node.range?.[0] : undefined;
}

function stop(offset: number, message: string, plain = message): Composed {
  return { ok: false, offset, message, plain };
}

function stopAt(error: YamlError, text: string, offset: number = error.pos[0]): Composed {
  return stop(offset, explainYamlError(error, text), plainYamlError(error));
}
