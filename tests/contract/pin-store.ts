/** What every store of pins must do: first sight counts once, and no answer of a person undoes another. */
import { describe, expect, it } from "vitest";
import type { Accepted, PinStore, Seen } from "../../src/core/ports/pins.ts";
import { acceptedPin } from "./samples.ts";

/** `other`: the same pins in another process. */
export function pinStoreContract(
  name: string,
  get: () => { readonly pins: PinStore; readonly other: PinStore | undefined },
): void {
  const accepted: Accepted = { tools: [{ ...acceptedPin("echo"), by: "first-sight" }], instructions: "i" };
  const seen: Seen = { at: 5, tools: [acceptedPin("fresh")], gone: ["old"], serverInfo: { name: "s" } };

  describe(`pins in ${name}`, () => {
    it("are unknown where nothing was seen", async () => {
      const { pins } = get();
      const found = [pins.accepted("new"), pins.seen("new"), pins.restartAskedAt("new")];
      expect(await Promise.all(found)).toEqual([undefined, undefined, undefined]);
      await pins.forget("new");
    });

    it("take the first sight of one process, and tell all others what counts", async () => {
      const { pins, other = pins } = get();
      const offers = ["a", "b", "c", "d"].map((tool) => ({ tools: [acceptedPin(tool)] }));
      const answers = await Promise.all(
        offers.map((offer, index) => (index % 2 ? pins : other).acceptFirst("first", offer)),
      );
      const first = answers.indexOf(undefined);
      expect(answers.filter((answer) => answer === undefined)).toHaveLength(1);
      for (const [index, answer] of answers.entries())
        if (index !== first) expect(answer).toEqual(offers[first]);
      expect(await other.accepted("first")).toEqual(offers[first]);
    });

    it("keep every change that is made at the same time", async () => {
      const { pins, other = pins } = get();
      await pins.acceptFirst("many", accepted);
      const added = Array.from({ length: 12 }, (_, index) => `tool-${index}`);
      await Promise.all(
        added.map((tool, index) =>
          (index % 2 ? pins : other).change("many", (now) => ({
            ...now,
            tools: [...now.tools, acceptedPin(tool)],
          })),
        ),
      );
      const now = await other.accepted("many");
      expect(now?.tools.map((tool) => tool.name).sort()).toEqual(["echo", ...added].sort());
      expect(now?.instructions).toBe("i");
    });

    it("hand what was seen to whoever accepts, and answer what is accepted then", async () => {
      const { pins, other = pins } = get();
      await other.saw("seen", seen);
      expect(await pins.seen("seen")).toEqual(seen);
      let given: unknown;
      const next = await pins.change("seen", (now, waiting) => {
        given = [now, waiting];
        return { tools: [acceptedPin("fresh")] };
      });
      expect(given).toEqual([{ tools: [] }, seen]);
      expect(next).toEqual({ tools: [acceptedPin("fresh")] });
    });

    it("stay as they were when a change throws", async () => {
      const { pins } = get();
      await pins.acceptFirst("failing", accepted);
      const failing = pins.change("failing", () => {
        throw new Error("no");
      });
      await expect(failing).rejects.toThrow("no");
      expect(await pins.accepted("failing")).toEqual(accepted);
      await pins.change("failing", (now) => now);
    });

    it("say when a new start was asked for, each time anew", async () => {
      const { pins, other = pins } = get();
      await other.askRestart("restarted");
      const first = await pins.restartAskedAt("restarted");
      expect(first).toBeDefined();
      expect(await pins.restartAskedAt("restarted")).toBe(first);
      await new Promise((resolve) => setTimeout(resolve, 5));
      await pins.askRestart("restarted");
      expect(await other.restartAskedAt("restarted")).not.toBe(first);
    });

    it("are gone when they are forgotten, for everyone", async () => {
      const { pins, other = pins } = get();
      await pins.acceptFirst("gone", accepted);
      await pins.saw("gone", seen);
      await pins.askRestart("gone");
      await other.forget("gone");
      const found = [pins.accepted("gone"), pins.seen("gone"), pins.restartAskedAt("gone")];
      expect(await Promise.all(found)).toEqual([undefined, undefined, undefined]);
    });

    it("wake whoever follows them when another process changes something, until the signal aborts", async () => {
      const { pins, other = pins } = get();
      const ending = new AbortController();
      let heard = 0;
      const following = (async () => {
        for await (const _ of pins.changes(ending.signal, () => {})) heard++;
      })();
      // Each try is a change of its own: following begins a moment after it was asked for.
      for (let tries = 0; heard < 2; tries++) {
        await other.change("followed", () => ({ tools: [acceptedPin(`try-${tries}`)] }));
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      ending.abort();
      await following;
    });
  });
}
