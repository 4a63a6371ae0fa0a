/** Goes from match to match of a pattern and marks the secrets, so that no text is read twice. */
import type { Mark } from "./mark.ts";

export interface SecretPart {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** What `find` makes of a match; the search goes on behind it. `done`: where the part before ended. */
type FindPart = (match: RegExpExecArray, after: number, done: number) => SecretPart | undefined;

/** The same text where there is none. `pattern` has the flag g. */
export function replaceParts(text: string, pattern: RegExp, mark: Mark, find: FindPart): string {
  let result = "";
  let done = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const part = withoutCode(text, find(match, pattern.lastIndex, done));
    if (part === undefined) continue;
    result += text.slice(done, part.start) + mark(part.kind, text.slice(part.start, part.end));
    done = part.end;
    pattern.lastIndex = part.end;
  }
  return done === 0 ? text : result + text.slice(done);
}

/** `TOKEN="$(gh auth token)"`: what a shell would run is no secret, and people must see it. */
function withoutCode(text: string, part: SecretPart | undefined): SecretPart | undefined {
  if (part === undefined) return undefined;
  const value = text.slice(part.start, part.end);
  const code = value.includes("$(") ? value.search(substitution) : -1;
  if (code === -1) return part;
  return code === 0 ? undefined : { ...part, end: part.start + code };
}

const substitution = /(?:Bearer |Basic )?\$\([^)]/;

/** What a pattern with the flag y finds just there. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

export function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}
