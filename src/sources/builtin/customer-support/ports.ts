/** What the support tools are given from outside: where the data is, and whose of it a caller may see. */
import type { Caller } from "../../../core/call/call.ts";
import { messageOf } from "../../../core/call/errors.ts";
import type { Failed } from "../../../core/call/tool-answer.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import type { Scope, SupportStore } from "./store.ts";

export interface SupportPorts {
  /** Opens the store; called once, at the first call of a tool. Without it the tools say that there is none. */
  readonly open?: () => Promise<SupportStore>;
  /** Whose rows a caller may see. Undefined: none. Without it every caller sees all. */
  readonly scopeOf?: (caller: Caller) => Scope | undefined;
}

/** What a tool works with: the store, and the caller's view of it. */
export interface Desk {
  readonly ok: true;
  readonly store: SupportStore;
  readonly scope: Scope;
}

export type OpenDesk = (context: Pick<ToolContext, "caller">) => Promise<Desk | Failed>;

export function createDesk(ports: SupportPorts): { readonly open: OpenDesk; close(): Promise<void> } {
  let opening: Promise<SupportStore> | undefined;
  const open: OpenDesk = async ({ caller }) => {
    if (ports.open === undefined) return refuse("no_store", "No support database is configured here.");
    // A caller that nobody knows sees nothing, not everything.
    const scope = ports.scopeOf === undefined ? "all" : ports.scopeOf(caller);
    if (scope === undefined)
      return refuse("no_tenant", "This caller belongs to no tenant, so there is nothing it may see.");
    opening ??= ports.open();
    try {
      return { ok: true, store: await opening, scope };
    } catch (error) {
      opening = undefined;
      return refuse("no_store", messageOf(error));
    }
  };
  const close = async () => {
    const store = await opening?.catch(() => undefined);
    await store?.close();
  };
  return { open, close };
}

function refuse(code: string, message: string) {
  return { ok: false, code, message } as const;
}
