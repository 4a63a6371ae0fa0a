/** Which paths outside of the roots a call may touch: its caller's own output, and what a decision opens. */
import type { RoleValues } from "../../core/input/input-roles.ts";
import type { Location, OpenedPath } from "../../core/ports/location.ts";
import { namesPath } from "../../rules/decide.ts";
import type { CompiledPolicy } from "../../rules/policies.ts";
import type { Subject } from "../../rules/subject.ts";
import { subjectsOf } from "../../rules/subjects.ts";
import type { Call } from "../calls.ts";
import type { DecidingParts } from "../parts.ts";
import { View } from "./call-view.ts";

/** The parts of a call that are decided one by one, and where its paths lead at this moment. */
export function placesOf(
  call: Call,
  roles: RoleValues | undefined,
  parts: DecidingParts,
  policies: readonly CompiledPolicy[] = call.plan.policies,
): { readonly subjects: readonly Subject[]; readonly bound: Location | undefined } {
  if (roles === undefined) return { subjects: call.plan.whole, bound: undefined };
  const judges = call.kind === "check" ? parts.agentJudges : parts.judges;
  const view = new View(call, roles, parts);
  const concerns = (absolute: string) => namesPath(policies, absolute, view);
  return {
    subjects: withOwnOutput(
      subjectsOf(call.planned, roles, { ...judges, place: call, concerns }),
      call,
      parts,
    ),
    bound: roles.bound === undefined ? undefined : parts.judges.locatePath(roles.bound, call),
  };
}

/** The gate told the caller to read that file; asking a person would make the hint useless. */
function withOwnOutput(
  subjects: readonly Subject[],
  { caller, kind }: Call,
  { spill }: DecidingParts,
): readonly Subject[] {
  // An agent that runs the tool itself has its own output.
  if (kind === "check" || spill.belongsTo === undefined || !subjects.some(leadsOut)) return subjects;
  return subjects.map((subject) => {
    const { path, risk } = subject;
    if (!leadsOut(subject) || typeof path !== "object" || path.protected !== undefined || risk !== "read")
      return subject;
    if (spill.belongsTo?.(path.absolute, caller.id) !== true) return subject;
    return { ...subject, path: { ...path, inside: true, ownOutput: true } };
  });
}

/** Real paths that were let pass although they are closed by default. The tool's hands refuse all others. */
export function openedPaths(subjects: readonly Subject[]): readonly OpenedPath[] {
  const opened: OpenedPath[] = [];
  for (const { path, risk } of subjects) {
    if (typeof path !== "object") continue;
    if (path.inside && path.protected === undefined && path.ownOutput !== true) continue;
    opened.push({ path: path.absolute, access: risk === "read" ? "read" : "write" });
  }
  return opened.length === 0 ? nothing : opened;
}

/** Where its paths led, for tools that open nothing else. Undefined: some path is not known. */
export function judgedPaths({ subjects, bound }: Call): readonly string[] | undefined {
  if (subjects === undefined || subjects.some(({ path, unseen }) => path === "unknown" || unseen === true))
    return undefined;
  const paths = subjects.flatMap(({ path }) => (typeof path === "object" ? [path.absolute] : []));
  return bound === undefined ? paths : [...paths, bound.absolute];
}

const nothing: readonly OpenedPath[] = Object.freeze([]);

function leadsOut({ path }: Subject): boolean {
  return typeof path === "object" && !path.inside;
}
