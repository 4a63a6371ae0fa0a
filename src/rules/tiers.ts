/** Whose rule it is. A rule of a less trusted tier can only narrow what a more trusted one decided. */

export const tiers = ["plugin", "project", "user", "admin"] as const;

export type Tier = (typeof tiers)[number];

export function trustOf(tier: Tier): number {
  return tiers.indexOf(tier);
}

/** The order in which routes are tried; `shipped` routes come last and step aside for anybody's. */
export const routeTiers = ["admin", "plugin", "user", "project", "shipped"] as const;

export type RouteTier = (typeof routeTiers)[number];
