/** The past as evidence: records of the ledger, each with the question that a person was asked about it. */
import type { Grant } from "../core/call/approval.ts";
import { canonicalJson } from "../core/input/canonical-json.ts";
import { defined } from "../core/input/defined.ts";
import { isJsonObject, type Json, type JsonObject } from "../core/input/json.ts";
import type { ApprovalRecord, ApprovalStore } from "../core/ports/approval-store.ts";
import type { LedgerEntry, LedgerReader } from "../core/ports/ledger-reader.ts";
import { takeTurns } from "../core/run/take-turns.ts";
import type { OpenConfig } from "../open/open-config.ts";
import type { HistoryCall, HistoryQuestion } from "../suggest/history.ts";
import { isIncomplete, recordedProject, recordedVerdict } from "./recorded-call.ts";

/** What is read of a store. */
export interface RecordedPast {
  readonly ledger: Pick<LedgerReader, "query">;
  readonly approvals: Pick<ApprovalStore, "records">;
  readonly grants: { list(): readonly Grant[] | Promise<readonly Grant[]> };
}

export interface HistoryWindow {
  /** Milliseconds since the epoch; `until` is not included. */
  readonly since: number;
  readonly until: number;
  /** The newest ones; older ones are left out, except for denials. Default: all. */
  readonly most?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (calls: number) => void;
}

export interface ReadCall {
  readonly call: HistoryCall;
  readonly entry: LedgerEntry;
}

/** A page is read at one go, and nobody else is served meanwhile. */
const pageSize = 250;

/** Oldest first. */
export async function readHistory(
  { ledger, approvals }: Pick<RecordedPast, "ledger" | "approvals">,
  config: OpenConfig,
  { since, until, most = Number.POSITIVE_INFINITY, signal, onProgress }: HistoryWindow,
): Promise<readonly ReadCall[]> {
  const read = new Map<number, ReadCall>();
  const projects = new Map<string, string>();
  const turn = takeTurns();
  const projectOf = (body: JsonObject) => {
    const key = canonicalJson([body.project ?? null, body.cwd ?? null] as Json);
    const known = projects.get(key) ?? recordedProject(body, config);
    projects.set(key, known);
    return known;
  };
  /** Whether there are more of them. */
  const readNewest = async (code?: string): Promise<boolean> => {
    let after: number | undefined;
    let taken = 0;
    do {
      await turn();
      const filter = { since, until, code, kinds: ["completion"] as const };
      const page = await ledger.query(filter, { limit: pageSize, after });
      signal?.throwIfAborted();
      const ids = page.entries.flatMap(({ body }) => approvalOf(body)?.id ?? []);
      const asked = new Map((await approvals.records(ids)).map((one) => [one.request.id, one]));
      for (const entry of page.entries) {
        await turn();
        const call = toCall(entry, asked, projectOf);
        if (call === undefined) continue;
        if (taken === most) return true;
        taken++;
        read.set(entry.seq, { call, entry });
      }
      onProgress?.(read.size);
      after = page.next;
    } while (after !== undefined);
    return false;
  };
  // A no counts however many harmless calls an agent has made since, to have it forgotten.
  if (await readNewest()) await readNewest("approval_denied");
  // Processes write side by side, so the order of rows is not quite that of the calls.
  return [...read.values()].sort((one, other) => one.call.at - other.call.at);
}

/** Undefined: a limit or a switch stopped it, which says nothing about it. */
function toCall(
  { seq, at, callId = "", tool = "", body }: LedgerEntry,
  asked: ReadonlyMap<string, ApprovalRecord>,
  projectOf: (body: JsonObject) => string,
): HistoryCall | undefined {
  const verdict = recordedVerdict(body);
  if (verdict === undefined) return undefined;
  const record = asked.get(approvalOf(body)?.id ?? "");
  const recorded = objectOf(body.input);
  const input = record?.request.input ?? recorded;
  const workspace = record?.request.project ?? projectOf(body);
  const { ok, stage, askedFor, caller, owner, sessionId, agent, code, cwd, kind, mode, rule } = body;
  return defined({
    seq,
    callId,
    at,
    tool,
    askedFor: textOf(askedFor) ?? tool,
    kind: kind === "call" ? ("call" as const) : ("check" as const),
    input,
    // Also where a person put something in its place that was taken out: then nobody knows what was approved.
    incomplete: isIncomplete({ input }) || isIncomplete({ input: recorded }) ? (true as const) : undefined,
    cwd: textOf(cwd) ?? workspace,
    workspace,
    mode: mode === "plan" ? ("plan" as const) : undefined,
    caller: textOf(caller) ?? "",
    owner: textOf(owner),
    session: textOf(sessionId),
    agent: textOf(agent),
    verdict,
    rule: rule === undefined ? undefined : (rule as unknown as HistoryCall["rule"]),
    code: textOf(code),
    ran: ok === true || stage === "run" || stage === "after-hooks",
    definitionHash: record?.request.definitionHash,
    question: questionOf(body, record, recorded),
  }) as HistoryCall;
}

/** What a person was asked. An agent's own prompt is none: nobody here knows how it ended. */
function questionOf(
  body: JsonObject,
  record: ApprovalRecord | undefined,
  ran: JsonObject,
): HistoryQuestion | undefined {
  const { code } = body;
  if (code === "approval_expired") return { state: "expired" };
  if (code === "cancelled" && body.stage === "approve") return { state: "withdrawn" };
  const approval = approvalOf(body);
  if (approval === undefined) return undefined;
  const state = code === "approval_denied" || code === "rejected_with_another" ? "denied" : "approved";
  const { by, via, id } = approval;
  if (approval.kind === "grant") return defined({ state, by, byGrant: true, grantId: id }) as HistoryQuestion;
  const withAnother = code === "rejected_with_another" ? true : undefined;
  // What has ended is kept for a month; what the ledger holds stays.
  if (record === undefined) return defined({ state, by, via, withAnother }) as HistoryQuestion;
  const { answer, answeredAt, becauseOf, request } = record;
  // What was taken out of the two may look different in each.
  const isWhole = !isIncomplete({ input: ran }) && !isIncomplete({ input: request.input });
  const isEdited = state === "approved" && isWhole && canonicalJson(request.input) !== canonicalJson(ran);
  return defined({
    state,
    by,
    via,
    scope: answer?.scope,
    editedInput: isEdited ? ran : undefined,
    reason: answer?.reason,
    answeredAt,
    secondsToAnswer: answeredAt === undefined ? undefined : (answeredAt - request.createdAt) / 1_000,
    withAnother: becauseOf === undefined ? withAnother : true,
  }) as HistoryQuestion;
}

interface NamedApproval {
  readonly kind: Json | undefined;
  readonly id: string;
  readonly by: string;
  readonly via: HistoryQuestion["via"];
}

function approvalOf({ approval }: JsonObject): NamedApproval | undefined {
  if (approval === undefined || !isJsonObject(approval)) return undefined;
  const { kind, id, by, via } = approval;
  if (typeof id !== "string" || typeof by !== "string") return undefined;
  return { kind, id, by, via: via === "elicitation" ? via : undefined };
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
