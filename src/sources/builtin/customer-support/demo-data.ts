/** Data to try the support tools with. */
import type { SupportStore, Tenant, TicketDraft, User } from "./store.ts";

export interface Seeded {
  readonly tenants: number;
  readonly users: number;
  readonly tickets: number;
}

/** May be called again: what is there stays as it is, and only what was added now is counted. */
export async function seedDemoSupport(store: SupportStore): Promise<Seeded> {
  const seeded = { tenants: 0, users: 0, tickets: 0 };
  for (const tenant of tenants) if (await store.addTenant(tenant)) seeded.tenants += 1;
  for (const user of users) if (await store.addUser(user)) seeded.users += 1;
  for (const ticket of tickets) if ((await store.createTicket("all", ticket)).ok) seeded.tickets += 1;
  return seeded;
}

const day = 24 * 60 * 60 * 1_000;
const start = Date.UTC(2026, 0, 5, 9);

const tenants: readonly Tenant[] = [
  { id: "ten_harbor", name: "Harbor Freight Lines", plan: "business", status: "active", createdAt: start },
  { id: "ten_lumen", name: "Lumen Labs", plan: "starter", status: "active", createdAt: start + 9 * day },
  {
    id: "ten_orchard",
    name: "Orchard Foods",
    plan: "business",
    status: "suspended",
    createdAt: start + 20 * day,
  },
];

const people = [
  ["usr_ines", "ten_harbor", "Ines Moreau", "admin", 1],
  ["usr_tomas", "ten_harbor", "Tomas Lind", "member", 3],
  ["usr_aiko", "ten_lumen", "Aiko Tanaka", "admin", 10],
  ["usr_femi", "ten_lumen", "Femi Okafor", "member", 12],
  ["usr_greta", "ten_orchard", "Greta Hahn", "admin", 21],
] as const;

const users: readonly User[] = people.map(([id, tenantId, name, role, days]) => {
  const email = `${name.toLowerCase().replaceAll(" ", ".")}@${tenantId.slice(4)}.example`;
  return { id, tenantId, name, email, role, createdAt: start + days * day };
});

const tickets: readonly TicketDraft[] = [
  {
    id: "tic_login",
    requesterId: "usr_ines",
    priority: "urgent",
    subject: "Nobody can log in since this morning",
    body: "All 40 of us get error 502 after the password page.",
    tags: ["login", "outage"],
  },
  {
    id: "tic_invoice",
    requesterId: "usr_tomas",
    priority: "normal",
    subject: "Invoice shows the wrong address",
    body: "The invoice for March still has our old street. Please correct it.",
    tags: ["billing"],
  },
  {
    id: "tic_export",
    requesterId: "usr_aiko",
    priority: "high",
    subject: "CSV export stops at 10,000 rows",
    body: "The file ends in the middle of a line. We need the whole quarter.",
    tags: ["export", "bug"],
  },
  {
    id: "tic_seats",
    requesterId: "usr_femi",
    priority: "low",
    subject: "How do we add two more seats?",
    body: "I cannot find where to do it.",
    tags: ["billing", "question"],
  },
  {
    id: "tic_suspended",
    requesterId: "usr_greta",
    priority: "high",
    subject: "Why is our account suspended?",
    body: "We paid last week. Our reference is on the receipt.",
    tags: ["billing", "account"],
  },
  {
    id: "tic_dark",
    requesterId: "usr_femi",
    priority: "low",
    subject: "Dark mode, please",
    body: "The white page hurts at night.",
    tags: ["wish"],
  },
];
