/** shell.input: writes lines to a background process that was started with an open input. */
import { failed } from "../../../core/call/tool-answer.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed, flag, wholeNumber } from "../input-fields.ts";
import { idSchema, idSynonyms, numberAsId } from "./process-id.ts";
import type { Processes } from "./processes.ts";
import { readOutput } from "./read-output.ts";

const maxWaitMs = 60_000;
const writeWithinMs = 10_000;

/**
 * The process may be a shell, so rules judge the text as a command besides counting the call as one that
 * executes (role `stdin` in tool-table.ts). That holds only if they see whole lines: half a command now and
 * half of it later would pass them in pieces.
 */
export function createInput(processes: Processes) {
  return defineBuiltin("shell.input", {
    title: "Write to a background process",
    description:
      "Writes text to a background process that was started with stdin: true, and answers what it writes within waitMs (default 1000). " +
      "The text is one or more whole lines; a missing line break at the end is added; an empty text writes nothing and only waits. close: true ends its input.",
    input: closed(["id"], {
      id: idSchema,
      text: { type: "string", maxLength: 100_000, description: "What to write." },
      close: flag("End the input afterwards. Default false."),
      waitMs: wholeNumber(0, maxWaitMs, "How long to wait for output. Default 1000."),
    }),
    synonyms: { id: idSynonyms, text: ["chars", "input"], waitMs: ["yield_time_ms", "delay_ms"] },
    // Codex leaves the text out to look for output.
    shapes: {
      write_stdin: (input) => ("chars" in input || "text" in input ? input : { ...input, text: "" }),
    },
    adapt: ({ max_output_tokens: _, ...rest }) => numberAsId(rest),
    lock: "none",
    timeoutMs: maxWaitMs + 30_000,
    validate: ({ text, close = false }) => {
      if (text === undefined) return close ? undefined : "give text, or close: true.";
      if (/(?:^|[^\\])(?:\\\\)*\\$/.test(text.replace(/\r?\n$/, "")))
        return "the text ends in a backslash, which joins the line with the next one. Send whole lines.";
      return undefined;
    },
    run: async ({ id, text = "", close = false, waitMs = 1_000 }, context) => {
      const process = processes.find(id, context);
      if (!("running" in process)) return failed(process);
      if (text === "" && !close) return readOutput(process, { waitMs }, context.signal);
      if (process.end !== undefined)
        return failed({ code: "ended", message: `${id} has ended; nothing can be written to it.` });
      if (!process.takesInput) {
        const message = `${id} was started without an input. Start it again with stdin: true.`;
        return failed({ code: "no_input", message });
      }
      if (text !== "") {
        const line = text.endsWith("\n") ? text : `${text}\n`;
        const written = await within(process.running.write(line), context.signal);
        if (written === "late") {
          const message = `${id} does not read its input; the text waits for it. Look at shell.output.`;
          return failed({ code: "not_read", message });
        }
        if (!written) return failed({ code: "input_closed", message: `The input of ${id} is closed.` });
      }
      if (close) process.running.endInput();
      return readOutput(process, { waitMs }, context.signal);
    },
  });
}

/** A pipe takes some 64 KB and then waits for its reader, perhaps for ever. */
function within(written: Promise<boolean>, signal: AbortSignal): Promise<boolean | "late"> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(writeWithinMs)]);
  return new Promise((resolve) => {
    late.addEventListener("abort", () => resolve("late"), { once: true });
    void written.then(resolve);
  });
}
