/** What came before a question: the last calls of its session, and how people answered the like. */

import type { RuleRef } from "../../../core/call/errors.ts";
import { defined } from "../../../core/input/defined.ts";
import { isJsonObject, type Json } from "../../../core/input/json.ts";
import type { LedgerEntry } from "../../../core/ports/ledger-reader.ts";
import type { ApprovalRecord, Store } from "../../../open/open-store.ts";
import type { PastAnswers, PastCall } from "../contract.ts";
import { summaryOf } from "./summary.ts";

const mostCalls = 8;
const mostAnswers = 5;

export async function lastCalls(
  { ledger }: Pick<Store, "ledger">,
  { sessionId, caller, createdAt }: ApprovalRecord["request"],
): Promise<PastCall[]> {
  if (sessionId === undefined) return [];
  const filter = { session: sessionId, caller, since: createdAt - lookBackMs };
  const { entries } = await ledger.query(filter, { limit: mostCalls });
  return entries.map(toCall);
}

/** A session that was quiet for longer is begun anew. */
const lookBackMs = 24 * 3_600_000;

export function toCall({ seq, at, callId, tool, body }: LedgerEntry): PastCall {
  const { verdict, ok, code, rule, input } = body;
  const shownInput = isJsonObject(input as Json) ? (input as Record<string, Json>) : {};
  return defined({
    seq,
    at,
    callId,
    tool: tool ?? "",
    summary: summaryOf(tool ?? "", shownInput),
    verdict: typeof verdict === "string" ? verdict : "unknown",
    ok: ok === true,
    code: typeof code === "string" ? code : undefined,
    rule: isJsonObject(rule as Json) ? (rule as unknown as PastCall["rule"]) : undefined,
  });
}

export interface Like {
  readonly rule: PastAnswers;
  readonly program?: { readonly name: string; readonly answers: PastAnswers };
}

/** Of the same tool: those of the same rule, and of a command those that start the same program. */
export async function likeAnswers(
  { approvals }: Pick<Store, "approvals">,
  { id, toolId, rule }: ApprovalRecord["request"],
  program: string | undefined,
): Promise<Like> {
  const past = (await approvals.past({ tool: toolId, limit: 500 })).filter(
    ({ request }) => request.id !== id,
  );
  const same = past.filter(({ request }) => isSameRule(request.rule, rule));
  if (program === undefined) return { rule: count(same) };
  const started = past.filter(({ request }) => request.meaning.programs.some(({ name }) => name === program));
  return { rule: count(same), program: { name: program, answers: count(started) } };
}

function isSameRule(one: RuleRef | undefined, other: RuleRef | undefined): boolean {
  return one?.kind === other?.kind && one?.name === other?.name && one?.source?.file === other?.source?.file;
}

function count(records: readonly ApprovalRecord[]): PastAnswers {
  const of = (decision: string) => records.filter(({ answer }) => answer?.decision === decision).length;
  return {
    asked: records.length,
    approved: of("approve"),
    denied: of("deny"),
    expired: records.filter(({ state }) => state === "expired").length,
    latest: records
      .flatMap(({ request, answer, answeredAt }) =>
        answer === undefined || answeredAt === undefined ? [] : [{ request, answer, answeredAt }],
      )
      .slice(0, mostAnswers)
      .map(({ request, answer, answeredAt }) => {
        const { decision, by, reason } = answer;
        const summary = summaryOf(request.toolId, request.input);
        return defined({ id: request.id, at: answeredAt, decision, by, reason, summary });
      }),
  };
}
