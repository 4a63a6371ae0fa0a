/** All support tools over one store, which is opened when the first of them is called. */
import type { AnyTool } from "../../../core/tool/tool.ts";
import { createDesk, type SupportPorts } from "./ports.ts";
import { createTenantGet } from "./tenant-get.ts";
import { createTenantList } from "./tenant-list.ts";
import { createTicketCreate } from "./ticket-create.ts";
import { createTicketGet } from "./ticket-get.ts";
import { createTicketList } from "./ticket-list.ts";
import { createTicketUpdate } from "./ticket-update.ts";
import { createUserGet } from "./user-get.ts";
import { createUserList } from "./user-list.ts";

export interface SupportTools {
  readonly tools: readonly AnyTool[];
  close(): Promise<void>;
}

export function createSupportTools(ports: SupportPorts): SupportTools {
  const { open, close } = createDesk(ports);
  const tools = [
    createUserGet(open),
    createUserList(open),
    createTenantGet(open),
    createTenantList(open),
    createTicketGet(open),
    createTicketList(open),
    createTicketCreate(open),
    createTicketUpdate(open),
  ];
  return { tools, close };
}
