/** What a permission about commands becomes: words as the shell's judge reads them, and the text as written. */
import {
  asWritten,
  type CommandText,
  canBeBounded,
  inOneCommand,
  inWords,
  isPlain,
  leadingWords,
  meansEverything,
  plainWords,
  toSource,
} from "../../../../agents/permissions/command-text.ts";
import type { OwnRule } from "../../../../agents/permissions/own-rule.ts";
import type { JsonObject } from "../../../../core/input/json.ts";
import type { PieceTest, PolicyPiece } from "./policy-piece.ts";

/** Which fields of a call hold the text of a command. */
export type TextFields = readonly string[];

type CommandRule = OwnRule & { readonly about: { readonly kind: "commands" } };

export interface CommandPieces {
  readonly pieces: readonly PolicyPiece[];
  /** Why it stops more than it did, or why nothing is made of it. */
  readonly wider?: string;
  readonly left?: string;
}

/**
 * Other programs compare text. What is approved by its words must not be more than they approved by its text:
 * plain commands one after the other, with nothing in front of a program and nothing redirected or expanded.
 */
const starters =
  "timeout|nice|ionice|time|nohup|stdbuf|command|builtin|exec|coproc|if|then|else|elif|while|until|do|for|case|select|function|!";
const plainLine: JsonObject = {
  type: "argument",
  field: "command",
  operator: "matches",
  value: `^(?![\\s\\S]*(?:^|[;&|\\n])\\s*(?:\\w+\\+?=|(?:${starters})(?:\\s|$)))[^<>()\`$\\\\{}]*$`,
};

export function commandPieces(
  rule: CommandRule,
  reason: string | undefined,
  fields: TextFields,
): CommandPieces {
  return rule.permit === "allow" ? approving(rule) : stopping(rule, reason, fields);
}

const byWords = (operator: string): JsonObject => ({ type: "command", operator });

function approving({ about: { text }, examples = [] }: CommandRule): CommandPieces {
  const base = { tools: ["Bash"], action: "approve" as const };
  const also = [plainLine];
  if (text === undefined || meansEverything(text)) {
    const tests = [...examples, "git status"].map((line) => shellTest(line, "allow"));
    return { pieces: [{ ...base, slot: "allow-plain-lines", also, tests }] };
  }
  const tests = [...examples, ...samplesOf(text)].map((line) => shellTest(line, "allow"));
  const words = plainWords(text);
  if (words !== undefined) {
    const condition = byWords(words.whole ? "equals" : "startsWith");
    const slot = words.whole ? "allow-exact-commands" : "allow-commands";
    return { pieces: [{ ...base, slot, condition, value: words.words.join(" "), also, tests }] };
  }
  if (!isPlain(text)) return { pieces: [], left: "it compares characters that mean something to a shell" };
  const value = anchored(text, []);
  return {
    pieces: [{ ...base, slot: "allow-command-patterns", condition: byWords("matches"), value, also, tests }],
  };
}

function stopping(rule: CommandRule, reason: string | undefined, fields: TextFields): CommandPieces {
  const { text, except = [] } = rule.about;
  const { permit } = rule;
  const action = permit === "deny" ? "deny" : "ask";
  const expect = permit === "deny" ? "block" : "ask";
  const base = { tools: ["Bash"], action, ...(reason !== undefined && { reason }) } as const;
  const certain = except.filter((one) => isPlain(one) && canBeBounded(one));
  const isAll = text === undefined || meansEverything(text);
  const examples = [...(rule.examples ?? []), ...(isAll ? [] : samplesOf(text))];
  const tests = examples.map((line) => shellTest(line, expect));
  const passing = [...(rule.counterexamples ?? []), ...certain.flatMap(samplesOf)].map((line) =>
    shellTest(line, "allow"),
  );
  const lost =
    certain.length < except.length
      ? "an exception compares characters that mean something to a shell, and is none now"
      : undefined;
  if (isAll && certain.length === 0)
    return {
      pieces: [{ ...base, slot: `${permit}-tools`, tests: [shellTest("git status", expect)] }],
      ...(lost && { wider: lost }),
    };
  const asText = (value: string) => textPieces({ ...base, slot: `${permit}-text` }, value, fields);
  if (isAll) {
    const value = `^(?!(?:${certain.map((one) => toSource(one, inWords)).join("|")})$)`;
    const judged = {
      ...base,
      slot: `${permit}-commands-but`,
      condition: byWords("matches"),
      value,
      tests: [...tests, ...passing],
    };
    return { pieces: [judged, ...asText(`^(?!${chainOf(certain)}$)`)], ...(lost && { wider: lost }) };
  }
  const written = asText(writtenAs(text, certain));
  const words = plainWords(text);
  if (words !== undefined && certain.length === 0) {
    const condition = byWords(words.whole ? "equals" : "startsWith");
    const slot = words.whole ? `${permit}-exact-commands` : `${permit}-commands`;
    return {
      pieces: [
        { ...base, slot, condition, value: words.words.join(" "), tests: [...tests, ...passing] },
        ...written,
      ],
      ...(lost && { wider: lost }),
    };
  }
  if (isPlain(text)) {
    const judged = {
      ...base,
      slot: `${permit}-command-patterns`,
      condition: byWords("matches"),
      value: anchored(withBareProgram(text), certain),
      tests: [...tests, ...passing],
    };
    return { pieces: [judged, ...written], ...(lost && { wider: lost }) };
  }
  const head = leadingWords(text);
  if (head.length === 0)
    return {
      pieces: [{ ...base, slot: `${permit}-tools` }],
      wider: "it compares characters that mean something to a shell; every command is meant now",
    };
  const wide = {
    ...base,
    slot: `${permit}-commands`,
    condition: byWords("startsWith"),
    value: head.join(" "),
    tests,
  };
  return {
    pieces: [wide, ...written],
    wider: `it compares characters that mean something to a shell; every ${head.join(" ")} is meant now`,
  };
}

