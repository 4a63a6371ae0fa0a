import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { PinStore } from "../../../../../src/core/ports/pins.ts";
import { KnownDefinitions } from "../../../../../src/sources/upstream/pins/known-definitions.ts";
import type { UpstreamSpec } from "../../../../../src/sources/upstream/upstream-spec.ts";
import { createFakeStore } from "../../../../ports/fake-store.ts";

const spec = { key: "notes", review: false } as UpstreamSpec;
const echo = { name: "echo", description: "d", inputSchema: { type: "object" } };

describe("what is known of a server's tools", () => {
  it("is not undone by a look into the store that began before something was accepted", async () => {
    const { pins } = createFakeStore();
    // What is read now is answered later, as it was.
    const slow: PinStore = {
      ...pins,
      async accepted(key) {
        const found = await pins.accepted(key);
        await sleep(20);
        return found;
      },
    };
    const known = new KnownDefinitions(slow);
    const reading = known.read("notes");
    await new Promise((resolve) => setImmediate(resolve));
    await known.take([echo], {}, spec);
    await reading;
    expect(known.accepted?.tools.map(({ name }) => name)).toEqual(["echo"]);
    expect(known.findings().same.map(({ name }) => name)).toEqual(["echo"]);
  });

  it("is what another process accepted first", async () => {
    const { pins } = createFakeStore();
    const [first, second] = [new KnownDefinitions(pins), new KnownDefinitions(pins)];
    await first.take([echo], {}, spec);
    await second.take([{ ...echo, description: "another" }], {}, spec);
    expect(second.findings()).toMatchObject({ same: [], changed: [{ name: "echo" }] });
  });

  it("holds nothing accepted where the store cannot say what was", async () => {
    const { pins } = createFakeStore();
    const known = new KnownDefinitions({ ...pins, accepted: () => Promise.reject(new Error("gone")) });
    await known.read("notes");
    await known.take([echo], {}, spec);
    expect(known.problem).toBe("gone");
    expect(known.findings()).toMatchObject({ same: [], fresh: [{ name: "echo" }] });
  });
});
