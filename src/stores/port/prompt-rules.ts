/** What every store does with a prompt in the same way: whether it is queued, who may take it, what that begins. */
import type {
  NewPrompt,
  PromptQueued,
  PromptRecord,
  PromptTaken,
  SessionChange,
  SessionRecord,
  SessionStore,
} from "../../core/ports/sessions.ts";
import { begun, newPrompt, promptItem } from "./session-rules.ts";

export interface QueueRequest {
  readonly prompt: NewPrompt;
  /** Also where the session has ended. */
  readonly resume: boolean;
  readonly maxQueued: number;
}

/** `isNew`: it is to be written; else it was sent before, with the same key. */
type Queueing =
  | { readonly ok: true; readonly prompt: PromptRecord; readonly isNew: boolean }
  | Extract<PromptQueued, { ok: false }>;

/** `known`: all prompts of the session. */
export function queueing(
  session: SessionRecord,
  known: readonly PromptRecord[],
  { prompt, resume, maxQueued }: QueueRequest,
  now: number,
): Queueing {
  const before = prompt.key === undefined ? undefined : known.find(({ key }) => key === prompt.key);
  if (before !== undefined)
    return before.text === prompt.text
      ? { ok: true, prompt: before, isNew: false }
      : { ok: false, why: "key_reused" };
  if (session.state === "ended" && !resume) return { ok: false, why: "ended" };
  if (known.filter(({ state }) => state === "queued").length >= maxQueued)
    return { ok: false, why: "too_many" };
  return { ok: true, prompt: newPrompt(prompt, known.length + 1, now), isNew: true };
}

export type Taker = Parameters<SessionStore["takePrompt"]>[1];

/** The oldest that waits, or the one that was asked for. */
export function nextPrompt(
  session: SessionRecord,
  known: readonly PromptRecord[],
  { process, promptId }: Taker,
): { readonly ok: true; readonly prompt: PromptRecord } | Extract<PromptTaken, { ok: false }> {
  if (session.process !== undefined && session.process !== process) return { ok: false, why: "moved" };
  const prompt = known.find(
    ({ id, state }) => state === "queued" && (promptId === undefined || id === promptId),
  );
  return prompt === undefined ? { ok: false, why: "none" } : { ok: true, prompt };
}

/** The prompt as it is then, and what it makes of its session: a turn begins, or the one that runs goes on. */
export function taking(
  session: SessionRecord,
  prompt: PromptRecord,
  { process, steer = false, itemId }: Taker,
): { readonly taken: PromptRecord & { readonly turn: number }; readonly change: SessionChange } {
  const turn = steer ? session.turn : session.turn + 1;
  const taken = { ...prompt, state: "taken", turn } as const;
  return {
    taken,
    change: { facts: steer ? {} : begun(turn, process), items: [promptItem(taken, turn, itemId)] },
  };
}
