/** How often a test repeats what it tries: a few times before a change lands, all of them in `npm run test:full`. */
export function rounds(landing: number, full: number): number {
  return process.env.TOOLGATE_TIER === "full" ? full : landing;
}
