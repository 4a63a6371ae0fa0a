/** The grammar of tool ids and their spelling on wires that know no dots. */
import { visible } from "../text/visible.ts";

/** `__proto__` and its like are never names: whoever keeps tools in a plain object would meet them there. */
const grammar = /^(?!__.*__$)[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/;

/** Model APIs accept 64 characters; ids keep to that so that no name ever has to be cut. */
export const maxToolNameLength = 64;

export function explainBadToolId(id: unknown): string | undefined {
  if (typeof id !== "string" || id === "") return 'A tool needs an id such as "fs.read".';
  if (id.length > maxToolNameLength) {
    return `Tool id "${visible(id.slice(0, 40))}…" has ${id.length} characters; at most ${maxToolNameLength} are allowed.`;
  }
  if (!grammar.test(id)) {
    return `Tool id "${visible(id)}" may hold only letters, digits, "_", "-" and single dots between them, and is not of the form "__x__".`;
  }
  return undefined;
}

/** `fs.read` is `fs_read` for MCP and model APIs. */
export function toWireName(id: string): string {
  return id.includes(".") ? id.replaceAll(".", "_") : id;
}

/** Names close to an unknown one, best first: what a "did you mean" offers. */
export function closestNames(wanted: string, known: Iterable<string>, most = 3): string[] {
  if (wanted.length > maxToolNameLength) return [];
  const target = wanted.toLowerCase();
  const close: { name: string; distance: number }[] = [];
  for (const name of known) {
    const candidate = name.toLowerCase();
    const limit = Math.max(1, Math.floor(Math.max(target.length, candidate.length) / 3));
    const related = target.length >= 3 && (candidate.includes(target) || target.includes(candidate));
    const distance = related ? 1 : editDistance(target, candidate, limit);
    if (distance <= limit) close.push({ name, distance });
  }
  close.sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name));
  return close.slice(0, most).map((entry) => entry.name);
}

function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? limit + 1;
}
