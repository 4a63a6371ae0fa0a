/** Shows what happens in a session: the agent's words on standard output, everything around them beside it. */
import { visible } from "../../../core/text/visible.ts";
import type { SessionStreamEvent } from "../../rest/contract.ts";
import { createAwaited } from "./awaited.ts";
import { coloursFor } from "./colours.ts";
import { type CliIo, jsonLine } from "./io.ts";
import { asTyped } from "./own-command.ts";
import { createTerminalApprover } from "./terminal-approver.ts";
import { createWaitingLine } from "./waiting-line.ts";

export interface SessionPrinter {
  show(event: SessionStreamEvent): void;
  /** Nothing is printed while a question is on the screen; it comes after the answer. */
  during<Result>(ask: () => Promise<Result>): Promise<Result>;
  /** Nobody waits any more. */
  rest(): void;
}

interface PrinterOptions {
  /** One line of JSON for each event. */
  readonly json: boolean;
  /** Also what people have said: for somebody who was not there. */
  readonly showsUser?: boolean;
}

const maxShownInput = 160;
const maxShownResult = 300;

export function createSessionPrinter({ json, showsUser = false }: PrinterOptions, io: CliIo): SessionPrinter {
  const colours = coloursFor(io);
  const asksHere = !showsUser && createTerminalApprover({}, io) !== undefined;
  /** How much of a message was printed while it was written. */
  const printed = new Map<string, number>();
  let held: { readonly to: "out" | "err"; readonly text: string }[] | undefined;
  let isInLine = false;
  const awaited = createAwaited(asksHere, io);
  const waiting = createWaitingLine(json || showsUser ? { ...io, stderrIsTerminal: false } : io);

  const write = (to: "out" | "err", text: string) => {
    if (held !== undefined) return void held.push({ to, text });
    waiting.hide();
    io[to](text);
  };
  const beside = (text: string) => {
    // The words alone go into a file or a pipe.
    if (isInLine && io.isTerminal) {
      write("out", "\n");
      isInLine = false;
    }
    write("err", `${text}\n`);
  };
  const say = (text: string) => {
    if (text === "") return;
    // At a terminal, what a model says must not move the cursor.
    write("out", io.isTerminal ? visible(text, { keepNewlines: true }) : text);
    isInLine = !text.endsWith("\n");
  };
  const dim = (text: string) => colours.dim(visible(text));

  function words(event: SessionStreamEvent): void {
    switch (event.kind) {
      case "message-delta": {
        const { itemId, offset, text } = event.data;
        const done = printed.get(itemId) ?? 0;
        if (offset > done) return;
        say(text.slice(done - offset));
        printed.set(itemId, Math.max(done, offset + text.length));
        return;
      }
      case "message": {
        const { role, text, itemId, by } = event.data;
        if (role === "assistant") {
          say(text.slice(printed.get(itemId) ?? 0));
          printed.set(itemId, Number.POSITIVE_INFINITY);
          if (isInLine) say("\n");
        } else if (role === "note") beside(dim(`note: ${text}`));
        else if (showsUser) beside(colours.bold(visible(`${by ?? "user"}> ${text}`, { keepNewlines: true })));
        return;
      }
      case "tool_use":
        beside(dim(`· ${event.data.tool} ${cut(JSON.stringify(event.data.input), maxShownInput)}`));
        return;
      case "tool_result": {
        const { ok, code, content } = event.data;
        const said = content.map(({ text }) => text ?? "").join(" ");
        if (!ok) beside(colours.yellow(visible(`  ${code ?? "failed"}: ${cut(said, maxShownResult)}`)));
        return;
      }
      case "approval":
        if (!asksHere || event.data.state !== "asked")
          beside(colours.yellow(visible(approvalLine(event.data, io))));
        return;
      case "error":
        beside(colours.red(visible(event.data.message)));
        return;
      case "cancelled":
        beside(dim(`Cancelled by ${event.data.by}.`));
        return;
      case "completed":
        if (event.data.message !== undefined) beside(dim(event.data.message));
        return;
      default:
        return;
    }
  }

  return {
    show(event) {
      if (json) write("out", jsonLine(event));
      else words(event);
      const what = awaited.after(event);
      // It would replace the line that the agent writes at this moment, or the question.
      waiting.begin((isInLine && io.isTerminal) || held !== undefined ? undefined : what);
    },
    async during(ask) {
      const late: typeof held = [];
      held = late;
      waiting.begin(undefined);
      try {
        return await ask();
      } finally {
        held = undefined;
        for (const { to, text } of late) io[to](text);
      }
    },
    rest: () => waiting.begin(undefined),
  };
}

function approvalLine(data: Extract<SessionStreamEvent, { kind: "approval" }>["data"], io: CliIo): string {
  const { id, state, tool, reason, by } = data;
  if (state === "asked")
    return `? ${tool} waits for an answer: ${reason ?? ""} (${asTyped(`toolgate approvals show ${id.slice(0, 8)}`, io)})`;
  const who = by === undefined ? "" : ` by ${by}`;
  return `  ${tool}: ${state}${who}${reason === undefined ? "" : `: ${reason}`}`;
}

function cut(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
