/** A support store in a SQLite file of its own, which several processes may use at once. */
import { ToolgateError } from "../../../../core/call/errors.ts";
import {
  type Created,
  fold,
  maxCommentsShown,
  type Scope,
  type SupportStore,
  type Ticket,
  type TicketChange,
  type TicketDraft,
  type TicketWithComments,
  type Updated,
} from "../store.ts";
import { type StoreOptions, withDefaults } from "../store-options.ts";
import { openDatabase } from "./open-database.ts";
import { Queries, type Where } from "./query.ts";
import { toComment, toTenant, toTicket, toUser } from "./rows.ts";

export async function openSqliteSupport(file: string, options: StoreOptions = {}): Promise<SupportStore> {
  const { now, newId } = withDefaults(options);
  const database = await openDatabase(file);
  const queries = new Queries(database);
  return {
    tenant: async (scope, id) => mapped(queries.find("tenants", scope, id), toTenant),
    tenants: async (scope, { query }, page) =>
      queries.page("tenants", scope, [contains(query)], page, toTenant),
    user: async (scope, id) => mapped(queries.find("users", scope, id), toUser),
    users: async (scope, { tenantId, email, query }, page) =>
      queries.page(
        "users",
        scope,
        [
          tenantId === undefined ? undefined : ["tenant_id = :tenantId", { tenantId }],
          email === undefined ? undefined : ["email = :email", { email: fold(email) }],
          contains(query),
        ],
        page,
        toUser,
      ),
    ticket: async (scope, id) => findTicket(queries, scope, id),
    tickets: async (scope, { tenantId, requesterId, assignee, statuses, priorities, query }, page) =>
      queries.page(
        "tickets",
        scope,
        [
          tenantId === undefined ? undefined : ["tenant_id = :tenantId", { tenantId }],
          requesterId === undefined ? undefined : ["requester_id = :requesterId", { requesterId }],
          assignee === undefined ? undefined : ["assignee = :assignee", { assignee }],
          oneOf("status IN (SELECT value FROM json_each(:statuses))", "statuses", statuses),
          oneOf("priority IN (SELECT value FROM json_each(:priorities))", "priorities", priorities),
          contains(query),
        ],
        page,
        toTicket,
      ),
    createTicket: async (scope, draft) =>
      queries.inTransaction(() => createTicket(queries, scope, draft, draft.id ?? newId(), now())),
    updateTicket: async (scope, id, version, change) =>
      queries.inTransaction(() => updateTicket(queries, scope, id, version, change, now())),
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

function oneOf(sql: string, name: string, values: readonly string[] | undefined): Where {
  return values === undefined ? undefined : [sql, { [name]: JSON.stringify(values) }];
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
  { requesterId, subject, body, priority, tags }: TicketDraft,
  id: string,
  at: number,
): Created {
  const requester = queries.find("users", scope, requesterId);
  if (requester === undefined) return { ok: false, code: "unknown_requester" };
  const { tenantId } = toUser(requester);
  const inserted = queries.run(
    `INSERT INTO tickets
       (id, tenant_id, requester_id, subject, body, status, priority, assignee, tags, search, version, created_at, updated_at)
     VALUES (:id, :tenantId, :requesterId, :subject, :body, 'open', :priority, NULL, :tags, :search, 1, :at, :at) ON CONFLICT DO NOTHING`,
    {
      id,
      tenantId,
      requesterId,
      subject,
      body,
      priority,
      tags: JSON.stringify(tags),
      search: searchOf(subject, body),
      at,
    },
  );
  const row = inserted > 0 ? queries.find("tickets", scope, id) : undefined;
  return row === undefined ? { ok: false, code: "exists" } : { ok: true, ticket: toTicket(row) };
}

/** Inside a transaction: what is compared is what is changed. */
function updateTicket(
  queries: Queries,
  scope: Scope,
  id: string,
  version: number,
  change: TicketChange,
  at: number,
): Updated {
  const row = queries.find("tickets", scope, id);
  if (row === undefined) return { ok: false, code: "not_found" };
  const before = toTicket(row);
  if (before.version !== version) return { ok: false, code: "stale", currentVersion: before.version };
  const { subject = before.subject, status = before.status, priority = before.priority } = change;
  const { assignee = before.assignee, tags = before.tags, comment } = change;
  const ticket: Ticket = {
    ...before,
    subject,
    status,
    priority,
    assignee,
    tags,
    version: version + 1,
    updatedAt: at,
  };
  queries.run(
    `UPDATE tickets SET subject = :subject, status = :status, priority = :priority, assignee = :assignee, tags = :tags,
       search = :search, version = version + 1, updated_at = :at WHERE id = :id AND version = :version`,
    {
      id,
      version,
      subject,
      status,
      priority,
      assignee,
      tags: JSON.stringify(tags),
      search: searchOf(subject, before.body),
      at,
    },
  );
  if (comment !== undefined)
    queries.run(
      "INSERT INTO comments (ticket_id, author, body, internal, at) VALUES (:id, :author, :body, :internal, :at)",
      { id, author: comment.author, body: comment.body, internal: comment.internal ? 1 : 0, at },
    );
  return { ok: true, ticket };
}

function searchOf(subject: string, body: string): string {
  return fold(`${subject}\n${body}`);
}
