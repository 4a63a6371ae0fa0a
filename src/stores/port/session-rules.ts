/** What every store does with a session in the same way: which changes are allowed, and what they make of it. */
import {
  activeStates,
  type NewItem,
  type NewPrompt,
  type NewSession,
  type PromptRecord,
  type SessionChange,
  type SessionCreated,
  type SessionFacts,
  type SessionItem,
  type SessionRecord,
} from "../../core/ports/sessions.ts";

export function newRecord(session: NewSession, process: string, now: number): SessionRecord {
  return {
    ...session,
    state: "queued",
    end: undefined,
    turn: 0,
    agentSessionId: undefined,
    agentProcess: undefined,
    usage: { inputTokens: 0, outputTokens: 0 },
    error: undefined,
    process,
    cancelAsked: undefined,
    endedAt: undefined,
    lastSeq: 0,
    updatedAt: now,
  };
}

/** Of two requests with one key: is the second the first, sent again? */
export function createdBefore(
  known: StartRequest & { readonly session: SessionRecord },
  asked: StartRequest,
): SessionCreated {
  const { session } = known;
  return isSameRequest(known, asked)
    ? { ok: true, session, isNew: false }
    : { ok: false, why: "key_reused", session };
}

/** What is made for each request differs. */
function isSameRequest(one: StartRequest, other: StartRequest): boolean {
  return one.prompt?.text === other.prompt?.text && requestOf(one.session) === requestOf(other.session);
}

interface StartRequest {
  readonly session: NewSession;
  /** Its first one, as the store has it. */
  readonly prompt: { readonly text: string } | undefined;
}

function requestOf({
  owner,
  runner,
  project,
  mode,
  model,
  system,
  tools,
  budget,
  single,
  parent,
}: NewSession): string {
  return JSON.stringify([owner, runner, project, mode, model, system, tools, budget, single, parent]);
}

/** Whether the session may be changed so by whoever asks. */
export function isAllowed(session: SessionRecord, { process, states }: SessionChange): boolean {
  if (process !== undefined && session.process !== process) return false;
  return states === undefined || states.includes(session.state);
}

export function changed(
  session: SessionRecord,
  { facts = {}, items = [] }: SessionChange,
  now: number,
): { readonly session: SessionRecord; readonly items: readonly SessionItem[] } {
  const added = items.map((item, index) => toItem(item, session.lastSeq + index + 1, now));
  return { session: withFacts(session, facts, added.length, now), items: added };
}

export function withFacts(
  session: SessionRecord,
  facts: Partial<SessionFacts> | undefined,
  added: number,
  now: number,
): SessionRecord {
  return { ...session, ...facts, lastSeq: session.lastSeq + added, updatedAt: now };
}

function toItem({ kind, turn, itemId, body }: NewItem, seq: number, at: number): SessionItem {
  return { seq, kind, turn, itemId, at, body };
}

export function newPrompt(prompt: NewPrompt, number: number, at: number): PromptRecord {
  return { ...prompt, number, at, state: "queued", turn: undefined };
}

/** The prompt as it stands in the log. */
export function promptItem(prompt: PromptRecord, turn: number, itemId: string): NewItem {
  return { kind: "message", turn, itemId, body: { role: "user", text: prompt.text, by: prompt.by } };
}

/** Two sessions must not write into one folder at a time. */
export function holdsFolder(session: SessionRecord, folder: string): boolean {
  return session.folder === folder && activeStates.includes(session.state);
}

/** What becomes of a session whose process died. Its agent may still run: whoever starts next ends it. */
export function afterDeath(session: SessionRecord, hasQueued: boolean, now: number): SessionChange {
  if (session.state === "ended" || (session.state === "idle" && !hasQueued))
    return { facts: { process: undefined } };
  const message = "The process that ran this session died. Send a message with resume to go on.";
  const item: NewItem = {
    kind: "error",
    turn: session.turn,
    itemId: `lost-${session.lastSeq + 1}`,
    body: { code: "session_lost", message, retryable: false },
  };
  return {
    facts: {
      state: "ended",
      end: "lost",
      process: undefined,
      cancelAsked: undefined,
      endedAt: now,
      error: { code: "session_lost", message },
    },
    items: [item],
    dropPrompts: true,
  };
}

/** What a turn begins with. */
export function begun(turn: number, process: string): Partial<SessionFacts> {
  const nothing = { end: undefined, error: undefined, cancelAsked: undefined, endedAt: undefined };
  return { ...nothing, state: "running", turn, process };
}

export const mostQueuedPrompts = 20;
