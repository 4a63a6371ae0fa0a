/** A support store in a SQLite file of its own, which several processes may use at once. */
import { ToolgateError } from "../../../../core/call/errors.ts";
import {
  type Created,
  changed,
  fold,
  maxCommentsShown,
  newTicketId,
  type Scope,
  type StoreOptions,
  type SupportStore,
  type Ticket,
  type TicketChange,
  type TicketDraft,
  type TicketWithComments,
  type Updated,
} from "../store.ts";
import { openDatabase } from "./open-database.ts";
import { equals, oneOf, Queries, type Where } from "./query.ts";
import { toComment, toTenant, toTicket, toUser } from "./rows.ts";

export async function openSqliteSupport(file: string, options: StoreOptions = {}): Promise<SupportStore> {
  const { now = Date.now, newId = newTicketId } = options;
  const database = await openDatabase(file);
  const queries = new Queries(database);
  return {
    tenant: async (scope, id) => mapped(queries.find("tenants", scope, id), toTenant),
    tenants: async (scope, { query }, page) =>
      queries.page({ table: "tenants", scope, wheres: [contains(query)], toItem: toTenant }, page),
    user: async (scope, id) => mapped(queries.find("users", scope, id), toUser),
    users: async (scope, { tenantId, email, query }, page) => {
      const wheres = [equals("tenant_id", tenantId), equals("email", email && fold(email)), contains(query)];
      return queries.page({ table: "users", scope, wheres, toItem: toUser }, page);
    },
    ticket: async (scope, id) => findTicket(queries, scope, id),
    tickets: async (scope, { tenantId, requesterId, assignee, statuses, priorities, query }, page) => {
      const wheres = [
        equals("tenant_id", tenantId),
        equals("requester_id", requesterId),
        equals("assignee", assignee),
        oneOf("status", statuses),
        oneOf("priority", priorities),
        contains(query),
      ];
      return queries.page({ table: "tickets", scope, wheres, toItem: toTicket }, page);
    },
    createTicket: async (scope, { id = newId(), ...draft }) =>
      queries.inTransaction(() => createTicket(queries, scope, { ...draft, id }, now())),
    updateTicket: async (scope, id, version, change) =>
      queries.inTransaction(() => updateTicket(queries, { scope, id, version, change, at: now() })),
    addTenant: async ({ id, name, plan, status, createdAt }) =>
      queries.run(
        "INSERT INTO tenants (id, name, plan, status, search, created_at) VALUES (:id, :name, :plan, :status, :search, :createdAt) ON CONFLICT DO NOTHING",
        { id, name, plan, status, search: fold(name), createdAt },
      ) > 0,
    addUser: async ({ id, tenantId, name, email, role, createdAt }) => {
      if (queries.find("tenants", "all", tenantId) === undefined)
        throw new ToolgateError(`There is no tenant "${tenantId}".`);
      const search = fold(`${name}\n${email}`);
      return (
        queries.run(
          "INSERT INTO users (id, tenant_id, name, email, role, search, created_at) VALUES (:id, :tenantId, :name, :email, :role, :search, :createdAt) ON CONFLICT DO NOTHING",
          { id, tenantId, name, email: fold(email), role, search, createdAt },
        ) > 0
      );
    },
    close: async () => {
      if (database.isOpen) database.close();
    },
  };
}

function mapped<From, To>(row: From | undefined, to: (row: From) => To): To | undefined {
  return row === undefined ? undefined : to(row);
}

function contains(query: string | undefined): Where {
  return query === undefined ? undefined : ["instr(search, :query) > 0", { query: fold(query) }];
}

function findTicket(queries: Queries, scope: Scope, id: string): TicketWithComments | undefined {
  const row = queries.find("tickets", scope, id);
  if (row === undefined) return undefined;
  const newest = queries.all("SELECT * FROM comments WHERE ticket_id = :id ORDER BY id DESC LIMIT :most", {
    id,
    most: maxCommentsShown,
  });
  const count = queries.get("SELECT count(*) AS count FROM comments WHERE ticket_id = :id", { id });
  return { ...toTicket(row), comments: newest.map(toComment).reverse(), commentCount: Number(count?.count) };
}

function createTicket(
  queries: Queries,
  scope: Scope,
  { id, requesterId, subject, body, priority, tags }: TicketDraft & { readonly id: string },
  at: number,
): Created {
  const requester = queries.find("users", scope, requesterId);
  if (requester === undefined) return { ok: false, code: "unknown_requester" };
  const { tenantId } = toUser(requester);
  const inserted = queries.run(
    `INSERT INTO tickets
       (id, tenant_id, requester_id, subject, body, status, priority, assignee, tags, search, version, created_at, updated_at)
     VALUES (:id, :tenantId, :requesterId, :subject, :body, 'open', :priority, NULL, :tags, :search, 1, :at, :at) ON CONFLICT DO NOTHING`,
    { id, tenantId, requesterId, subject, body, priority, at, ...derived({ subject, body, tags }) },
  );
  const row = inserted > 0 ? queries.find("tickets", scope, id) : undefined;
  return row === undefined ? { ok: false, code: "exists" } : { ok: true, ticket: toTicket(row) };
}

interface Update {
  readonly scope: Scope;
  readonly id: string;
  readonly version: number;
  readonly change: TicketChange;
  readonly at: number;
}

/** Inside a transaction: what is compared is what is changed. */
function updateTicket(queries: Queries, { scope, id, version, change, at }: Update): Updated {
  const row = queries.find("tickets", scope, id);
  if (row === undefined) return { ok: false, code: "not_found" };
  const before = toTicket(row);
  if (before.version !== version) return { ok: false, code: "stale", currentVersion: before.version };
  const ticket = changed(before, change, at);
  const { subject, status, priority, assignee } = ticket;
  queries.run(
    `UPDATE tickets SET subject = :subject, status = :status, priority = :priority, assignee = :assignee, tags = :tags,
       search = :search, version = version + 1, updated_at = :at WHERE id = :id AND version = :version`,
    { id, version, subject, status, priority, assignee, at, ...derived(ticket) },
  );
  const { comment } = change;
  if (comment !== undefined)
    queries.run(
      "INSERT INTO comments (ticket_id, author, body, internal, at) VALUES (:id, :author, :body, :internal, :at)",
      { id, author: comment.author, body: comment.body, internal: comment.internal ? 1 : 0, at },
    );
  return { ok: true, ticket };
}

/** The columns that hold a ticket's fields in another form. */
function derived({ subject, body, tags }: Pick<Ticket, "subject" | "body" | "tags">) {
  return { tags: JSON.stringify(tags), search: fold(`${subject}\n${body}`) };
}
