/** Lists of all servers together do not wait for one that hangs. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { UpstreamWorld } from "./upstream-world.ts";

let world: UpstreamWorld;
beforeEach(() => {
  world = new UpstreamWorld();
});
afterEach(() => world.close());

it("a server that never comes up leaves the resources of the others where they are", {
  timeout: 25_000,
}, async () => {
  world.script("notes", [], { resources: [{ uri: "note://a", name: "a" }] });
  const stuck = world.entry("stuck", {
    transport: {
      kind: "stdio",
      command: process.execPath,
      args: ["-e", "setInterval(() => {}, 1_000)"],
      env: {},
      envPass: [],
      sandbox: "off",
    },
    startTimeoutMs: 60_000,
  });
  const { open } = await world.open([stuck, world.entry("notes")], "known");
  const { resources } = await open.upstreams.listResources({}, { signal: new AbortController().signal });
  expect(resources).toMatchObject([{ uri: "note://a", server: "notes" }]);
  expect(open.upstreams.serverOf("note://a")).toBe("notes");
  // It is known to be late by now: nobody waits as long for it again.
  const startedAt = performance.now();
  const again = await open.upstreams.listResources({}, { signal: new AbortController().signal });
  expect(again.resources).toHaveLength(1);
  expect(performance.now() - startedAt).toBeLessThan(3_000);
});
