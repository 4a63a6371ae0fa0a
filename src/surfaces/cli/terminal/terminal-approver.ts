/** Asks the person at the terminal whether a call may run. */

import type { ApprovalAnswer, ApprovalRequest, Approver } from "../../../core/call/approval.ts";
import { describeMeaning } from "../../../core/call/describe-meaning.ts";
import { visible } from "../../../core/text/visible.ts";
import { agentAround } from "../agent-around.ts";
import { type CliIo, Interrupted } from "./io.ts";
import { shownRule } from "./shown.ts";

interface ApproverOptions {
  /** A person who typed `--yes` has answered already. */
  readonly yes?: boolean | undefined;
}

/** Undefined: nobody is there to ask. */
export function createTerminalApprover({ yes }: ApproverOptions, io: CliIo): Approver | undefined {
  if (yes === true) return { name: "--yes", ask: () => ({ decision: "approve", scope: "once" }) };
  if (!io.isTerminal || io.stdinIsTerminal !== true) return undefined;
  // At a terminal that an agent has made, the agent would answer.
  if (agentAround(io) !== undefined) return undefined;
  return { name: "the person at the terminal", ask: (request, { signal }) => ask(request, signal, io) };
}

async function ask(
  request: ApprovalRequest,
  signal: AbortSignal,
  io: CliIo,
): Promise<Omit<ApprovalAnswer, "by">> {
  const prompts = await import("@clack/prompts");
  prompts.note(describeRequest(request, io.cwd), `May ${request.toolId} run?`);
  const answer = await prompts.select({
    message: "Your answer",
    initialValue: "deny",
    options: [
      { value: "approve", label: "Approve this call once" },
      { value: "deny", label: "Deny it" },
    ],
    signal,
  });
  // Escape and Ctrl-C are no yes.
  if (typeof answer === "symbol") throw new Interrupted("nobody answered");
  if (answer === "approve") return { decision: "approve", scope: "once" };
  const reason = await prompts.text({ message: "Why? (may stay empty)", signal });
  return { decision: "deny", ...(typeof reason === "string" && reason !== "" && { reason }) };
}

/** Long enough to see what would happen, short enough to read. */
const maxShownInput = 4_000;

function describeRequest({ title, input, meaning, reason, rule }: ApprovalRequest, cwd: string): string {
  const by = rule === undefined ? "" : `\nRule: ${shownRule(rule, cwd)}`;
  const shown = visible(JSON.stringify(input, null, 2), { keepNewlines: true, maxLength: maxShownInput });
  const reached = describeMeaning(meaning).map((line) => `\n  ${line}`);
  const reaches = reached.length === 0 ? "" : `\nIt reaches:${reached.join("")}`;
  return `${visible(title)}\n${shown}${reaches}\n\nIt asks because: ${visible(reason, { keepNewlines: true })}${by}`;
}
