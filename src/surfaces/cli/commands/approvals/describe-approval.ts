/** An approval for a person: what would run, who asks, why, and how long there is to answer. */
import { type AskingAgent, agentFacts } from "../../../../core/call/asking-agent.ts";
import { describeMeaning } from "../../../../core/call/describe-meaning.ts";
import { shownDuration } from "../../../../core/text/duration.ts";
import { plural } from "../../../../core/text/plural.ts";
import { visible } from "../../../../core/text/visible.ts";
import type { ApprovalRecord } from "../../../../open/open-store.ts";
import type { CliIo } from "../../terminal/io.ts";
import { shownRule } from "../../terminal/shown.ts";
import { formatTable } from "../../terminal/table.ts";

/** Enough of an id for people; the rest keeps others from guessing the id. */
export const shownIdLength = 8;

export function shownId(id: string): string {
  return visible(id.slice(0, shownIdLength));
}

export function approvalsTable(records: readonly ApprovalRecord[], now: number, io: CliIo): string {
  const rows = records.map(({ request }) => [
    shownId(request.id),
    request.toolId,
    request.caller,
    shownDuration(now - request.createdAt),
    shownDuration(request.expiresAt - now),
    JSON.stringify(request.input),
  ]);
  return formatTable(["ID", "TOOL", "ASKED BY", "AGE", "LEFT", "INPUT"], rows, io);
}

/** Everything of the input: nobody should approve what they did not see. */
export function describeApproval(record: ApprovalRecord, now: number, cwd: string): string {
  const { request, redactions } = record;
  const { toolId, title, caller, agent, sessionId, project, input, meaning, reason, rule } = request;
  const lines = [
    title === toolId ? visible(toolId) : `${visible(toolId)}: ${visible(title)}`,
    visible(JSON.stringify(input, null, 2), { keepNewlines: true }),
    ...(redactions === 0
      ? []
      : [`(${plural(redactions, "secret value")} not shown, and part of what is approved)`]),
    "",
    `asked by:   ${visible(caller)}${sessionId === undefined ? "" : `, session ${visible(sessionId)}`}`,
    ...(agent === undefined ? [] : [`agent:      ${visible(describeAgent(agent))}`]),
    `project:    ${visible(project)}`,
    ...describeMeaning(meaning).map(
      (line, index) => `${index === 0 ? "reaches:    " : "            "}${line}`,
    ),
    `because:    ${visible(reason)}`,
    ...(rule === undefined ? [] : [`rule:       ${shownRule(rule, cwd)}`]),
    `id:         ${visible(request.id)}`,
    `state:      ${describeState(record, now)}`,
  ];
  return `${lines.join("\n")}\n`;
}

function describeAgent(agent: AskingAgent): string {
  const { agent: name, agentVersion, agentTool, subAgent } = agentFacts(agent);
  return [
    `${name}${agentVersion === undefined ? "" : ` ${agentVersion}`}`,
    ...(agentTool === undefined ? [] : [`which calls the tool ${agentTool}`]),
    ...(subAgent === undefined ? [] : [`sub-agent ${subAgent}`]),
  ].join(", ");
}

function describeState({ state, answer, request, becauseOf }: ApprovalRecord, now: number): string {
  if (state === "pending") {
    const left = request.expiresAt - now;
    return left > 0 ? `waits, ${shownDuration(left)} left` : "expired";
  }
  const by =
    answer === undefined
      ? ""
      : ` (${answer.decision} by ${visible(answer.by)}${answer.via === undefined ? "" : `, by ${answer.via}`})`;
  const why = answer?.reason === undefined ? "" : `: ${visible(answer.reason)}`;
  const along = becauseOf === undefined ? "" : `, along with ${shownId(becauseOf)}`;
  return `${state}${by}${along}${why}`;
}

/** For programs. */
export function approvalJson(record: ApprovalRecord): object {
  const { request, redactions, state, answer, answeredAt, becauseOf } = record;
  return { ...request, redactions, state, answer, answeredAt, becauseOf };
}
