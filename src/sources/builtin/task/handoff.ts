/** task.handoff: keeps a summary of the work so far for the context that continues it. */
import { sessionOf } from "../../../core/call/session-key.ts";
import { answered } from "../../../core/call/tool-answer.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed, nonEmpty } from "../input-fields.ts";
import type { TaskPorts } from "./ports.ts";

export function createHandoff({ state }: Pick<TaskPorts, "state">) {
  return defineBuiltin("task.handoff", {
    title: "Hand over",
    description:
      "Keeps a summary of the work so far for the context that continues it: the goal, what is done, what was found out, which files matter, what comes next. " +
      "A later summary replaces an earlier one.",
    input: closed(["summary"], {
      summary: nonEmpty("All that the next context needs; it sees nothing else of this one.", 100_000),
    }),
    synonyms: { summary: ["context", "message"] },
    annotations: { readOnlyHint: false, destructiveHint: false },
    adapt: ({ task_progress: _progress, ...input }) => input,
    run: ({ summary }, context) => {
      state.update(sessionOf(context), { handoff: summary });
      return answered("Kept for the next context.", { characters: summary.length });
    },
  });
}
