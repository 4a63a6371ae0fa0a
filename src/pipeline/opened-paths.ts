/** Which paths outside of the roots a call may touch: its caller's own spilled output, and what a decision opens. */
import type { OpenedPath } from "../core/location.ts";
import type { Subject } from "../rules/subjects.ts";
import type { Call } from "./calls.ts";
import type { GateParts } from "./parts.ts";

/** The gate itself told the caller to read that file; asking a person about it would make the hint useless. */
export function withOwnOutput(
  subjects: readonly Subject[],
  { caller, kind }: Call,
  { spill }: GateParts,
): readonly Subject[] {
  // An agent that runs the tool itself has its own output, and a process that only checks has no place for ours.
  if (kind === "check" || spill.belongsTo === undefined || !subjects.some(leadsOut)) return subjects;
  return subjects.map((subject) => {
    const { path, risk } = subject;
    if (!leadsOut(subject) || typeof path !== "object" || path.protected !== undefined || risk !== "read")
      return subject;
    if (spill.belongsTo?.(path.absolute, caller.id) !== true) return subject;
    return { ...subject, path: { ...path, inside: true, ownOutput: true } };
  });
}

/** What was let pass although it is closed by default. Only these real paths: the tool's hands refuse every other one. */
export function openedPaths(subjects: readonly Subject[]): readonly OpenedPath[] {
  const opened: OpenedPath[] = [];
  for (const { path, risk } of subjects) {
    if (typeof path !== "object") continue;
    if (path.inside && path.protected === undefined && path.ownOutput !== true) continue;
    opened.push({ path: path.absolute, access: risk === "read" ? "read" : "write" });
  }
  return opened.length === 0 ? nothing : opened;
}

const nothing: readonly OpenedPath[] = Object.freeze([]);

function leadsOut({ path }: Subject): boolean {
  return typeof path === "object" && !path.inside;
}
