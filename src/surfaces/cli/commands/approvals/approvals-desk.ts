/** `toolgate approvals` at a terminal: a list that keeps up with what is asked, and answers taken from it. */
import { findFolders } from "../../../../config/folders.ts";
import type { ApprovalAnswer, GrantScope } from "../../../../core/call/approval.ts";
import { shownDuration } from "../../../../core/text/duration.ts";
import { visible } from "../../../../core/text/visible.ts";
import type { ApprovalRecord, Store } from "../../../../open/open-store.ts";
import { announceWatcher } from "../../../serve/watchers.ts";
import { openOwnStore } from "../../open/own-store.ts";
import { type CliIo, exitCodes } from "../../terminal/io.ts";
import { watchApprovals } from "./approvals-watch.ts";
import { describeApproval, shownId } from "./describe-approval.ts";
import { answererName, explainNotYours } from "./who-answers.ts";

export async function runApprovalsDesk(io: CliIo): Promise<number> {
  const prompts = await import("@clack/prompts");
  await using store = await openOwnStore(io);
  using _ = announceWatcher(findFolders(io.env).state);
  prompts.intro("What waits for an answer (Ctrl-C ends)");
  for (;;) {
    const record = await choose(store, io, prompts);
    if (record === undefined) return exitCodes.ok;
    await answerOne(record, store, io, prompts);
  }
}

type Prompts = typeof import("@clack/prompts");

/** Asks which one, anew whenever something else waits. Undefined: the person wants to leave. */
async function choose(store: Store, io: CliIo, prompts: Prompts): Promise<ApprovalRecord | undefined> {
  using leaving = leave(io.signal);
  const turns = watchApprovals(store, leaving.signal);
  let waiting: readonly ApprovalRecord[] = [];
  let question = ask([], leaving.signal, prompts);
  let next = turns.next();
  let isFirst = true;
  for (;;) {
    const event = await Promise.race([next, question.answer]);
    if (typeof event === "string") return waiting.find(({ request }) => request.id === event);
    if (typeof event === "symbol" || event.done === true) return undefined;
    next = turns.next();
    const changed = namesOf(event.value) !== namesOf(waiting);
    waiting = event.value;
    if (!changed && !isFirst) continue;
    if (waiting.length === 0) prompts.log.info("Nothing waits. This list fills by itself.");
    isFirst = false;
    await question.stop();
    question = ask(waiting, leaving.signal, prompts);
  }
}

interface Question {
  /** The id, or a symbol if the person wants to leave. Never settles after `stop`. */
  readonly answer: Promise<string | symbol>;
  stop(): Promise<void>;
}

function ask(waiting: readonly ApprovalRecord[], signal: AbortSignal, prompts: Prompts): Question {
  if (waiting.length === 0) return { answer: new Promise(() => {}), stop: async () => {} };
  const stopping = new AbortController();
  const asking: Promise<string | symbol> = prompts.select({
    message: "Which one?",
    options: waiting.map(optionFor),
    signal: AbortSignal.any([stopping.signal, signal]),
  });
  return {
    answer: asking.then((answer) => (stopping.signal.aborted ? new Promise(() => {}) : answer)),
    async stop() {
      stopping.abort();
      await asking;
    },
  };
}

function namesOf(records: readonly ApprovalRecord[]): string {
  return records.map(({ request }) => request.id).join(" ");
}

/** Aborted with the other signal, and when its scope is left: whatever still watches must end then. */
function leave(signal: AbortSignal): Disposable & { readonly signal: AbortSignal } {
  const leaving = new AbortController();
  return { signal: AbortSignal.any([leaving.signal, signal]), [Symbol.dispose]: () => leaving.abort() };
}

function optionFor({ request }: ApprovalRecord) {
  const { id, toolId, caller, input, expiresAt } = request;
  const label = visible(`${toolId} ${JSON.stringify(input)}`, { maxLength: 90 });
  const hint = `${shownId(id)}, asked by ${visible(caller)}, ${shownDuration(expiresAt - Date.now())} left`;
  return { value: id, label, hint };
}

/** One question, for a command that knows which. */
export async function answerAtTerminal(record: ApprovalRecord, store: Store, io: CliIo): Promise<void> {
  await answerOne(record, store, io, await import("@clack/prompts"));
}

async function answerOne(record: ApprovalRecord, store: Store, io: CliIo, prompts: Prompts): Promise<void> {
  prompts.note(describeApproval(record, Date.now(), io.cwd), `May ${visible(record.request.toolId)} run?`);
  const answer = await askAnswer(record, io, prompts);
  if (answer === undefined) return;
  const refused = answer.decision === "approve" ? explainNotYours(record, io) : undefined;
  if (refused !== undefined) return prompts.log.error(refused);
  const result = await store.approvals.answer(record.request.id, { ...answer, by: answererName() });
  if (result.ok) prompts.log.success(answer.decision === "approve" ? "Approved." : "Denied.");
  else prompts.log.warn(visible(result.message));
}

async function askAnswer(
  { request }: ApprovalRecord,
  { signal }: CliIo,
  prompts: Prompts,
): Promise<Omit<ApprovalAnswer, "by"> | undefined> {
  const choices: { value: GrantScope | "deny" | "edit" | "back"; label: string }[] = [
    { value: "deny", label: "Deny it" },
    { value: "once", label: "Approve this call once" },
    { value: "edit", label: "Change the input, then approve once" },
    ...(request.sessionId === undefined
      ? []
      : [{ value: "session" as const, label: "Approve this very call for the rest of the session" }]),
    { value: "project", label: "Always approve this very call in this project" },
    { value: "user", label: "Always approve this very call" },
    { value: "back", label: "Decide later" },
  ];
  const choice = await prompts.select({ message: "Your answer", options: choices, signal });
  if (typeof choice === "symbol" || choice === "back") return undefined;
  if (choice === "deny") {
    const reason = await prompts.text({ message: "Why? (may stay empty)", signal });
    if (typeof reason === "symbol") return undefined;
    return { decision: "deny", ...(reason !== undefined && reason !== "" && { reason }) };
  }
  if (choice !== "edit") return { decision: "approve", scope: choice };
  const text = await prompts.text({
    message: "The input to run instead, as JSON",
    initialValue: JSON.stringify(request.input),
    validate: (value) => explainBadJson(value ?? ""),
    signal,
  });
  return typeof text === "symbol"
    ? undefined
    : { decision: "approve", scope: "once", input: JSON.parse(text) };
}

function explainBadJson(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
