/** Where users, tenants and tickets are kept: the port of every backend. Each method is told the scope. */
import { randomBytes } from "node:crypto";

export const ticketStatuses = ["open", "pending", "resolved", "closed"] as const;
export const ticketPriorities = ["low", "normal", "high", "urgent"] as const;

export type TicketStatus = (typeof ticketStatuses)[number];
export type TicketPriority = (typeof ticketPriorities)[number];

export interface Tenant {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly status: "active" | "suspended";
  readonly createdAt: number;
}

export interface User {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  /** Lower-case; one of its kind in its tenant. */
  readonly email: string;
  readonly role: "member" | "admin";
  readonly createdAt: number;
}

export interface Ticket {
  readonly id: string;
  readonly tenantId: string;
  readonly requesterId: string;
  readonly subject: string;
  readonly body: string;
  readonly status: TicketStatus;
  readonly priority: TicketPriority;
  /** Who of the support staff works on it. */
  readonly assignee: string | null;
  readonly tags: readonly string[];
  /** Counts from 1; every change makes it one higher. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface Comment {
  readonly author: string;
  readonly body: string;
  /** Not for the customer's eyes. */
  readonly internal: boolean;
  readonly at: number;
}

/** `comments` holds the newest, oldest of them first. */
export interface TicketWithComments extends Ticket {
  readonly comments: readonly Comment[];
  readonly commentCount: number;
}

/** Whose rows a call may see. Rows of others do not exist for it. */
export type Scope = "all" | { readonly tenantId: string };

/** Newest first; `after` is the last one of the page before. */
export interface PageRequest {
  readonly limit: number;
  readonly after?: PageKey | undefined;
}

export type PageKey = readonly [createdAt: number, id: string];

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Set when there is more. */
  readonly next?: PageKey;
}

export interface UserFilter {
  readonly tenantId?: string | undefined;
  readonly email?: string | undefined;
  /** Part of the name or the address. */
  readonly query?: string | undefined;
}

export interface TicketFilter {
  readonly tenantId?: string | undefined;
  readonly requesterId?: string | undefined;
  readonly assignee?: string | undefined;
  readonly statuses?: readonly TicketStatus[] | undefined;
  readonly priorities?: readonly TicketPriority[] | undefined;
  /** Part of the subject or the text. */
  readonly query?: string | undefined;
}

export interface TicketDraft {
  /** For imports; made when left out. */
  readonly id?: string | undefined;
  readonly requesterId: string;
  readonly subject: string;
  readonly body: string;
  readonly priority: TicketPriority;
  readonly tags: readonly string[];
}

export interface TicketChange {
  readonly subject?: string | undefined;
  readonly status?: TicketStatus | undefined;
  readonly priority?: TicketPriority | undefined;
  readonly assignee?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly comment?: Omit<Comment, "at"> | undefined;
}

export type Created =
  | { readonly ok: true; readonly ticket: Ticket }
  | { readonly ok: false; readonly code: "unknown_requester" | "exists" };

export type Updated =
  | { readonly ok: true; readonly ticket: Ticket }
  | { readonly ok: false; readonly code: "not_found" }
  | { readonly ok: false; readonly code: "stale"; readonly currentVersion: number };

export interface SupportStore {
  tenant(scope: Scope, id: string): Promise<Tenant | undefined>;
  tenants(
    scope: Scope,
    filter: { readonly query?: string | undefined },
    page: PageRequest,
  ): Promise<Page<Tenant>>;
  user(scope: Scope, id: string): Promise<User | undefined>;
  users(scope: Scope, filter: UserFilter, page: PageRequest): Promise<Page<User>>;
  ticket(scope: Scope, id: string): Promise<TicketWithComments | undefined>;
  tickets(scope: Scope, filter: TicketFilter, page: PageRequest): Promise<Page<Ticket>>;
  /** The ticket belongs to the tenant of its requester. */
  createTicket(scope: Scope, draft: TicketDraft): Promise<Created>;
  /** All of the change or nothing of it, and only of the version that was seen. */
  updateTicket(scope: Scope, id: string, version: number, change: TicketChange): Promise<Updated>;
  /** For imports. False: the id, or the address in its tenant, is taken. Throws without the tenant. */
  addTenant(tenant: Tenant): Promise<boolean>;
  addUser(user: User): Promise<boolean>;
  close(): Promise<void>;
}

export const maxCommentsShown = 50;

/** What a store takes from the world. */
export interface StoreOptions {
  readonly now?: () => number;
  /** Unguessable: an id tells nothing about how many tickets other tenants have. */
  readonly newId?: () => string;
}

export function newTicketId(): string {
  return `tic_${randomBytes(10).toString("hex")}`;
}

/** The ticket after a change, one version further. */
export function changed(ticket: Ticket, { comment: _said, ...change }: TicketChange, at: number): Ticket {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...ticket, ...Object.fromEntries(given), version: ticket.version + 1, updatedAt: at };
}

/** One spelling for what a person takes for the same word. */
export function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}
