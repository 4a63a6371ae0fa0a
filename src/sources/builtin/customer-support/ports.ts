/** What the support tools are given from outside: where the data is, and whose of it a caller may see. */
import type { Caller } from "../../../core/call/call.ts";
import type { ToolResult } from "../../../core/call/content.ts";
import { messageOf } from "../../../core/call/errors.ts";
import { failed } from "../../../core/call/tool-answer.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import { type Paging, pageRequest } from "./paging.ts";
import type { PageRequest, Scope, SupportStore } from "./store.ts";

export interface SupportPorts {
  /** Opens the store, once, at the first call of a tool. Without it the tools say that there is none. */
  readonly open?: () => Promise<SupportStore>;
  /** Whose rows a caller may see. Undefined: none. Without it every caller sees all. */
  readonly scopeOf?: (caller: Caller) => Scope | undefined;
}

/** What a tool works with: the store, and the caller's view of it. */
interface View {
  readonly store: SupportStore;
  readonly scope: Scope;
}

type Who = Pick<ToolContext, "caller">;

export interface Desk {
  /** Does the work, or answers why this caller has no store. */
  at(who: Who, work: (view: View) => Promise<ToolResult>): Promise<ToolResult>;
  /** The same for one page of a list. */
  page(
    who: Who,
    paging: Paging,
    work: (view: View, page: PageRequest) => Promise<ToolResult>,
  ): Promise<ToolResult>;
  close(): Promise<void>;
}

export function createDesk(ports: SupportPorts): Desk {
  let opening: Promise<SupportStore> | undefined;
  const at: Desk["at"] = async ({ caller }, work) => {
    if (ports.open === undefined)
      return failed({ code: "no_store", message: "No support database is configured here." });
    // A caller that nobody knows sees nothing, not everything.
    const scope = ports.scopeOf === undefined ? "all" : ports.scopeOf(caller);
    if (scope === undefined) {
      const message = "This caller belongs to no tenant, so there is nothing it may see.";
      return failed({ code: "no_tenant", message });
    }
    let store: SupportStore;
    opening ??= ports.open();
    try {
      store = await opening;
    } catch (error) {
      opening = undefined;
      return failed({ code: "no_store", message: messageOf(error) });
    }
    return work({ store, scope });
  };
  const page: Desk["page"] = async (who, paging, work) => {
    const request = pageRequest(paging);
    if (request !== undefined) return at(who, (view) => work(view, request));
    const message = "The cursor is not one that a list gave out. Leave it out to begin anew.";
    return failed({ code: "bad_cursor", message });
  };
  const close = async () => {
    const store = await opening?.catch(() => undefined);
    await store?.close();
  };
  return { at, page, close };
}
