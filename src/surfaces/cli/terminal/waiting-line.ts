/** Says at a terminal what is waited for, when that takes longer than a few seconds. */
import { shownDuration } from "../../../core/text/duration.ts";
import { visible } from "../../../core/text/visible.ts";
import type { CliIo } from "./io.ts";
import { createProgress, type Progress } from "./progress.ts";

export interface WaitingLine {
  /** From now on this is waited for. Undefined: nothing is. What stood there is gone. */
  begin(what: string | undefined): void;
  /** Something else is about to be printed; the wait goes on. */
  hide(): void;
}

/** Shorter waits are what people expect. */
const patienceMs = 4_000;
const everyMs = 1_000;

export function createWaitingLine(
  io: Pick<CliIo, "stderrIsTerminal" | "env" | "err" | "signal">,
  { afterMs = patienceMs }: { readonly afterMs?: number } = {},
): WaitingLine {
  let progress: Progress | undefined;
  let timer: NodeJS.Timeout | undefined;

  const hide = () => {
    progress?.[Symbol.dispose]();
    progress = undefined;
  };
  return {
    hide,
    begin(what) {
      hide();
      clearInterval(timer);
      timer = undefined;
      if (what === undefined || io.stderrIsTerminal !== true) return;
      const since = Date.now();
      timer = setInterval(
        () => {
          const ms = Date.now() - since;
          if (ms < afterMs) return;
          progress ??= createProgress(io);
          progress.step(`… waiting for ${visible(what)}, ${shownDuration(ms)}`);
        },
        Math.min(everyMs, afterMs),
      ).unref();
    },
  };
}
