/** `toolgate approvals`: what waits for a person in any process, and the answers to it. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { ApprovalAnswer, GrantScope } from "../../../../core/call/approval.ts";
import { messageOf } from "../../../../core/call/errors.ts";
import { parseDuration, shownDuration } from "../../../../core/text/duration.ts";
import { visible } from "../../../../core/text/visible.ts";
import type { ApprovalRecord, Store } from "../../../../open/open-store.ts";
import { openOwnStore } from "../../open/own-store.ts";
import {
  type CliIo,
  exitCodes,
  type JsonOption,
  type ListOptions,
  printJson,
  printList,
} from "../../terminal/io.ts";
import { asTyped } from "../../terminal/own-command.ts";
import { approvalJson, approvalsTable, describeApproval, shownId } from "./describe-approval.ts";
import { answererName, explainNotYours } from "./who-answers.ts";

export async function runApprovalsList(options: ListOptions, io: CliIo): Promise<number> {
  await using store = await openOwnStore(io);
  const records = await store.approvals.waiting();
  if (printList(records.map(approvalJson), options, io)) return exitCodes.ok;
  if (records.length === 0) io.out("Nothing waits for an answer.\n");
  else io.out(approvalsTable(records, Date.now(), io));
  return exitCodes.ok;
}

export async function runApprovalsShow(
  { id, json }: JsonOption & { readonly id: string },
  io: CliIo,
): Promise<number> {
  await using store = await openOwnStore(io);
  const found = await findApproval(id, store);
  if (!found.ok) return failed(found, json, io);
  if (json === true) return printJson(approvalJson(found.record), io);
  io.out(describeApproval(found.record, Date.now(), io.cwd));
  return exitCodes.ok;
}

interface ApproveOptions extends JsonOption {
  readonly id: string;
  readonly scope?: GrantScope | undefined;
  /** `--any-input`: a lasting yes holds for every input of the tool. */
  readonly anyInput?: boolean | undefined;
  readonly expires?: string | undefined;
  /** JSON, or `@file`. */
  readonly edit?: string | undefined;
}

export async function runApprovalsApprove(options: ApproveOptions, io: CliIo): Promise<number> {
  const { id, scope = "once", anyInput, expires, edit, json } = options;
  const expiresInMs = expires === undefined ? undefined : parseDuration(expires);
  if (expires !== undefined && expiresInMs === undefined)
    return wrong(`--expires takes a duration such as 30m, 8h or 7d, not "${visible(expires)}".`, json, io);
  if (scope === "once" && (expiresInMs !== undefined || anyInput === true))
    return wrong("A yes that holds once needs neither --expires nor --any-input; add --scope.", json, io);
  const edited = edit === undefined ? undefined : readEdited(edit, io.cwd);
  if (edited !== undefined && !edited.ok) return wrong(edited.message, json, io);
  await using store = await openOwnStore(io);
  const found = await findApproval(id, store);
  if (!found.ok) return failed(found, json, io);
  if (scope === "session" && found.record.request.sessionId === undefined)
    return wrong("This call belongs to no session; choose --scope project or user.", json, io);
  const refused = explainNotYours(found.record, io);
  if (refused !== undefined) return failed({ code: "not_a_person", message: refused }, json, io);
  const answer: ApprovalAnswer = {
    decision: "approve",
    by: answererName(),
    scope,
    ...(anyInput === true && { covers: "tool" }),
    ...(expiresInMs !== undefined && { expiresInMs }),
    ...(edited !== undefined && { input: edited.input }),
  };
  const { request } = found.record;
  const result = await store.approvals.answer(request.id, answer);
  if (!result.ok) return failed(result, json, io);
  const holds = expiresInMs === undefined ? "" : ` for ${shownDuration(expiresInMs)}`;
  const what = `${visible(request.toolId)} for ${visible(request.caller)}`;
  const changed = edited === undefined ? "" : ", with the input you gave";
  if (json === true)
    io.out(`${JSON.stringify({ ok: true, id: request.id, tool: request.toolId, answer })}\n`);
  else io.out(`Approved ${scopeWords[scope]}${holds}: ${what} (${shownId(request.id)})${changed}.\n`);
  // For a tool that executes, the process that asks narrows the yes to this input.
  if (anyInput === true)
    io.err(
      asTyped(
        "Whatever the input, unless the tool executes: then for this input. toolgate grants list shows it.\n",
        io,
      ),
    );
  return exitCodes.ok;
}

const scopeWords: Readonly<Record<GrantScope, string>> = {
  once: "once",
  session: "for this session",
  project: "always in this project",
  user: "always",
};

interface DenyOptions extends JsonOption {
  readonly id: string;
  readonly reason?: string | undefined;
}

export async function runApprovalsDeny({ id, reason, json }: DenyOptions, io: CliIo): Promise<number> {
  await using store = await openOwnStore(io);
  const found = await findApproval(id, store);
  if (!found.ok) return failed(found, json, io);
  const { request } = found.record;
  const answer: ApprovalAnswer = { decision: "deny", by: answererName(), ...(reason && { reason }) };
  const result = await store.approvals.answer(request.id, answer);
  if (!result.ok) return failed(result, json, io);
  if (json === true)
    io.out(`${JSON.stringify({ ok: true, id: request.id, tool: request.toolId, answer })}\n`);
  else
    io.out(`Denied: ${visible(request.toolId)} for ${visible(request.caller)} (${shownId(request.id)}).\n`);
  return exitCodes.ok;
}

type Edited =
  | { readonly ok: true; readonly input: unknown }
  | { readonly ok: false; readonly message: string };

function readEdited(edit: string, cwd: string): Edited {
  try {
    const text = edit.startsWith("@") ? readFileSync(resolve(cwd, edit.slice(1)), "utf8") : edit;
    return { ok: true, input: JSON.parse(text) };
  } catch (error) {
    const message = `--edit takes the whole input as JSON, or @file: ${messageOf(error)}`;
    return { ok: false, message };
  }
}

function wrong(message: string, json: boolean | undefined, io: CliIo): number {
  return failed({ code: "wrong_use", message }, json, io);
}

function failed(
  problem: { readonly code: string; readonly message: string },
  json: boolean | undefined,
  io: CliIo,
): number {
  const { code, message } = problem;
  if (json === true) io.out(`${JSON.stringify({ ...problem, ok: false, code, message })}\n`);
  else io.err(`${visible(asTyped(message, io))}\n`);
  return exitCodes.failed;
}

type FoundApproval =
  | { readonly ok: true; readonly record: ApprovalRecord }
  | { readonly ok: false; readonly code: "unknown" | "ambiguous"; readonly message: string };

/** By the start of an id. What waits comes first: an old one that begins alike is not meant. */
async function findApproval(prefix: string, { approvals }: Pick<Store, "approvals">): Promise<FoundApproval> {
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
