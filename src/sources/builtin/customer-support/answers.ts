/** How the support tools answer: a row or a page as text for the model and as data for a program. */
import type { ToolResult } from "../../../core/call/content.ts";
import { failed } from "../../../core/call/tool-answer.ts";
import { visible } from "../../../core/text/visible.ts";
import { cutAnswer } from "../fit-lines.ts";
import { toCursor } from "./paging.ts";
import type { Page, Tenant, Ticket, TicketWithComments, User } from "./store.ts";

/** The row, or that there is none. */
export function found<Row extends object>(
  what: string,
  id: string,
  row: Row | undefined,
  write: (row: Row) => string,
): ToolResult {
  return row === undefined ? notThere(what, id) : cutAnswer(write(row), row);
}

export function notThere(what: string, id: string): ToolResult {
  return failed({ code: "not_found", message: `There is no ${what} ${JSON.stringify(id)}.` });
}

export function pageAnswer<Item>(page: Page<Item>, lineOf: (item: Item) => string): ToolResult {
  const lines = page.items.map(lineOf);
  if (lines.length === 0) lines.push("[Nothing fits.]");
  const cursor = page.next && toCursor(page.next);
  if (cursor !== undefined) lines.push(`[There is more: call again with cursor ${cursor}]`);
  const structured = { items: page.items, ...(cursor !== undefined && { cursor }) };
  return cutAnswer(lines.join("\n"), structured);
}

export function tenantLine({ id, name, plan, status, createdAt }: Tenant): string {
  return `${id} ${line(name)}, plan ${line(plan)}, ${status}, since ${day(createdAt)}`;
}

export function userLine({ id, tenantId, name, email, role, createdAt }: User): string {
  return `${id} ${line(name)} <${line(email)}>, ${role} of ${tenantId}, since ${day(createdAt)}`;
}

export function ticketLine(ticket: Omit<Ticket, "body">): string {
  const { id, subject, status, priority, version, assignee, tenantId, createdAt } = ticket;
  const who = assignee === null ? "nobody" : line(assignee);
  return `${id} ${line(subject)} (${status}, ${priority}, version ${version}, ${tenantId}, ${day(createdAt)}, assigned to ${who})`;
}

export function ticketText(ticket: TicketWithComments): string {
  const { requesterId, tags, body, comments, commentCount, updatedAt } = ticket;
  const hidden = commentCount - comments.length;
  const parts = [
    ticketLine(ticket),
    `requester: ${requesterId}${tags.length === 0 ? "" : `, tags: ${tags.map(line).join(", ")}`}, changed ${time(updatedAt)}`,
    "",
    words(body),
  ];
  if (commentCount > 0) parts.push("", `Comments (${commentCount}):`);
  if (hidden > 0) parts.push(`[${hidden} older ones are not shown]`);
  for (const { author, body: said, internal, at } of comments)
    parts.push(`- ${time(at)} ${line(author)}${internal ? " (internal)" : ""}: ${words(said)}`);
  return parts.join("\n");
}

/** Customers write these: nothing hidden, and a line stays one. */
function line(text: string): string {
  return visible(text, { maxLength: 300 });
}

function words(text: string): string {
  return visible(text.replaceAll("\r\n", "\n"), { keepNewlines: true });
}

function day(at: number): string {
  return time(at).slice(0, 10);
}

function time(at: number): string {
  return new Date(at).toISOString();
}
