/** A question as the inbox shows it: one line of what would run, how dangerous that looks, and whether it can still be answered. */
import type { Approval, ApprovalPreview, Tool } from "toolgate/contract";

export type Danger = "low" | "high";

/** On doubt it is dangerous: what nobody has taken apart, and what leaves the workspace. */
export function dangerOf(
  approval: Approval,
  preview: ApprovalPreview | undefined,
  tool: Tool | undefined,
): Danger {
  if (preview !== undefined) return preview.call.danger;
  const leaves = approval.meaning.paths.some(({ inside, protected: why }) => !inside || why !== undefined);
  return leaves || tool === undefined || tool.permission === "execute" ? "high" : "low";
}

const mainFields = ["command", "cmd", "script", "url", "path", "file_path", "pattern", "query", "name"];

/** What will run, as far as one line can say it; the card says all of it. */
export function summaryOf({ tool, input, title }: Approval): string {
  for (const field of mainFields) {
    const value = input[field];
    if (typeof value === "string" && value !== "")
      return field === "path" || field === "file_path" ? `${tool} ${value}` : value;
  }
  const text = JSON.stringify(input);
  return text === "{}" ? title : `${tool} ${text}`;
}

export function isWaiting({ state }: Approval): boolean {
  return state === "pending" || state === "waiting";
}

/** Why a card has no buttons any more. */
export function endOf(approval: Approval): string {
  const { state, answer } = approval;
  const because = answer?.reason === undefined ? "" : `: “${answer.reason}”`;
  if (answer?.decision === "approve") return `Approved by ${answer.by}${because}.`;
  if (answer?.decision === "deny") return `Denied by ${answer.by}${because}.`;
  if (state === "expired") return "Nobody answered in time. The agent was told so, and did not run it.";
  if (state === "withdrawn") return "Withdrawn: the call was cancelled before anybody answered.";
  return "Gone: the process that asked has ended.";
}

/** Grouped by session; the session with the nearest deadline first, in it the nearest deadline first. */
export function inOrder(approvals: readonly Approval[]): Approval[] {
  const groupOf = (one: Approval) => one.sessionId ?? one.callId;
  const nearest = new Map<string, number>();
  for (const one of approvals) {
    const known = nearest.get(groupOf(one)) ?? Infinity;
    nearest.set(groupOf(one), Math.min(known, one.expiresAt));
  }
  return [...approvals].sort(
    (a, b) =>
      (nearest.get(groupOf(a)) ?? 0) - (nearest.get(groupOf(b)) ?? 0) ||
      groupOf(a).localeCompare(groupOf(b)) ||
      a.expiresAt - b.expiresAt,
  );
}
