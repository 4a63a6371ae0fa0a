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

function user(id: string, tenantId: string, name: string, role: User["role"], days: number): User {
  const address = `${name.toLowerCase().replaceAll(" ", ".")}@${tenantId.slice(4)}.example`;
  return { id, tenantId, name, email: address, role, createdAt: start + days * day };
}

const users: readonly User[] = [
  user("usr_ines", "ten_harbor", "Ines Moreau", "admin", 1),
  user("usr_tomas", "ten_harbor", "Tomas Lind", "member", 3),
  user("usr_aiko", "ten_lumen", "Aiko Tanaka", "admin", 10),
  user("usr_femi", "ten_lumen", "Femi Okafor", "member", 12),
  user("usr_greta", "ten_orchard", "Greta Hahn", "admin", 21),
];

function ticket(
  id: string,
  requesterId: string,
  priority: TicketDraft["priority"],
  subject: string,
  body: string,
  tags: readonly string[],
): TicketDraft {
  return { id, requesterId, priority, subject, body, tags };
}

const tickets: readonly TicketDraft[] = [
  ticket(
    "tic_login",
    "usr_ines",
    "urgent",
    "Nobody can log in since this morning",
    "All 40 of us get error 502 after the password page.",
    ["login", "outage"],
  ),
  ticket(
    "tic_invoice",
    "usr_tomas",
    "normal",
    "Invoice shows the wrong address",
    "The invoice for March still has our old street. Please correct it.",
    ["billing"],
  ),
  ticket(
    "tic_export",
    "usr_aiko",
    "high",
    "CSV export stops at 10,000 rows",
    "The file ends in the middle of a line. We need the whole quarter.",
    ["export", "bug"],
  ),
  ticket("tic_seats", "usr_femi", "low", "How do we add two more seats?", "I cannot find where to do it.", [
    "billing",
    "question",
  ]),
  ticket(
    "tic_suspended",
    "usr_greta",
    "high",
    "Why is our account suspended?",
    "We paid last week. Our reference is on the receipt.",
    ["billing", "account"],
  ),
  ticket("tic_dark", "usr_femi", "low", "Dark mode, please", "The white page hurts at night.", ["wish"]),
];
