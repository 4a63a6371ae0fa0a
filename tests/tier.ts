/** How much a test tries: a part before a change lands, all of it in `npm run test:full`. */
export function byTier<Value>(landing: Value, full: Value): Value {
  return process.env.TOOLGATE_TIER === "full" ? full : landing;
}
