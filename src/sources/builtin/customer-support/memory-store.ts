/** A support store in memory: for tests and for trying things out. */
import { ToolgateError } from "../../../core/call/errors.ts";
import {
  type Comment,
  fold,
  maxCommentsShown,
  type Page,
  type PageRequest,
  type Scope,
  type SupportStore,
  type Tenant,
  type Ticket,
  type TicketFilter,
  type User,
} from "./store.ts";
import { type StoreOptions, withDefaults } from "./store-options.ts";

export function createMemorySupport(options: StoreOptions = {}): SupportStore {
  const { now, newId } = withDefaults(options);
  const tenants = new Map<string, Tenant>();
  const users = new Map<string, User>();
  const tickets = new Map<string, Ticket>();
  const comments = new Map<string, Comment[]>();

  return {
    tenant: async (scope, id) => seen(scope, tenants.get(id), (tenant) => tenant.id),
    tenants: async (scope, { query }, page) =>
      pageOf(
        [...tenants.values()].filter((one) => sees(scope, one.id) && holds(one.name, query)),
        page,
      ),
    user: async (scope, id) => seen(scope, users.get(id), ({ tenantId }) => tenantId),
    users: async (scope, { tenantId, email, query }, page) =>
      pageOf(
        [...users.values()].filter(
          (one) =>
            sees(scope, one.tenantId) &&
            isWanted(one.tenantId, tenantId) &&
            isWanted(one.email, email === undefined ? undefined : fold(email)) &&
            holds(`${one.name}\n${one.email}`, query),
        ),
        page,
      ),
    ticket: async (scope, id) => {
      const ticket = seen(scope, tickets.get(id), ({ tenantId }) => tenantId);
      if (ticket === undefined) return undefined;
      const all = comments.get(id) ?? [];
      return { ...ticket, comments: all.slice(-maxCommentsShown), commentCount: all.length };
    },
    tickets: async (scope, filter, page) =>
      pageOf(
        [...tickets.values()].filter((one) => sees(scope, one.tenantId) && fits(one, filter)),
        page,
      ),
    createTicket: async (scope, { id = newId(), ...draft }) => {
      const requester = seen(scope, users.get(draft.requesterId), ({ tenantId }) => tenantId);
      if (requester === undefined) return { ok: false, code: "unknown_requester" };
      if (tickets.has(id)) return { ok: false, code: "exists" };
      const at = now();
      const { tenantId } = requester;
      const ticket: Ticket = {
        ...draft,
        id,
        tenantId,
        status: "open",
        assignee: null,
        version: 1,
        createdAt: at,
        updatedAt: at,
      };
      tickets.set(id, ticket);
      return { ok: true, ticket };
    },
    updateTicket: async (scope, id, version, { comment, ...change }) => {
      const ticket = seen(scope, tickets.get(id), ({ tenantId }) => tenantId);
      if (ticket === undefined) return { ok: false, code: "not_found" };
      if (ticket.version !== version) return { ok: false, code: "stale", currentVersion: ticket.version };
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      const at = now();
      const changed: Ticket = { ...ticket, ...given, version: version + 1, updatedAt: at };
      tickets.set(id, changed);
      if (comment !== undefined) comments.set(id, [...(comments.get(id) ?? []), { ...comment, at }]);
      return { ok: true, ticket: changed };
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

function seen<Row>(scope: Scope, row: Row | undefined, tenantOf: (row: Row) => string): Row | undefined {
  return row !== undefined && sees(scope, tenantOf(row)) ? row : undefined;
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
  rows: readonly Row[],
  { limit, after }: PageRequest,
): Page<Row> {
  const newestFirst = rows.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
  const isAfter = ({ createdAt, id }: Row) =>
    after === undefined || createdAt < after[0] || (createdAt === after[0] && id < after[1]);
  const rest = newestFirst.filter(isAfter);
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return { items, ...(last !== undefined && rest.length > limit && { next: [last.createdAt, last.id] }) };
}
