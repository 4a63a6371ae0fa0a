/** Follows one turn of a session to its end, and puts its questions to the person at the terminal. */
import type { Store } from "../../../../open/open-store.ts";
import type { SessionStreamEvent } from "../../../rest/contract.ts";
import { openOwnStore } from "../../open/own-store.ts";
import type { SessionClient } from "../../open/session-client.ts";
import { type CliIo, exitCodes } from "../../terminal/io.ts";
import type { SessionPrinter } from "../../terminal/session-printer.ts";
import { createTerminalApprover } from "../../terminal/terminal-approver.ts";
import { answerAtTerminal } from "../approvals/approvals-desk.ts";

export interface TurnFollowing {
  readonly client: SessionClient;
  readonly id: string;
  /** The id of the last event before the turn. */
  readonly after?: string | undefined;
  readonly printer: SessionPrinter;
  /** Cancels the turn when it aborts. */
  readonly cancel: AbortSignal;
  /** Ends all of the session instead, when the turn is cancelled. */
  readonly isSingle?: boolean;
  /** Questions wait in the queue of a server, and are answered here. */
  readonly answersHere?: boolean;
  readonly io: CliIo;
}

export interface TurnEnd {
  readonly how: "completed" | "failed" | "cancelled";
  /** Of the last event. */
  readonly cursor: string | undefined;
}

export const exitOf = {
  completed: exitCodes.ok,
  failed: exitCodes.failed,
  cancelled: exitCodes.interrupted,
} as const;

export async function followTurn(following: TurnFollowing): Promise<TurnEnd> {
  const { client, id, after, printer, cancel, isSingle = false } = following;
  await using questions = createQuestions(following);
  const leaving = new AbortController();
  let cursor = after;
  let turn: number | undefined;
  let failed: unknown;
  const stop = () => {
    client.cancel(id, isSingle ? undefined : turn).catch((error: unknown) => {
      failed = error;
      leaving.abort();
    });
  };
  cancel.addEventListener("abort", stop, { once: true });
  if (cancel.aborted) stop();
  try {
    for await (const event of client.events(id, { after, signal: leaving.signal })) {
      printer.show(event);
      if (event.kind === "session") turn = event.data.turn;
      if ("id" in event && event.id !== undefined) cursor = event.id;
      if (event.kind === "approval") questions.take(event);
      const how = endOf(event);
      if (how !== undefined) return { how, cursor };
    }
    if (failed !== undefined) throw failed;
    // It was removed while somebody followed it.
    return { how: "cancelled", cursor };
  } finally {
    cancel.removeEventListener("abort", stop);
    printer.rest();
  }
}

function endOf({ kind }: SessionStreamEvent): TurnEnd["how"] | undefined {
  if (kind === "completed" || kind === "cancelled") return kind;
  return kind === "error" ? "failed" : undefined;
}

interface Questions extends AsyncDisposable {
  take(event: Extract<SessionStreamEvent, { kind: "approval" }>): void;
}

/** One after the other; one that somebody else answers disappears. */
function createQuestions({ answersHere = false, printer, io }: TurnFollowing): Questions {
  const canAsk = answersHere && createTerminalApprover({}, io) !== undefined;
  const open = new Map<string, AbortController>();
  let store: Promise<Store> | undefined;
  let asking = Promise.resolve();

  async function ask(id: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    store ??= openOwnStore(io);
    const { approvals } = await store;
    const record = (await approvals.find(id)).find(({ request }) => request.id === id);
    if (record?.state !== "pending" || signal.aborted) return;
    await printer.during(async () =>
      answerAtTerminal(record, await (store as Promise<Store>), { ...io, signal }),
    );
  }

  return {
    take({ data: { id, state } }) {
      if (state !== "asked") return open.get(id)?.abort();
      if (!canAsk) return;
      const answered = new AbortController();
      open.set(id, answered);
      const signal = AbortSignal.any([answered.signal, io.signal]);
      asking = asking.then(() => ask(id, signal)).catch((error: unknown) => io.err(`${String(error)}\n`));
    },
    async [Symbol.asyncDispose]() {
      for (const one of open.values()) one.abort();
      await asking;
      await (await store)?.close();
    },
  };
}
