/** Whose rule it is. A rule of a less trusted tier can only narrow what a more trusted one decided. */

export const tiers = ["plugin", "project", "user", "admin"] as const;

export type Tier = (typeof tiers)[number];

export function trustOf(tier: Tier): number {
  return tiers.indexOf(tier);
}

/** The order in which routes are tried; `shipped` routes come last and step aside for anybody's. */
export const routeTiers = ["admin", "plugin", "user", "project", "shipped"] as const;

export type RouteTier = (typeof routeTiers)[number];

const shippedOrder = routeTiers.indexOf("shipped");
const pluginOrder = routeTiers.indexOf("plugin");

/**
 * The tiers, a bit for each, in which an `allow` of this tier ends the search. Shipped routes are advice for those
 * who have not decided: people's own files lift them. A plugin is somebody else's, and only narrows.
 */
export function endedByAllow(tierOrder: number): number {
  const own = 1 << tierOrder;
  return tierOrder === pluginOrder ? own : own | (1 << shippedOrder);
}
