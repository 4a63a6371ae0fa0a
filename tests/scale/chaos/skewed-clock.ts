/** Loaded first (`--import`): this process's clock differs by TOOLGATE_TEST_CLOCK_MS, as that of a machine that is set wrong. */
const shiftMs = Number(process.env.TOOLGATE_TEST_CLOCK_MS ?? 0);
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (_, args: [], target) =>
    Reflect.construct(RealDate, args.length === 0 ? [now()] : args, target === Date ? RealDate : target),
  apply: () => new RealDate(now()).toString(),
  get: (_, key) => (key === "now" ? now : Reflect.get(RealDate, key)),
});

function now(): number {
  return RealDate.now() + shiftMs;
}
