/**
 * Tells somebody that a call waits for an answer. One message at a time: what is asked meanwhile is told together.
 * No call ever waits for it.
 */
import type { NotifySettings } from "../../../config/settings/notify-settings.ts";
import type { ApprovalRequest } from "../../../core/call/approval.ts";
import { messageOf } from "../../../core/call/errors.ts";
import type { Clock } from "../../../core/ports/ports.ts";
import type { Store } from "../../../open/open-store.ts";
import { watchQuestions } from "../../rest/events/watch-questions.ts";
import { deliver } from "./deliver.ts";
import { toNotification } from "./notification.ts";

export interface NotifierOptions {
  readonly approvals: Store["approvals"];
  /** As the configuration says it now. Undefined: nobody is told. */
  readonly settings: () => NotifySettings | undefined;
  /** Where the console is, if the configuration does not say it. */
  readonly url: () => string;
  readonly clock: Pick<Clock, "now" | "after">;
  /** For the log. */
  readonly tell: (message: string) => void;
  /** Other ways of delivery are for tests. */
  readonly send?: typeof deliver;
}

/** A flood of questions is one message a second. */
const restMs = 1_000;
const mostWaiting = 1_000;

/** Returns how to stop. */
export function createNotifier(options: NotifierOptions): () => void {
  const { approvals, settings, url, clock, tell, send = deliver } = options;
  const startedAt = clock.now();
  const ending = new AbortController();
  const waiting = new Map<string, ApprovalRequest>();
  let isSending = false;
  let isFailing = false;

  const sendOne = async () => {
    const told = settings();
    const asked = [...waiting.values()];
    waiting.clear();
    const notification = told && toNotification(asked, told.link ?? url(), clock.now());
    if (told === undefined || notification === undefined) return;
    try {
      await send(told, notification, ending.signal);
      if (isFailing) tell("Notifications about questions are delivered again.");
      isFailing = false;
    } catch (error) {
      // Once, until it works again: the log is not for each of them.
      if (!isFailing && !ending.signal.aborted)
        tell(`A notification about a question could not be delivered: ${messageOf(error)}`);
      isFailing = true;
    }
  };
  const sendAll = async () => {
    if (isSending) return;
    isSending = true;
    while (waiting.size > 0 && !ending.signal.aborted) {
      await sendOne();
      await new Promise<void>((resolve) => void clock.after(restMs, resolve));
    }
    isSending = false;
  };
  const stop = watchQuestions(approvals, {
    onAsked(request) {
      // What waited before this server started was told by another, or is old news.
      if (settings() === undefined || request.createdAt < startedAt || waiting.size >= mostWaiting) return;
      waiting.set(request.id, request);
      void sendAll();
    },
    onEnded: ({ id }) => void waiting.delete(id),
  });
  return () => {
    stop();
    ending.abort();
  };
}
