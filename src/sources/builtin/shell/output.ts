/** shell.output: what a background process has written since the last look. */
import { failed } from "../../../core/call/tool-answer.ts";
import type { InputShape } from "../../../core/input/input-shapes.ts";
import { compileForeignPattern } from "../../../safe/regex/safe-regex.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed, nonEmpty, wholeNumber } from "../input-fields.ts";
import { idSchema, idSynonyms, numberAsId } from "./process-id.ts";
import type { Processes } from "./processes.ts";
import { readOutput } from "./read-output.ts";

const maxWaitMs = 60_000;

/** Gemini reads the end of everything that was written, not what is new. */
const lastLines: InputShape = (input) => ({ cursor: 0, lines: 100, ...input });

/** Roo reads from the beginning where no offset says otherwise; how much fits is ours to say. */
const fromStart: InputShape = ({ limit: _limit, offset, ...rest }) => ({ ...rest, cursor: offset ?? 0 });

export function createOutput(processes: Processes) {
  return defineBuiltin("shell.output", {
    title: "Read background output",
    description:
      "Reads what a background process has written since the last shell.output or shell.input of it, and says whether it still runs. " +
      `With waitMs (at most ${maxWaitMs}) it waits for something new. With filter, a regular expression, only matching lines come. ` +
      "With cursor it reads again from an earlier place, with lines only the last ones.",
    input: closed(["id"], {
      id: idSchema,
      waitMs: wholeNumber(0, maxWaitMs, "Default 0."),
      filter: nonEmpty("Keep only lines that match.", 1_000),
      cursor: {
        type: "integer",
        minimum: 0,
        description: "A cursor of an earlier answer; 0 for everything.",
      },
      lines: wholeNumber(1, 10_000, "Only so many, the last ones."),
    }),
    synonyms: {
      id: idSynonyms,
      waitMs: ["yield_time_ms", "delay_ms"],
      filter: ["search"],
      cursor: ["offset"],
    },
    shapes: { read_background_output: lastLines, read_command_output: fromStart },
    adapt: numberAsId,
    // Only our own memory is read: waiting here must neither wait for a running command nor hold one up.
    lock: "none",
    timeoutMs: maxWaitMs + 30_000,
    validate: ({ filter }) => {
      const compiled = filter === undefined ? undefined : compileForeignPattern(filter);
      return compiled?.ok === false ? `filter cannot be used: ${compiled.message}` : undefined;
    },
    run: async ({ id, waitMs = 0, filter, cursor, lines }, context) => {
      const process = processes.find(id, context);
      if (!("running" in process)) return failed(process);
      const compiled = filter === undefined ? undefined : compileForeignPattern(filter);
      const pattern = compiled?.ok === true ? compiled.pattern : undefined;
      return readOutput(process, { cursor, waitMs, filter: pattern, lines }, context.signal);
    },
  });
}
