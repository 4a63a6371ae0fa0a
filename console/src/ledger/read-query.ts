/** `tool:shell.* verdict:deny since:2h text:"force"` as the filter of the API, and back. What has no name is text. */
import type { Query } from "../api/connection.ts";

export interface LedgerQuery {
  readonly filter: Query;
  /** Tokens that mean nothing, as they were written. */
  readonly unknown: readonly string[];
}

const verdictWords: Readonly<Record<string, string>> = {
  allow: "allow",
  allowed: "allow",
  ask: "ask",
  asked: "ask",
  deny: "deny",
  denied: "deny",
  refused: "deny",
  abstain: "abstain",
};
const names: Readonly<Record<string, string>> = {
  tool: "tool",
  verdict: "verdict",
  by: "caller",
  caller: "caller",
  session: "session",
  code: "code",
  text: "text",
  since: "since",
  until: "until",
  kind: "kinds",
  use: "toolUseId",
};
const kinds = new Set(["intent", "completion", "unknown", "end", "note"]);

export function readQuery(text: string, now: number): LedgerQuery {
  const filter: Record<string, string | readonly string[]> = {};
  const unknown: string[] = [];
  const words: string[] = [];
  for (const token of text.match(/(?:[^\s"]+:)?"[^"]*"?|\S+/g) ?? []) {
    const [, name = "", rest = ""] = /^([a-z]+):(.*)$/s.exec(token) ?? [];
    const value = rest.replace(/^"|"$/g, "");
    const key = names[name];
    if (name === "") words.push(token.replace(/^"|"$/g, ""));
    else if (key === undefined || value === "") unknown.push(token);
    else if (key === "since" || key === "until") {
      const at = readTime(value, now);
      if (at === undefined) unknown.push(token);
      else filter[key] = String(at);
    } else if (key === "verdict") {
      const verdict = verdictWords[value];
      if (verdict === undefined) unknown.push(token);
      else filter.verdict = verdict;
    } else if (key === "kinds") {
      if (kinds.has(value)) filter.kinds = [value];
      else unknown.push(token);
    } else filter[key] = value;
  }
  if (words.length > 0) filter.text = [filter.text, ...words].filter(Boolean).join(" ");
  return { filter, unknown };
}

const unitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** `2h` ago, a date, or milliseconds. */
function readTime(text: string, now: number): number | undefined {
  const [, many, unit = ""] = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(text) ?? [];
  if (many !== undefined) return Math.round(now - Number(many) * (unitMs[unit] ?? 0));
  if (/^\d{10,}$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isFinite(at) ? at : undefined;
}

/** The query with a token replaced, added, or (for an empty value) taken out. */
export function withToken(text: string, name: string, value: string): string {
  const kept = (text.match(/(?:[^\s"]+:)?"[^"]*"?|\S+/g) ?? []).filter(
    (token) => !token.startsWith(`${name}:`),
  );
  const quoted = /\s/.test(value) ? `"${value}"` : value;
  return [...kept, ...(value === "" ? [] : [`${name}:${quoted}`])].join(" ");
}

/** The same question for the command line. */
export function toCommand({ filter }: LedgerQuery): string {
  const option = (name: string, value: unknown) => {
    const text = name === "since" || name === "until" ? new Date(Number(value)).toISOString() : String(value);
    return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${/^[\w.:*@/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`}`;
  };
  return ["toolgate audit query", ...Object.entries(filter).map(([name, value]) => option(name, value))].join(
    " ",
  );
}
