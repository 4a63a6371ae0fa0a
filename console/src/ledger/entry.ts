/** A record as rows and details read it: the body is whatever was recorded then. */
import type { LedgerEntry, RuleRef } from "toolgate/contract";

export interface EntryFacts {
  readonly verdict: string;
  readonly caller: string | undefined;
  readonly session: string | undefined;
  readonly summary: string;
  readonly durationMs: number | undefined;
  readonly rule: RuleRef | undefined;
  readonly message: string | undefined;
}

export function factsOf({ kind, body, tool }: LedgerEntry): EntryFacts {
  const text = (name: string) => (typeof body[name] === "string" ? body[name] : undefined);
  return {
    verdict: verdictOf(kind, body),
    caller: text("caller"),
    session: text("sessionId"),
    summary: summaryOf(body, tool),
    durationMs: typeof body.durationMs === "number" ? body.durationMs : undefined,
    rule: isObject(body.rule) ? (body.rule as unknown as RuleRef) : undefined,
    message: text("message"),
  };
}

function verdictOf(kind: string, body: LedgerEntry["body"]): string {
  if (kind === "intent") return "running";
  if (kind === "unknown" || kind === "note") return kind;
  const verdict = typeof body.verdict === "string" ? body.verdict : kind;
  return verdict === "allow" && body.ok === false ? "failed" : verdict;
}

const mainFields = ["command", "url", "path", "file_path", "pattern", "query"];

function summaryOf(body: LedgerEntry["body"], tool = ""): string {
  const { input } = body;
  if (
    typeof body.code === "string" &&
    body.kind === undefined &&
    !isObject(input) &&
    typeof body.message === "string"
  )
    return body.message;
  if (!isObject(input)) return typeof body.message === "string" ? body.message : tool;
  for (const field of mainFields)
    if (typeof input[field] === "string" && input[field] !== "") return input[field];
  const text = JSON.stringify(input);
  return text === "{}" ? "" : text;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
