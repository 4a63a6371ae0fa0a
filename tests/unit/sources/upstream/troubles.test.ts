/** Who runs a gate for long is told what does not work, without asking. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { echo, eventually, UpstreamWorld } from "./upstream-world.ts";

let world: UpstreamWorld;
beforeEach(() => {
  world = new UpstreamWorld();
});
afterEach(() => world.close());

const missing = {
  kind: "stdio",
  command: "/no/such/server",
  args: [],
  env: {},
  envPass: [],
  sandbox: "off",
} as const;
const unset = { ...missing, env: { KEY: ["$", "{NOT_SET_ANYWHERE_X}"].join("") } };

it("a server that cannot be started, or misses a variable, is told once for each reason; one that works is not", async () => {
  world.script("notes", [echo]);
  const told: string[] = [];
  const opened = await world.open(
    [
      world.entry("notes"),
      world.entry("gone", { transport: missing }),
      world.entry("keyless", { transport: unset }),
    ],
    "live",
    (text) => told.push(text),
  );
  await eventually(() => told.length === 2);
  expect(told.join("\n")).toMatch(/Upstream keyless: .*NOT_SET_ANYWHERE_X/);
  expect(told.join("\n")).toMatch(/Upstream gone: .*no\/such\/server/);
  await opened.open.look();
  expect(told).toHaveLength(2);
});

it("a command that ends soon says by itself what did not work", async () => {
  const told: string[] = [];
  await world.open([world.entry("gone", { transport: missing })], "first-sight", (text) => told.push(text));
  expect(told).toEqual([]);
});
