/** What a gate reads in a call of the past, for `suggest`. */
import type { Gate } from "../gate/gate.ts";
import type { JudgedCall, SeenCall } from "../suggest/judge.ts";

/** Undefined: there is no such tool, or the input is none. */
export function lookAt(
  gate: Gate,
  { askedFor, kind, cwd, workspace, input }: JudgedCall,
): SeenCall | undefined {
  const found = gate.look({ tool: askedFor, input, cwd, roots: [workspace] });
  if (found === undefined) return undefined;
  const { tool, permission, isKnown, lines, paths, urls, unreadable, locate } = found;
  const definitionHash = kind === "call" ? gate.tools.get(askedFor)?.definitionHash : undefined;
  const access = permission === "read" ? "read" : "write";
  return {
    tool,
    permission,
    isKnown,
    ...(definitionHash !== undefined && { definitionHash }),
    lines,
    paths: paths.map((path) => ({ path, location: locate(path, access) })),
    urls,
    unreadable: unreadable.length > 0,
  };
}
