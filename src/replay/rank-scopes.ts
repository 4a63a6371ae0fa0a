/** How far a yes to one call could reach: this very call, its shape, its folder; with what people said so far. */
import type { ApprovalRequest } from "../core/call/approval.ts";
import { canonicalJson } from "../core/input/canonical-json.ts";
import type { JudgedCall, RuleJudge } from "../suggest/judge.ts";
import type { Suggestion, SuggestionReport } from "../suggest/suggestion.ts";
import type { ReadCall } from "./read-history.ts";

/** The past, and what is proposed because of it. */
export interface LookedBack {
  readonly report: SuggestionReport;
  readonly read: readonly ReadCall[];
  readonly judge: RuleJudge;
}

/** Of the questions that it would have answered. */
export interface RankedScope {
  readonly scope: "exact" | "shape" | "folder";
  readonly asked: number;
  readonly approved: number;
  readonly denied: number;
  /** Of shape and folder: the rule that was proposed. */
  readonly suggestion?: Pick<Suggestion, "id" | "title" | "yaml" | "state" | "notes">;
}

/** The closest first. A shape or a folder is only there where people's answers speak for it. */
export async function rankScopes(
  asked: ApprovalRequest,
  { report, read, judge }: LookedBack,
): Promise<readonly RankedScope[]> {
  const call = toCall(asked);
  const covering: Suggestion[] = [];
  for (const one of report.suggestions) {
    if (one.kind !== "allow" || one.rules.policies === undefined) continue;
    const [judged] = await judge.judge([call], { added: one.rules });
    if (judged?.verdict === "allow") covering.push(one);
  }
  const closest = (wanted: "shape" | "folder") =>
    covering
      .filter((one) => scopeOf(one) === wanted)
      .sort((one, other) => one.changes.count - other.changes.count || (one.id < other.id ? -1 : 1))
      .slice(0, 1)
      .map((one) => toScope(wanted, one));
  return [exact(asked, read), ...closest("shape"), ...closest("folder")];
}

function toCall({ toolId, input, project, caller, agent }: ApprovalRequest): JudgedCall {
  const { cwd } = input;
  return {
    tool: toolId,
    askedFor: agent?.tool ?? toolId,
    kind: agent === undefined ? "call" : "check",
    input,
    cwd: typeof cwd === "string" && cwd.startsWith("/") ? cwd : project,
    workspace: project,
    caller,
  };
}

function exact({ toolId, input }: ApprovalRequest, read: readonly ReadCall[]): RankedScope {
  const text = canonicalJson(input);
  const same = read.flatMap(({ call: { tool, input: other, question } }) =>
    tool === toolId && question !== undefined && question.byGrant !== true && canonicalJson(other) === text
      ? [question]
      : [],
  );
  return {
    scope: "exact",
    asked: same.length,
    approved: same.filter(({ state, editedInput }) => state === "approved" && editedInput === undefined)
      .length,
    denied: same.filter(({ state }) => state === "denied").length,
  };
}

/** A rule about paths or pages opens a place; one about words opens a way to say something. */
function scopeOf({ rules: { policies = [] } }: Suggestion): "shape" | "folder" {
  const places = policies.some(({ conditions }) =>
    conditions?.some(({ type }) => type === "path" || type === "url"),
  );
  return places ? "folder" : "shape";
}

function toScope(scope: "shape" | "folder", one: Suggestion): RankedScope {
  const { id, title, yaml, state, notes, evidence } = one;
  const { asked, approved, denied } = evidence;
  return { scope, asked, approved, denied, suggestion: { id, title, yaml, state, notes } };
}
