/** What every store of users, tenants and tickets must do: show each scope its rows only, page without gaps, take no stale change. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type {
  Page,
  PageKey,
  PageRequest,
  Scope,
  StoreOptions,
  SupportStore,
  Ticket,
} from "../../src/sources/builtin/customer-support/store.ts";

const ann: Scope = { tenantId: "ten_a" };
const bob: Scope = { tenantId: "ten_b" };
const all = { limit: 100 };
const draftOf = (requesterId: string) =>
  ({ requesterId, subject: "s", body: "b", priority: "low", tags: [] }) as const;
const notFound = { ok: false, code: "not_found" };

export function supportStoreContract(
  name: string,
  create: (options: Required<StoreOptions>) => Promise<SupportStore>,
): void {
  /** Two tenants, a user in each with the same address, and a clock that goes on by one. */
  async function filled(): Promise<SupportStore> {
    let time = 1_000;
    let count = 0;
    const store = await create({ now: () => time++, newId: () => `tic_${String(++count).padStart(3, "0")}` });
    for (const id of ["ten_a", "ten_b"])
      await store.addTenant({ id, name: `Tenant ${id}`, plan: "basic", status: "active", createdAt: time++ });
    const user = { email: "Jo@Example.com", role: "member" } as const;
    for (const id of ["a", "b"])
      await store.addUser({
        ...user,
        id: `usr_${id}`,
        tenantId: `ten_${id}`,
        name: `Jo ${id}`,
        createdAt: time++,
      });
    return store;
  }

  async function ticketOf(store: SupportStore, requesterId: string, subject = "Help"): Promise<Ticket> {
    const draft = { requesterId, subject, body: "It broke.", priority: "normal" as const, tags: ["x"] };
    const created = await store.createTicket("all", draft);
    if (!created.ok) throw new Error(created.code);
    return created.ticket;
  }

  describe(`support data in ${name}`, () => {
    it("gives back what was put in", async () => {
      const store = await filled();
      const tenant = { id: "ten_a", name: "Tenant ten_a", plan: "basic", status: "active", createdAt: 1_000 };
      expect(await store.tenant("all", "ten_a")).toEqual(tenant);
      expect(await store.user("all", "usr_a")).toMatchObject({ name: "Jo a", email: "jo@example.com" });
      const ticket = await ticketOf(store, "usr_a", "Ünïcode ' \" ; -- \u{1F600}");
      const fresh = { tenantId: "ten_a", status: "open", version: 1, assignee: null, tags: ["x"] };
      expect(ticket).toMatchObject(fresh);
      expect(await store.ticket("all", ticket.id)).toEqual({ ...ticket, comments: [], commentCount: 0 });
      for (const id of ["nope", "", "' OR 1=1 --"]) {
        expect(await store.ticket("all", id)).toBeUndefined();
        expect(await store.user("all", id)).toBeUndefined();
        expect(await store.tenant("all", id)).toBeUndefined();
      }
    });

    it("takes an id once, and an address once in a tenant", async () => {
      const store = await filled();
      const tenant = await store.tenant("all", "ten_a");
      const user = await store.user("all", "usr_a");
      if (tenant === undefined || user === undefined) throw new Error("missing");
      expect(await store.addTenant({ ...tenant, name: "Other" })).toBe(false);
      expect(await store.addUser({ ...user, id: "usr_new", email: "JO@example.com" })).toBe(false);
      expect(await store.addUser({ ...user, tenantId: "ten_b", email: "new@example.com" })).toBe(false);
      expect(await store.addUser({ ...user, id: "usr_new", email: "new@example.com" })).toBe(true);
      await expect(store.addUser({ ...user, id: "usr_x", tenantId: "ten_x" })).rejects.toThrow("ten_x");
      expect(await store.tenant("all", "ten_a")).toEqual(tenant);
      const draft = { id: "tic_one", ...draftOf("usr_a") };
      expect(await store.createTicket("all", draft)).toMatchObject({ ok: true });
      expect(await store.createTicket("all", draft)).toEqual({ ok: false, code: "exists" });
    });

    it("shows a tenant nothing of another's, by no id, list, filter or change", async () => {
      const store = await filled();
      const theirs = await ticketOf(store, "usr_a");
      const own = await ticketOf(store, "usr_b");
      expect(await store.tenant(bob, "ten_a")).toBeUndefined();
      expect(await store.user(bob, "usr_a")).toBeUndefined();
      expect(await store.ticket(bob, theirs.id)).toBeUndefined();
      expect(await store.ticket(bob, own.id)).toBeDefined();
      expect(idsOf(await store.tenants(bob, {}, all))).toEqual(["ten_b"]);
      expect(idsOf(await store.users(bob, {}, all))).toEqual(["usr_b"]);
      expect(idsOf(await store.users(bob, { tenantId: "ten_a" }, all))).toEqual([]);
      expect(idsOf(await store.users(bob, { email: "jo@example.com" }, all))).toEqual(["usr_b"]);
      expect(idsOf(await store.users("all", { email: "JO@example.com" }, all))).toEqual(["usr_b", "usr_a"]);
      expect(idsOf(await store.tickets(bob, {}, all))).toEqual([own.id]);
      expect(idsOf(await store.tickets(bob, { tenantId: "ten_a" }, all))).toEqual([]);
      expect(idsOf(await store.tickets(bob, { requesterId: "usr_a" }, all))).toEqual([]);
      expect(await store.updateTicket(bob, theirs.id, 1, { status: "closed" })).toEqual(notFound);
      const unknown = { ok: false, code: "unknown_requester" };
      expect(await store.createTicket(bob, draftOf("usr_a"))).toEqual(unknown);
      expect(await store.ticket(ann, theirs.id)).toMatchObject({ status: "open", version: 1 });
    });

    it("changes what was seen, and refuses a change of what somebody else changed since", async () => {
      const store = await filled();
      const { id } = await ticketOf(store, "usr_a");
      const comment = { author: "sam", body: "Looking.", internal: true };
      const first = await store.updateTicket(ann, id, 1, { status: "pending", assignee: "sam", comment });
      const pending = { version: 2, status: "pending", assignee: "sam", tags: ["x"] };
      expect(first).toMatchObject({ ok: true, ticket: pending });
      const stale = await store.updateTicket(ann, id, 1, { status: "closed", comment });
      expect(stale).toEqual({ ok: false, code: "stale", currentVersion: 2 });
      const after = await store.ticket(ann, id);
      expect(after).toMatchObject({ status: "pending", version: 2, commentCount: 1, comments: [comment] });
      const cleared = await store.updateTicket(ann, id, 2, { assignee: null, tags: [], subject: "New name" });
      const emptied = { assignee: null, tags: [], status: "pending", version: 3 };
      expect(cleared).toMatchObject({ ok: true, ticket: emptied });
      expect(idsOf(await store.tickets(ann, { query: "new NAME" }, all))).toEqual([id]);
      expect(await store.updateTicket(ann, "nope", 1, {})).toEqual(notFound);
    });

    it("lets one of many changes of the same version through", async () => {
      const store = await filled();
      const { id } = await ticketOf(store, "usr_a");
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) => store.updateTicket("all", id, 1, { assignee: `a${index}` })),
      );
      expect(results.filter(({ ok }) => ok)).toHaveLength(1);
      expect((await store.ticket("all", id))?.version).toBe(2);
    });

    it("shows the newest comments, oldest of them first, and how many there are", async () => {
      const store = await filled();
      const { id } = await ticketOf(store, "usr_a");
      for (let version = 1; version <= 55; version++)
        await store.updateTicket("all", id, version, {
          comment: { author: "sam", body: `number ${version}`, internal: version % 2 === 0 },
        });
      const ticket = await store.ticket("all", id);
      expect(ticket?.commentCount).toBe(55);
      expect(ticket?.comments.map(({ body }) => body)).toEqual(
        Array.from({ length: 50 }, (_, index) => `number ${index + 6}`),
      );
      expect(ticket?.comments[0]?.internal).toBe(true);
    });

    it("filters by all that is asked for", async () => {
      const store = await filled();
      const one = await ticketOf(store, "usr_a", "Printer on FIRE");
      const two = await ticketOf(store, "usr_b", "Printer is cold 100%_");
      await store.updateTicket("all", two.id, 1, { status: "closed", priority: "urgent", assignee: "sam" });
      const find = async (filter: Parameters<SupportStore["tickets"]>[1]) =>
        idsOf(await store.tickets("all", filter, all));
      expect(await find({ query: "printer" })).toEqual([two.id, one.id]);
      expect(await find({ query: "fire" })).toEqual([one.id]);
      expect(await find({ query: "%" })).toEqual([two.id]);
      expect(await find({ query: "_" })).toEqual([two.id]);
      expect(await find({ query: "' OR '1'='1" })).toEqual([]);
      expect(await find({ statuses: ["open", "pending"] })).toEqual([one.id]);
      expect(await find({ statuses: ["open", "closed"], priorities: ["urgent"] })).toEqual([two.id]);
      expect(await find({ statuses: [] })).toEqual([]);
      expect(await find({ assignee: "sam", tenantId: "ten_b", requesterId: "usr_b" })).toEqual([two.id]);
      expect(await find({ assignee: "sam", tenantId: "ten_a" })).toEqual([]);
      expect(idsOf(await store.users("all", { query: "JO A" }, all))).toEqual(["usr_a"]);
      expect(idsOf(await store.tenants("all", { query: "TEN_B" }, all))).toEqual(["ten_b"]);
    });

    it("pages through everything once, newest first, whatever the page's size and equal times", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 25 }),
          fc.integer({ min: 1, max: 7 }),
          async (times, limit) => {
            const store = await create({ now: () => 0, newId: () => "unused" });
            const tenant = { name: "T", plan: "p", status: "active" as const };
            for (const [index, createdAt] of times.entries())
              await store.addTenant({ ...tenant, id: `ten_${index}`, createdAt });
            const seen = await everyPage((page) => store.tenants("all", {}, page), limit);
            const expected = times
              .map((createdAt, index) => ({ createdAt, id: `ten_${index}` }))
              .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
            expect(seen).toEqual(expected.map(({ id }) => id));
            await store.close();
          },
        ),
        { numRuns: 15 },
      );
    });

    it("keeps to the scope on every page, also with a place that somebody made up", async () => {
      const store = await filled();
      for (let count = 0; count < 4; count++) await ticketOf(store, count % 2 === 0 ? "usr_a" : "usr_b");
      const foreign: PageKey = [Number.MAX_SAFE_INTEGER, "zzz"];
      const page = await store.tickets(ann, {}, { limit: 100, after: foreign });
      expect(page.items.map(({ tenantId }) => tenantId)).toEqual(["ten_a", "ten_a"]);
      expect(page.next).toBeUndefined();
    });
  });
}

function idsOf(page: Page<{ readonly id: string }>): string[] {
  return page.items.map(({ id }) => id);
}

async function everyPage(
  read: (page: PageRequest) => Promise<Page<{ readonly id: string }>>,
  limit: number,
): Promise<string[]> {
  const seen: string[] = [];
  let after: PageKey | undefined;
  do {
    const page: Page<{ readonly id: string }> = await read({ limit, after });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    seen.push(...idsOf(page));
    after = page.next;
  } while (after !== undefined);
  return seen;
}
