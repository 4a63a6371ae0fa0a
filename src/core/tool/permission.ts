/** How much a tool may do, from reading to running code; ceilings and plan mode compare by this order. */

export const permissions = ["read", "write", "execute"] as const;

export type Permission = (typeof permissions)[number];

const rank: Record<Permission, number> = { read: 0, write: 1, execute: 2 };

export function isWithin(permission: Permission, ceiling: Permission): boolean {
  return rank[permission] <= rank[ceiling];
}

/** A capability such as `fs:read`; a holder of `fs:*` or `*` has it too. */
export function holdsCapability(held: readonly string[], needed: string): boolean {
  for (const capability of held) {
    if (capability === needed || capability === "*") return true;
    if (capability.endsWith(":*") && needed.startsWith(capability.slice(0, -1))) return true;
  }
  return false;
}
