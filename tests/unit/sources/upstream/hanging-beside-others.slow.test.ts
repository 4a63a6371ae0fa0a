/** Lists of all servers together do not wait for one that hangs. */
import { expect, it } from "vitest";
import { program, useWorld } from "./upstream-world.ts";

const here = useWorld();

it("a server that never comes up leaves the resources of the others where they are", async () => {
  here.world.script("notes", [], { resources: [{ uri: "note://a", name: "a" }] });
  const transport = program(process.execPath, ["-e", "setInterval(() => {}, 1_000)"]);
  const stuck = here.world.entry("stuck", { transport, startTimeoutMs: 60_000 });
  const { open } = await here.world.open([stuck, here.world.entry("notes")], "known");
  const list = async () => {
    const startedAt = performance.now();
    const { resources } = await open.upstreams.listResources({}, { signal: new AbortController().signal });
    expect(resources).toMatchObject([{ uri: "note://a", server: "notes" }]);
    return performance.now() - startedAt;
  };
  const first = await list();
  expect(open.upstreams.serverOf("note://a")).toBe("notes");
  // It is known to be late by now: nobody waits as long for it again.
  expect(await list()).toBeLessThan(first / 2);
});
