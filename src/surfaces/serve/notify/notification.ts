/** What is told about a question: who asks, by which rule, how long there is time, where to answer. Never the input. */
import type { ApprovalRequest } from "../../../core/call/approval.ts";
import { defined } from "../../../core/input/defined.ts";
import { shownDuration } from "../../../core/text/duration.ts";
import { visible } from "../../../core/text/visible.ts";

export interface Notification {
  /** `questions`: several came at once. */
  readonly kind: "question" | "questions";
  /** One sentence, for services that show nothing else. */
  readonly text: string;
  readonly url: string;
  /** How many questions it is about. */
  readonly count: number;
  readonly id?: string;
  readonly tool?: string;
  readonly caller?: string;
  readonly agent?: string;
  readonly rule?: string;
  /** ISO time. */
  readonly expiresAt?: string;
}

/** `link`: where the console is. */
export function toNotification(
  asked: readonly ApprovalRequest[],
  link: string,
  now: number,
): Notification | undefined {
  const [first, ...others] = asked;
  if (first === undefined) return undefined;
  const base = link.replace(/\/+$/, "");
  if (others.length > 0) {
    const text = `${asked.length} calls wait for an answer.`;
    return { kind: "questions", text: `${text} ${base}/inbox`, url: `${base}/inbox`, count: asked.length };
  }
  const url = `${base}/inbox/${encodeURIComponent(first.id)}`;
  const caller = line(first.caller);
  const tool = line(first.toolId);
  const rule = first.rule && line(first.rule.name);
  const agent = first.agent && line(first.agent.name);
  const left = shownDuration(Math.max(0, first.expiresAt - now));
  const why = rule === undefined ? "" : ` (rule ${rule})`;
  return defined({
    kind: "question" as const,
    text: `${caller} asks for ${tool}${why}, ${left} left: ${url}`,
    url,
    count: 1,
    id: first.id,
    tool,
    caller,
    agent,
    rule,
    expiresAt: new Date(first.expiresAt).toISOString(),
  });
}

/** Names come from agents: nothing in them may look like more lines, or move what is read. */
function line(text: string): string {
  return visible(text, { maxLength: 100 });
}
