/** Finds the approval a person means by the start of its id. */
import { visible } from "../../../../core/text/visible.ts";
import type { ApprovalRecord, Store } from "../../../../open/open-store.ts";
import { shownId } from "./describe-approval.ts";

export type FoundApproval =
  | { readonly ok: true; readonly record: ApprovalRecord }
  | { readonly ok: false; readonly code: "unknown" | "ambiguous"; readonly message: string };

/** What waits comes first: an old one that begins alike must not be in the way. */
export async function findApproval(
  prefix: string,
  { approvals }: Pick<Store, "approvals">,
): Promise<FoundApproval> {
  const waiting = (await approvals.waiting()).filter(({ request }) => request.id.startsWith(prefix));
  const found = waiting.length > 0 ? waiting : await approvals.find(prefix);
  const [record] = found;
  if (prefix === "" || record === undefined) {
    const message = `No approval begins with "${visible(prefix)}"; toolgate approvals list shows what waits.`;
    return { ok: false, code: "unknown", message };
  }
  if (found.length === 1 || record.request.id === prefix) return { ok: true, record };
  const which = found.map(({ request }) => `${shownId(request.id)} (${visible(request.toolId)})`).join(", ");
  const message = `Several approvals begin with "${visible(prefix)}": ${which}. Type more of the id.`;
  return { ok: false, code: "ambiguous", message };
}
