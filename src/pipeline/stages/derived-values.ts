/** For permit: what the input holds, and what the tool makes of it (a command line, a URL). */
import { type RoleValues, readRoles, rolesOf } from "../../core/input/input-roles.ts";
import { searchReachOf } from "../../core/input/search-reach.ts";
import { quietly } from "../../core/run/quietly.ts";
import type { Call } from "../calls.ts";

export function valuesOf(call: Call): RoleValues | undefined {
  const stated = withSearch(call, withMisplaced(call, readRoles(call.planned.roles, call.args)));
  return call.planned.derive === undefined ? stated : withDerived(call, call.planned.derive, stated);
}

const nothing: RoleValues = Object.freeze({ command: [], path: [], url: [], content: [], unreadable: [] });

/**
 * An agent's tool that we know under this name may have other fields by now, or in another program. Where it holds
 * nothing in those that we know, names that say so count, as they do for tools that nobody knows. They can stop the
 * call, and nothing approves it.
 */
function withMisplaced(
  { kind, planned, args }: Call,
  stated: RoleValues | undefined,
): RoleValues | undefined {
  if (kind !== "check" || (stated !== undefined && placed.some((role) => isSaid(role, stated))))
    return stated;
  const { possible, below } = planned.roles;
  if (below !== undefined || !placed.some((role) => possible.has(role))) return stated;
  const found = readRoles(rolesOf({}), args);
  const misplaced =
    found === undefined ? [] : placed.filter((role) => possible.has(role) && isSaid(role, found));
  if (found === undefined || misplaced.length === 0) return stated;
  const values = { ...(stated ?? nothing), unreadable: misplaced };
  for (const role of misplaced) Object.assign(values, { [role]: found[role] });
  return values;
}

const placed = ["command", "path", "url"] as const;

function isSaid(role: (typeof placed)[number], values: RoleValues): boolean {
  return values[role].length > 0 || values.unreadable.includes(role);
}

/** Only of what an agent runs itself: our own searches open nothing that is protected. */
function withSearch({ kind, planned, args }: Call, stated: RoleValues | undefined): RoleValues | undefined {
  const search = kind === "check" ? searchReachOf(planned.id, args) : undefined;
  return search === undefined ? stated : { ...(stated ?? nothing), search };
}

/** What cannot be told is not nothing: it counts as a command that nobody understands. */
function withDerived(
  { args, cwd }: Call,
  derive: NonNullable<Call["planned"]["derive"]>,
  stated: RoleValues = nothing,
): RoleValues {
  const derived = quietly(() => derive(args));
  if (derived === undefined) return { ...stated, unreadable: [...stated.unreadable, "command"] };
  const { command, url, path, boundPath, urlIsName, doubt } = derived;
  return {
    ...stated,
    url: url === undefined ? stated.url : [...stated.url, url],
    path: path === undefined ? stated.path : [...stated.path, path],
    ...(boundPath !== undefined && { bound: boundPath }),
    ...(urlIsName === true && { urlIsName }),
    ...(command !== undefined && { fixed: { command, cwd: derived.cwd ?? cwd, doubt } }),
  };
}
