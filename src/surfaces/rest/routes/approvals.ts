/** Approvals: what waits for a person in any process that shares the store, and the answer. */

import type { AnswerResult } from "../../../core/call/approval.ts";
import { defined } from "../../../core/input/defined.ts";
import { shownName } from "../../../core/text/visible.ts";
import type { Store } from "../../../open/open-store.ts";
import { json } from "../../http/answer.ts";
import { type ProblemAnswer, problem, type RequestProblemCode } from "../../http/problem.ts";
import type { Answered, Approval, ApprovalList } from "../contract.ts";
import { defineStoreRoute } from "../rest-route.ts";
import { answerBody, answered, approval, approvalList } from "../schemas/approvals.ts";

const listApprovals = defineStoreRoute({
  method: "GET",
  path: "/api/approvals",
  right: ["read", "approve"],
  summary: "What waits for a person, oldest first",
  answers: { 200: approvalList },
  handle: async (_request, { store }) =>
    json<ApprovalList>({ approvals: (await store.approvals.waiting()).map(toApproval) }),
});

const getApproval = defineStoreRoute({
  method: "GET",
  path: "/api/approvals/:id",
  right: ["read", "approve"],
  summary: "One approval, whatever became of it",
  params: { id: "The whole id." },
  answers: { 200: approval },
  async handle({ params }, { store }) {
    const found = (await store.approvals.find(params.id)).find(({ request }) => request.id === params.id);
    return found === undefined ? noApproval(params.id) : json(toApproval(found));
  },
});

const answerApproval = defineStoreRoute({
  method: "POST",
  path: "/api/approvals/:id/answer",
  right: "approve",
  summary: "Approves, approves with another input, or denies",
  description:
    "The answer is given by the token's caller, which must not be the one that asked. The first answer counts.",
  params: { id: "The whole id." },
  body: answerBody,
  answers: { 200: answered },
  async handle({ params: { id }, body, holder }, { store }) {
    const by = holder.caller.id;
    const result = await store.approvals.answer(id, { ...body, by });
    if (!result.ok) return refuse(id, result);
    return json<Answered>({ id, decision: body.decision, by });
  },
});

export const approvalRoutes = [listApprovals, getApproval, answerApproval];

const problemOf = {
  unknown: "not_found",
  already_answered: "conflict",
  expired: "conflict",
  withdrawn: "conflict",
  self_approval: "forbidden",
  bad_answer: "invalid_body",
} as const satisfies Record<Exclude<AnswerResult, { ok: true }>["code"], RequestProblemCode>;

function refuse(id: string, { code, message }: Exclude<AnswerResult, { ok: true }>): ProblemAnswer {
  return code === "unknown" ? noApproval(id) : problem(problemOf[code], message);
}

export function noApproval(id: string): ProblemAnswer {
  return problem("not_found", `There is no approval ${shownName(id)}.`, {
    hint: "GET /api/approvals lists what waits.",
  });
}

type ApprovalRecord = Awaited<ReturnType<Store["approvals"]["waiting"]>>[number];

function toApproval({ request, redactions, state, answer, answeredAt }: ApprovalRecord): Approval {
  const { id, callId, sessionId, toolUseId, toolId: tool, title, description, caller, project } = request;
  const { agent, input, inputHash, meaning, definitionHash, reason, rule, createdAt, expiresAt } = request;
  const asked = { id, callId, sessionId, toolUseId, tool, title, description, caller, project };
  const content = { input, redactions, inputHash, definitionHash, reason, rule, createdAt, expiresAt };
  return defined({
    ...asked,
    ...content,
    state,
    answeredAt,
    agent: agent && toAgent(agent),
    meaning: { paths: [...meaning.paths], programs: meaning.programs.map(toProgram) },
    answer: answer && toAnswer(answer),
  });
}

function toAgent({ subAgent, ...agent }: NonNullable<ApprovalRecord["request"]["agent"]>) {
  return defined({ ...agent, subAgent: subAgent && defined(subAgent) });
}

function toAnswer({ decision, by, via, scope, reason }: NonNullable<ApprovalRecord["answer"]>) {
  return defined({ decision, by, via, scope, reason });
}

function toProgram({ name, files }: ApprovalRecord["request"]["meaning"]["programs"][number]) {
  return { name, files: [...files] };
}
