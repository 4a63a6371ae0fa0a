import { existsSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { type AnyTool, createGate, type GateOptions } from "../../../../../src/index.ts";
import { seedDemoSupport } from "../../../../../src/sources/builtin/customer-support/demo-data.ts";
import { createMemorySupport } from "../../../../../src/sources/builtin/customer-support/memory-store.ts";
import type { SupportPorts } from "../../../../../src/sources/builtin/customer-support/ports.ts";
import { openSqliteSupport } from "../../../../../src/sources/builtin/customer-support/sqlite/sqlite-store.ts";
import { createSupportTools } from "../../../../../src/sources/builtin/customer-support/support-tools.ts";
import { callsOf } from "../calls.ts";
import { describeInput } from "../describe-input.ts";
import { temporaryFile } from "./temporary-file.ts";

const enable = { enabledCategories: ["customer_support"] };
const policies = [{ name: "all", tools: "*", action: "approve" as const }];

async function demoStore() {
  let time = Date.UTC(2026, 5, 1);
  let count = 0;
  const store = createMemorySupport({ now: () => (time += 60_000), newId: () => `tic_new${++count}` });
  await seedDemoSupport(store);
  return store;
}

async function supportGate(ports: SupportPorts = { open: demoStore }, options: GateOptions = {}) {
  const { tools, close } = createSupportTools(ports);
  const gate = await createGate({ tools, enable, policies, ...options });
  onTestFinished(async () => {
    await gate.close();
    await close();
  });
  const { call, say } = callsOf(gate);
  return {
    gate,
    close,
    say: (tool: string, input?: object, context?: object) => say(`cs.${tool}`, input, context),
    data: async (tool: string, input: object = {}, context: object = {}) =>
      (await call(`cs.${tool}`, input, context)).result.structured as Record<string, unknown>,
  };
}

const inputs: Record<string, { good: object; bad: object[] }> = {
  user_get: {
    good: { id: "usr_ines" },
    bad: [{}, { id: "usr_ines", email: "x" }, { id: "a b" }, { id: "x".repeat(65) }],
  },
  user_list: {
    good: {},
    bad: [{ limit: 0 }, { limit: 101 }, { query: "" }, { query: "x".repeat(201) }, { tenant: "'" }],
  },
  tenant_get: { good: { id: "ten_lumen" }, bad: [{}, { id: 7 }, { id: "../x" }] },
  tenant_list: { good: {}, bad: [{ cursor: "" }, { cursor: "x".repeat(501) }] },
  ticket_get: { good: { id: "tic_login" }, bad: [{}, { id: "" }, { id: "tic;drop" }] },
  ticket_list: { good: {}, bad: [{ status: "new" }, { status: [] }, { priority: 1 }, { assignee: "a\nb" }] },
  ticket_create: {
    good: { requester: "usr_ines", subject: "S", body: "B" },
    bad: [
      {},
      { requester: "usr_ines", subject: "a\nb", body: "B" },
      { requester: "usr_ines", subject: "S", body: "x".repeat(20_001) },
      { requester: "usr_ines", subject: "S", body: "B", tags: ["a", "a"] },
      { requester: "usr_ines", subject: "S", body: "B", priority: "now" },
    ],
  },
  ticket_update: {
    good: { id: "tic_login", version: 1, status: "pending" },
    bad: [
      { id: "tic_login", status: "pending" },
      { id: "tic_login", version: 1 },
      { id: "tic_login", version: 0, status: "pending" },
      { id: "tic_login", version: 1, status: "gone" },
      { id: "tic_login", version: 1, status: "pending", internal: true },
      { id: "tic_login", version: 1, assignee: "" },
    ],
  },
};

for (const [name, cases] of Object.entries(inputs)) {
  const create = () =>
    createSupportTools({ open: demoStore }).tools.find(({ id }) => id === `cs.${name}`) as AnyTool;
  describeInput(`cs.${name}`, create, cases);
}

describe("the support tools", () => {
  it("show users, tenants and tickets", async () => {
    const { say } = await supportGate();
    expect(await say("user_get", { id: "usr_ines" })).toBe(
      "usr_ines Ines Moreau <ines.moreau@harbor.example>, admin of ten_harbor, since 2026-01-06",
    );
    expect(await say("user_get", { email: "AIKO.tanaka@lumen.example" })).toContain("usr_aiko");
    expect(await say("tenant_get", { tenant_id: "ten_orchard" })).toContain(
      "Orchard Foods, plan business, suspended",
    );
    expect(await say("ticket_get", { id: "tic_login" })).toContain("version 1, ten_harbor");
    expect(await say("ticket_get", { id: "tic_login" })).toContain("All 40 of us get error 502");
    expect(await say("tenant_list", { query: "lumen" })).toContain("ten_lumen");
    expect((await say("user_list", { tenant: "ten_lumen" })).split("\n")).toHaveLength(2);
    for (const [tool, id] of [
      ["user_get", "x"],
      ["tenant_get", "x"],
      ["ticket_get", "x"],
    ] as const)
      expect(await say(tool, { id })).toMatch(/^not_found There is no \w+ "x"\.$/);
  });

  it("list tickets by filters, page by page", async () => {
    const { say, data } = await supportGate();
    const first = await data("ticket_list", { limit: 4 });
    expect(first.items).toHaveLength(4);
    const second = await data("ticket_list", { limit: 4, cursor: first.cursor });
    expect(second.items).toHaveLength(2);
    expect(second.cursor).toBeUndefined();
    expect(await say("ticket_list", { limit: 1 })).toContain("[There is more: call again with cursor ");
    expect(
      await say("ticket_list", { status: "open", priority: ["urgent", "high"], query: "csv" }),
    ).toContain("tic_export");
    expect(await say("ticket_list", { requester: "usr_tomas" })).toContain("tic_invoice");
    expect(await say("ticket_list", { assignee: "nobody at all" })).toBe("[Nothing fits.]");
    for (const cursor of ["x", "W10", "WzEsMiwzXQ", "e30", Buffer.from('[1,"a b"]').toString("base64url")])
      for (const tool of ["ticket_list", "user_list", "tenant_list"])
        expect(await say(tool, { cursor })).toMatch(/^bad_cursor /);
  });

  it("create tickets in the tenant of their requester", async () => {
    const { say, data } = await supportGate();
    const created = await data("ticket_create", {
      requester: "usr_aiko",
      subject: "New",
      body: "B",
      tags: ["a"],
    });
    expect(created).toMatchObject({ id: "tic_new1", tenantId: "ten_lumen", priority: "normal", version: 1 });
    expect(await say("ticket_get", { id: "tic_new1" })).toContain("tags: a");
    expect(await say("ticket_create", { requester: "usr_x", subject: "New", body: "B" })).toMatch(
      /^unknown_requester /,
    );
  });

  it("update tickets, and name the current version to who comes too late", async () => {
    const { say, data, gate } = await supportGate();
    const input = { id: "tic_login", version: 1, status: "pending", assignee: "sam", comment: "On it." };
    expect(await say("ticket_update", input)).toContain("(pending, urgent, version 2");
    expect(await say("ticket_get", { id: "tic_login" })).toContain("local (internal): On it.");
    expect(await say("ticket_update", input)).toBe(
      "stale The ticket is at version 2, not 1: it was changed meanwhile. Read it with cs.ticket_get and decide anew.",
    );
    expect(await data("ticket_update", input)).toEqual({ code: "stale", currentVersion: 2 });
    await gate.dispatch({
      tool: "cs.ticket_update",
      input: { id: "tic_login", version: 2, assignee: null, comment: "Hello.", internal: false },
      caller: { id: "agent", capabilities: ["support:*"] },
    });
    const said = await say("ticket_get", { id: "tic_login" });
    expect(said).toContain("assigned to nobody");
    expect(said).toMatch(/agent: Hello\.$/);
    expect(await say("ticket_update", { id: "nope", version: 1, status: "open" })).toMatch(/^not_found /);
  });

  it("show what is hidden in a customer's text, and keep a line a line", async () => {
    const { say } = await supportGate();
    const subject = "Hi\u202e there";
    await say("ticket_create", { requester: "usr_aiko", subject, body: "a\u200bb\r\nc" });
    const said = await say("ticket_get", { id: "tic_new1" });
    expect(said).toContain("Hi\\u{202E} there");
    expect(said).toContain("a\\u{200B}b\nc");
  });

  it("say which tenants have an address that is not one of its kind", async () => {
    const open = async () => {
      const store = await demoStore();
      const user = await store.user("all", "usr_ines");
      if (user !== undefined) await store.addUser({ ...user, id: "usr_ines2", tenantId: "ten_lumen" });
      return store;
    };
    const { say } = await supportGate({ open });
    const email = "ines.moreau@harbor.example";
    expect(await say("user_get", { email })).toMatch(/^ambiguous .*ten_lumen, ten_harbor/);
    expect(await say("user_get", { email, tenant: "ten_lumen" })).toContain("usr_ines2");
    expect(await say("user_get", { id: "usr_ines", tenant: "ten_lumen" })).toMatch(/^not_found /);
  });

  it("show a caller that is bound to a tenant nothing of the others, and an unknown caller nothing at all", async () => {
    const scopes = new Map([["lumen-bot", { tenantId: "ten_lumen" }]]);
    const { say, data } = await supportGate({ open: demoStore, scopeOf: ({ id }) => scopes.get(id) });
    const bound = { caller: { id: "lumen-bot", capabilities: ["*"] } };
    const unseen = await say("ticket_get", { id: "tic_login" }, bound);
    expect(unseen).toBe(`not_found There is no ticket "tic_login".`);
    expect(await say("ticket_update", { id: "tic_login", version: 1, status: "closed" }, bound)).toBe(unseen);
    expect(await say("user_get", { id: "usr_ines" }, bound)).toMatch(/^not_found /);
    expect(await say("user_get", { email: "ines.moreau@harbor.example" }, bound)).toMatch(/^not_found /);
    expect(await say("tenant_get", { id: "ten_harbor" }, bound)).toMatch(/^not_found /);
    const draft = { requester: "usr_ines", subject: "S", body: "B" };
    expect(await say("ticket_create", draft, bound)).toMatch(/^unknown_requester /);
    expect(await say("ticket_list", { tenant: "ten_harbor" }, bound)).toBe("[Nothing fits.]");
    const { items } = (await data("ticket_list", {}, bound)) as { items: { tenantId: string }[] };
    expect(items.map(({ tenantId }) => tenantId)).toEqual(["ten_lumen", "ten_lumen", "ten_lumen"]);
    for (const [name, { good }] of Object.entries(inputs))
      expect(await say(name, good)).toMatch(/^no_tenant /);
  });

  it("open the database when the first of them is called, once, and close it", async () => {
    const file = temporaryFile();
    let opened = 0;
    const open = async () => {
      opened += 1;
      const store = await openSqliteSupport(file);
      await seedDemoSupport(store);
      return store;
    };
    const { say, close } = await supportGate({ open });
    expect(existsSync(file)).toBe(false);
    const said = await Promise.all([
      say("ticket_get", { id: "tic_dark" }),
      say("tenant_list"),
      say("user_list"),
    ]);
    expect(said[0]).toContain("Dark mode, please");
    expect(opened).toBe(1);
    await close();
    expect(await say("tenant_list")).toMatch(/^tool_failed .*closed/);
  });

  it("say why there is no database, and try again", async () => {
    let opened = 0;
    const open = async () => {
      opened += 1;
      if (opened === 1) throw new Error("the disk is full");
      return demoStore();
    };
    const { say } = await supportGate({ open });
    expect(await say("tenant_list")).toBe("no_store the disk is full");
    expect(await say("tenant_list")).toContain("ten_lumen");
    const none = await supportGate({});
    expect(await none.say("tenant_list")).toMatch(/^no_store No support database/);
  });
});
