/** All support tools over one store, which is opened when the first of them is called. */
import type { ToolSet } from "../define-builtin.ts";
import { createDesk, type SupportPorts } from "./ports.ts";
import { createTenantGet, createTenantList } from "./tenants.ts";
import { createTicketCreate } from "./ticket-create.ts";
import { createTicketUpdate } from "./ticket-update.ts";
import { createTicketGet, createTicketList } from "./tickets.ts";
import { createUserGet, createUserList } from "./users.ts";

export function createSupportTools(ports: SupportPorts): ToolSet {
  const desk = createDesk(ports);
  const tools = [
    createUserGet(desk),
    createUserList(desk),
    createTenantGet(desk),
    createTenantList(desk),
    createTicketGet(desk),
    createTicketList(desk),
    createTicketCreate(desk),
    createTicketUpdate(desk),
  ];
  return { tools, close: desk.close };
}
