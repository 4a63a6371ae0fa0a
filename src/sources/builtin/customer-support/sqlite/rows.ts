/** Rows of the support database as the store's own shapes. */
import type { SQLOutputValue } from "node:sqlite";
import type { Comment, Tenant, Ticket, User } from "../store.ts";

export type Row = Readonly<Record<string, SQLOutputValue>>;

export function toTenant(row: Row): Tenant {
  return {
    id: String(row.id),
    name: String(row.name),
    plan: String(row.plan),
    status: row.status as Tenant["status"],
    createdAt: Number(row.created_at),
  };
}

export function toUser(row: Row): User {
  return {
    id: String(row.id),
    tenantId: String(row.tenant_id),
    name: String(row.name),
    email: String(row.email),
    role: row.role as User["role"],
    createdAt: Number(row.created_at),
  };
}

export function toTicket(row: Row): Ticket {
  return {
    id: String(row.id),
    tenantId: String(row.tenant_id),
    requesterId: String(row.requester_id),
    subject: String(row.subject),
    body: String(row.body),
    status: row.status as Ticket["status"],
    priority: row.priority as Ticket["priority"],
    assignee: row.assignee === null ? null : String(row.assignee),
    tags: JSON.parse(String(row.tags)) as string[],
    version: Number(row.version),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}

export function toComment(row: Row): Comment {
  return {
    author: String(row.author),
    body: String(row.body),
    internal: row.internal === 1,
    at: Number(row.at),
  };
}
