/** Decides by name whether a path is off limits: our own state always, protected names unless allowed. */
import { type Access, protectedReason } from "./protected-names.ts";
import { type Refusal, refusePath } from "./refusal.ts";
import { joinParts } from "./request-path.ts";
import type { Scope } from "./scope.ts";

export function guardNames(
  scope: Scope,
  request: string,
  absoluteParts: readonly string[],
  options: { readonly access: Access; readonly metadataOnly?: boolean },
): Refusal | undefined {
  if (scope.statePaths.holds(absoluteParts)) return ownState(request);
  if (options.metadataOnly === true) return undefined;
  const reason = protectedReason(absoluteParts, options.access);
  if (reason === undefined || scope.allowProtected(joinParts(absoluteParts), options.access))
    return undefined;
  const verb = options.access === "read" ? "read" : "changed";
  return refusePath(
    "protected",
    request,
    `may not be ${verb}: ${reason}. Work without it, or ask a person for a rule that allows this path.`,
  );
}

export function ownState(request: string): Refusal {
  return refusePath(
    "protected",
    request,
    "belongs to toolgate itself (its state, configuration or tokens) and is never open to tools.",
  );
}
