/** What every store of plan modes must do: a caller chooses for itself, the program for all. */
import { describe, expect, it } from "vitest";
import type { ModeStore } from "../../src/core/ports/store.ts";

export function modeStoreContract(name: string, get: () => ModeStore): void {
  const sessions = ["one", "two", "three", "four"].map((session) => `${name} ${session}`);
  const [first = "", second = "", third = "", fourth = ""] = sessions;

  describe(`plan modes in ${name}`, () => {
    it("are act where nobody chose", () => {
      expect([get().of(undefined, "agent"), get().of("never named", "agent")]).toEqual(["act", "act"]);
    });

    it("hold at once, for the caller who chose and nobody else", async () => {
      const kept = get().set(first, "plan", "agent");
      expect([get().of(first, "agent"), get().of(first, "other"), get().of(second, "agent")]).toEqual([
        "plan",
        "act",
        "act",
      ]);
      await kept;
      await get().set(first, "act", "agent");
      expect(get().of(first, "agent")).toBe("act");
    });

    it("that the program says hold for everyone, and replace what callers chose", async () => {
      await get().set(third, "plan", "agent");
      await get().set(third, "plan");
      expect(get().of(third, "other")).toBe("plan");
      await get().set(third, "act");
      expect([get().of(third, "agent"), get().of(third, "other")]).toEqual(["act", "act"]);
    });

    it("of the program can be left by one caller, who then is alone in it", async () => {
      await get().set(fourth, "plan");
      await get().set(fourth, "act", "agent");
      expect([get().of(fourth, "agent"), get().of(fourth, "other")]).toEqual(["act", "plan"]);
      await get().set(fourth, "plan");
      expect(get().of(fourth, "agent")).toBe("plan");
    });
  });
}
