/** What every list of tokens must do: one change after the other, seen at once, and none lost. */
import { describe, expect, it } from "vitest";
import type { TokenStore } from "../../src/core/ports/tokens.ts";
import { tokenRecord } from "./samples.ts";

/** `other`: the same list in another process. */
export function tokenStoreContract(
  name: string,
  get: () => { readonly tokens: TokenStore; readonly other: TokenStore | undefined },
): void {
  const names = async (tokens: TokenStore) => (await tokens.list()).tokens.map((one) => one.name);
  const add = (tokens: TokenStore, added: string) =>
    tokens.change((now) => ({ tokens: [...now, tokenRecord(added)], result: now.length }));
  const remove = (tokens: TokenStore, gone: string) =>
    tokens.change((now) => ({ tokens: now.filter((one) => one.name !== gone), result: undefined }));

  describe(`tokens in ${name}`, () => {
    it("are there as they were given, from the change on", async () => {
      const { tokens, other = tokens } = get();
      const expiring = { ...tokenRecord("expiring"), expiresAt: "2027-01-01T00:00:00.000Z" };
      await tokens.change((now) => ({ tokens: [...now, expiring], result: undefined }));
      for (const one of [tokens, other]) expect((await one.list()).tokens).toContainEqual(expiring);
      await remove(other, "expiring");
      for (const one of [tokens, other]) expect(await names(one)).not.toContain("expiring");
    });

    it("are the very same list until something changes", async () => {
      const { tokens } = get();
      const before = await tokens.list();
      expect(await tokens.list()).toBe(before);
      await tokens.change((now) => ({ tokens: now, result: undefined }));
      expect(await tokens.list()).toBe(before);
      await add(tokens, "fresh");
      expect(await tokens.list()).not.toBe(before);
    });

    it("are all kept when many change at the same time, and each change sees those before", async () => {
      const { tokens, other = tokens } = get();
      const before = (await names(tokens)).length;
      const added = Array.from({ length: 20 }, (_, index) => `many-${index}`);
      const lengths = await Promise.all(added.map((one, index) => add(index % 2 ? tokens : other, one)));
      expect(lengths.sort((one, two) => one - two)).toEqual(added.map((_, index) => before + index));
      expect(await names(other)).toEqual(expect.arrayContaining(added));
    });

    it("stay as they were when a change throws", async () => {
      const { tokens } = get();
      const before = await names(tokens);
      const failing = tokens.change(() => {
        throw new Error("taken");
      });
      await expect(failing).rejects.toThrow("taken");
      expect(await names(tokens)).toEqual(before);
      await add(tokens, "after a failure");
    });
  });
}
