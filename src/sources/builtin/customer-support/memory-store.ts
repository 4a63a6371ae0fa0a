/** A support store in memory: for tests and for trying things out. */
import { ToolgateError } from "../../../core/call/errors.ts";
import {
  type Comment,
  changed,
  fold,
  maxCommentsShown,
  newTicketId,
  type Page,
  type PageRequest,
  type Scope,
  type StoreOptions,
  type SupportStore,
  type Tenant,
  type Ticket,
  type TicketFilter,
  type User,
} from "./store.ts";

export function createMemorySupport(options: StoreOptions = {}): SupportStore {
  const { now = Date.now, newId = newTicketId } = options;
  const tenants = new Map<string, Tenant>();
  const users = new Map<string, User>();
  const tickets = new Map<string, Ticket>();
  const comments = new Map<string, Comment[]>();

  return {
    tenant: async (scope, id) => (sees(scope, id) ? tenants.get(id) : undefined),
    tenants: async (scope, { query }, page) =>
      pageOf(tenants, page, (one) => sees(scope, one.id) && holds(one.name, query)),
    user: async (scope, id) => own(users, scope, id),
    users: async (scope, { tenantId, email, query }, page) =>
      pageOf(
        users,
        page,
        (one) =>
          sees(scope, one.tenantId) &&
          isWanted(one.tenantId, tenantId) &&
          isWanted(one.email, email && fold(email)) &&
          holds(`${one.name}\n${one.email}`, query),
      ),
    ticket: async (scope, id) => {
      const ticket = own(tickets, scope, id);
      if (ticket === undefined) return undefined;
      const all = comments.get(id) ?? [];
      return { ...ticket, comments: all.slice(-maxCommentsShown), commentCount: all.length };
    },
    tickets: async (scope, filter, page) =>
      pageOf(tickets, page, (one) => sees(scope, one.tenantId) && fits(one, filter)),
    createTicket: async (scope, { id = newId(), ...draft }) => {
      const requester = own(users, scope, draft.requesterId);
      if (requester === undefined) return { ok: false, code: "unknown_requester" };
      if (tickets.has(id)) return { ok: false, code: "exists" };
      const at = now();
      const fresh = { status: "open", assignee: null, version: 1, createdAt: at, updatedAt: at } as const;
      const ticket: Ticket = { ...draft, id, tenantId: requester.tenantId, ...fresh };
      tickets.set(id, ticket);
      return { ok: true, ticket };
    },
    updateTicket: async (scope, id, version, change) => {
      const ticket = own(tickets, scope, id);
      if (ticket === undefined) return { ok: false, code: "not_found" };
      if (ticket.version !== version) return { ok: false, code: "stale", currentVersion: ticket.version };
      const at = now();
      const after = changed(ticket, change, at);
      tickets.set(id, after);
      const { comment } = change;
      if (comment !== undefined) comments.set(id, [...(comments.get(id) ?? []), { ...comment, at }]);
      return { ok: true, ticket: after };
    },
    addTenant: async (tenant) => {
      if (tenants.has(tenant.id)) return false;
      tenants.set(tenant.id, tenant);
      return true;
    },
    addUser: async (user) => {
      if (!tenants.has(user.tenantId)) throw new ToolgateError(`There is no tenant "${user.tenantId}".`);
      const email = fold(user.email);
      const same = (one: User) => one.tenantId === user.tenantId && one.email === email;
      if (users.has(user.id) || [...users.values()].some(same)) return false;
      users.set(user.id, { ...user, email });
      return true;
    },
    close: async () => {},
  };
}

function sees(scope: Scope, tenantId: string): boolean {
  return scope === "all" || scope.tenantId === tenantId;
}

/** The row with this id, if it may be seen. */
function own<Row extends { readonly tenantId: string }>(
  rows: ReadonlyMap<string, Row>,
  scope: Scope,
  id: string,
): Row | undefined {
  const row = rows.get(id);
  return row !== undefined && sees(scope, row.tenantId) ? row : undefined;
}

function isWanted<Value>(value: Value, wanted: Value | undefined): boolean {
  return wanted === undefined || value === wanted;
}

function holds(text: string, query: string | undefined): boolean {
  return query === undefined || fold(text).includes(fold(query));
}

function fits(ticket: Ticket, filter: TicketFilter): boolean {
  return (
    isWanted(ticket.tenantId, filter.tenantId) &&
    isWanted(ticket.requesterId, filter.requesterId) &&
    isWanted(ticket.assignee, filter.assignee) &&
    (filter.statuses === undefined || filter.statuses.includes(ticket.status)) &&
    (filter.priorities === undefined || filter.priorities.includes(ticket.priority)) &&
    holds(`${ticket.subject}\n${ticket.body}`, filter.query)
  );
}

function pageOf<Row extends { readonly createdAt: number; readonly id: string }>(
  rows: ReadonlyMap<string, Row>,
  { limit, after }: PageRequest,
  isWanted: (row: Row) => boolean,
): Page<Row> {
  const wanted = [...rows.values()].filter(isWanted);
  const newestFirst = wanted.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  const isAfter = ({ createdAt, id }: Row) =>
    after === undefined || createdAt < after[0] || (createdAt === after[0] && id < after[1]);
  const rest = newestFirst.filter(isAfter);
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return { items, ...(last !== undefined && rest.length > limit && { next: [last.createdAt, last.id] }) };
}
