/** What every store of grants must do: find a grant only for exactly what it was given for. */
import { describe, expect, it } from "vitest";
import type { Grant, GrantQuery, GrantStore } from "../../src/core/call/approval.ts";
import { grantQuery, userGrant } from "./samples.ts";

export function grantStoreContract(name: string, create: () => GrantStore | Promise<GrantStore>): void {
  const [grant, query] = [userGrant(), grantQuery()];

  async function finds(given: Partial<Grant>, asked: Partial<GrantQuery> = {}): Promise<boolean> {
    const store = await create();
    await store.add(userGrant(given));
    return (await store.find(grantQuery(asked))) !== undefined;
  }

  describe(`grants in ${name}`, () => {
    it("hold for the very same call", async () => {
      expect(await finds({})).toBe(true);
    });

    it.each(["caller", "toolId", "definitionHash"])("do not hold for another %s", async (field) => {
      expect(await finds({}, { [field]: "other" })).toBe(false);
    });

    it("do not hold for another input, unless they cover the tool", async () => {
      expect(await finds({}, { inputHash: () => "other" })).toBe(false);
      expect(await finds({ inputHash: undefined }, { inputHash: () => "other" })).toBe(true);
    });

    it("for the whole tool do not hold where only the very input counts", async () => {
      expect(await finds({ inputHash: undefined }, { exactOnly: true })).toBe(false);
      expect(await finds({}, { exactOnly: true })).toBe(true);
    });

    it("hold only for a meaning that the call has", async () => {
      expect(await finds({}, { meaningHashes: () => ["elsewhere", "anywhere", "tool"] })).toBe(false);
      expect(await finds({ meaningHash: "anywhere" }, { meaningHashes: () => ["other", "anywhere"] })).toBe(
        true,
      );
      const forTool = { inputHash: undefined, meaningHash: "tool" };
      expect(await finds(forTool, { meaningHashes: () => ["other", "tool"] })).toBe(true);
      expect(await finds(forTool, { meaningHashes: () => ["here", "of another rule"] })).toBe(false);
      expect(await finds({}, { meaningHashes: () => [] })).toBe(false);
    });

    it("come back as they were given", async () => {
      const store = await create();
      const times = { createdAt: 5, expiresAt: 8_640_000_000_000_000 };
      const given = userGrant({ scope: "session", sessionId: "s", ...times });
      const other = userGrant({ id: "h", scope: "project", project: "/workspace", inputHash: undefined });
      for (const one of [given, other]) await store.add(one);
      expect(await store.find(query)).toEqual(given);
      expect(await store.list()).toEqual([given, other]);
    });

    it("of a session hold in that session only, and never where there is none", async () => {
      const session = { scope: "session" as const, sessionId: "s" };
      expect(await finds(session)).toBe(true);
      expect(await finds(session, { sessionId: "t" })).toBe(false);
      expect(await finds(session, { sessionId: undefined })).toBe(false);
      expect(await finds({ scope: "session", sessionId: undefined }, { sessionId: undefined })).toBe(false);
    });

    it("of a project hold in that project only, whatever the session", async () => {
      const project = { scope: "project" as const, project: "/workspace" };
      expect(await finds(project, { sessionId: "t" })).toBe(true);
      expect(await finds(project, { project: "/other" })).toBe(false);
    });

    it("of a user hold in every session and project", async () => {
      expect(await finds({}, { sessionId: undefined, project: "/other" })).toBe(true);
    });

    it("end at their expiry, to the millisecond", async () => {
      expect(await finds({ expiresAt: 11 })).toBe(true);
      expect(await finds({ expiresAt: 10 })).toBe(false);
      expect(await finds({ expiresAt: 9 })).toBe(false);
    });

    it("are listed, and gone when revoked", async () => {
      const store = await create();
      await store.add(grant);
      await store.add({ ...grant, id: "h", toolId: "y.run" });
      expect((await store.list()).map(({ id }) => id)).toEqual(["g", "h"]);
      expect(await store.revoke("g")).toBe(true);
      expect(await store.revoke("g")).toBe(false);
      expect(await store.revoke("__proto__")).toBe(false);
      expect(await store.find(query)).toBeUndefined();
      expect((await store.list()).map(({ id }) => id)).toEqual(["h"]);
    });

    it("are found behind others that do not fit or have expired", async () => {
      const store = await create();
      await store.add({ ...grant, id: "old", expiresAt: 1 });
      await store.add({ ...grant, id: "other", inputHash: "x" });
      await store.add({ ...grant, id: "right" });
      expect((await store.find(query))?.id).toBe("right");
    });
  });
}