/** The judge compares programs without their folder where it stops them. */
function withBareProgram(text: CommandText): CommandText {
  if ("regex" in text) return text;
  const [first, ...more] = text.parts;
  if (typeof first !== "string") return text;
  return { parts: [first.replace(/^\S*\/(?=\S)/, ""), ...more] };
}

function anchored(text: CommandText, except: readonly CommandText[]): string {
  const without =
    except.length === 0 ? "" : `(?!(?:${except.map((one) => toSource(one, inWords)).join("|")})$)`;
  return `^${without}${toSource(text, inWords)}$`;
}

/** As the line is written, for what the judge reads otherwise: variables in front, redirects, what is unclear. */
function writtenAs(text: CommandText, except: readonly CommandText[]): string {
  if ("regex" in text) return `^\\s*(?:${text.regex.replace(/^\^/, "")})`;
  const [first] = text.parts;
  const last = text.parts.at(-1);
  // What may follow need not be looked at.
  const isOpen = typeof last !== "string" && last?.wild !== "one";
  const body = { parts: isOpen ? text.parts.slice(0, -1) : text.parts };
  const end = typeof last === "string" ? "(?![\\w-])" : last?.wild === "rest" ? "(?:\\s|$)" : "";
  if (typeof first !== "string") {
    const from = body.parts.findIndex((part) => typeof part === "string");
    return from === -1 ? "" : `${toSource({ parts: body.parts.slice(from) }, asWritten)}${end}`;
  }
  const without =
    except.length === 0 ? "" : `(?!(?:${except.map((one) => toSource(one, asWritten)).join("|")})$)`;
  // A program in a folder is known to the judge by its name only.
  const start = first.split(/\s/, 1)[0]?.includes("/") === true ? "(?:^|[;&|(\\n])\\s*" : "^\\s*";
  return `${start}${without}${toSource(body, asWritten)}${end}`;
}

/** Nothing but these commands, one after the other. */
function chainOf(texts: readonly CommandText[]): string {
  const one = `(?:${texts.map((text) => toSource(text, inOneCommand)).join("|")})`;
  return `\\s*${one}(?:[ \\t]*(?:&&|\\|\\||[;|\\n])[ \\t]*${one})*[\\s;]*`;
}

function textPieces(
  base: Omit<PolicyPiece, "condition" | "value">,
  value: string,
  fields: TextFields,
): PolicyPiece[] {
  if (value === "") return [];
  return fields.map((field) => ({
    ...base,
    condition: { type: "argument", field, operator: "matches" },
    value,
  }));
}

export function writtenText(
  permit: "ask" | "deny",
  source: string,
  reason: string | undefined,
  fields: TextFields,
): PolicyPiece[] {
  const base = {
    slot: `${permit}-text`,
    tools: ["Bash"],
    action: permit,
    ...(reason !== undefined && { reason }),
  };
  return textPieces(base, source, fields);
}

/** A command that is meant, if one is certain. */
function samplesOf(text: CommandText): string[] {
  if ("regex" in text) return [];
  const sample = text.parts.map((part) =>
    typeof part === "string" ? part : part.wild === "rest" ? "" : "x",
  );
  return [sample.join("").trim()];
}

function shellTest(command: string, expect: PieceTest["expect"]): PieceTest {
  return { tool: "Bash", input: { command }, expect };
}
