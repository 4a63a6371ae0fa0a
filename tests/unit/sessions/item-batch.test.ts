import { describe, expect, it } from "vitest";
import type { NewItem } from "../../../src/core/ports/sessions.ts";
import { ItemBatch } from "../../../src/sessions/item-batch.ts";

const item = (itemId: string): NewItem => ({ kind: "message", turn: 1, itemId, body: {} });

function recording() {
  const written: string[] = [];
  const batch = new ItemBatch(async (items, facts) => {
    written.push([...items.map(({ itemId }) => itemId), ...Object.keys(facts)].join(" "));
  });
  return { written, batch };
}

describe("items of a session", () => {
  it("that are added at one moment are one write", async () => {
    const { written, batch } = recording();
    await Promise.all([batch.add([item("a")]), batch.add([item("b")], { state: "running" })]);
    await batch.add([item("c")]);
    expect(written).toEqual(["a b state", "c"]);
  });

  it("that nobody waits for go with the next ones, in their order", async () => {
    const { written, batch } = recording();
    batch.addLater([item("a")]);
    await batch.add([item("b")]);
    expect(written).toEqual(["a b"]);
  });

  it("that nobody waits for are written soon, also alone", async () => {
    const { written, batch } = recording();
    batch.addLater([item("a")]);
    batch.addLater([item("b")]);
    expect(written).toEqual([]);
    await expect.poll(() => written).toEqual(["a b"]);
  });

  it("can be taken by whoever writes next", async () => {
    const { written, batch } = recording();
    batch.addLater([item("a")]);
    expect(batch.take().items).toEqual([item("a")]);
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(written).toEqual([]);
  });

  it("that could not be written fail whoever adds next", async () => {
    let isBroken = true;
    const batch = new ItemBatch(async () => {
      if (isBroken) throw new Error("disk full");
    });
    batch.addLater([item("a")]);
    await new Promise((resolve) => setTimeout(resolve, 40));
    isBroken = false;
    await expect(batch.add([item("b")])).rejects.toThrow("disk full");
    await expect(batch.add([item("c")])).resolves.toBeUndefined();
  });
});
