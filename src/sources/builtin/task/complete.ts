/** task.complete: says that the task is done, with a summary for the person; the session's owner is told. */
import { sessionOf } from "../../../core/call/session-key.ts";
import { answered } from "../../../core/call/tool-answer.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed, nonEmpty } from "../input-fields.ts";
import type { TaskPorts } from "./ports.ts";

export function createComplete({ state, onComplete }: Pick<TaskPorts, "state" | "onComplete">) {
  return defineBuiltin("task.complete", {
    title: "Task done",
    description:
      "Ends the task with a summary of what was done and how it was checked. Call it once, when nothing is left to do; it runs nothing.",
    input: closed(["summary"], {
      summary: nonEmpty("For the person: what was done, what was checked, what is left.", 50_000),
    }),
    synonyms: { summary: ["result", "message", "response"] },
    annotations: { readOnlyHint: false, destructiveHint: false },
    adapt: withoutCommand,
    run: ({ summary }, context) => {
      const session = sessionOf(context);
      const open = state.of(session).todos.filter(({ status }) => status !== "done");
      state.update(session, { completed: summary });
      const { sessionId, callId, caller } = context;
      onComplete?.({ sessionId, caller: caller.id, callId, summary });
      const left = open.length === 0 ? "" : ` ${open.length} items of the list are still open.`;
      return answered(`The task is done.${left}`, { completed: true, openTodos: open.length });
    },
  });
}

/** Some agents let the end of a task run a command, which no rule about commands would see. */
function withoutCommand({ task_progress: _progress, verified: _verified, ...input }: JsonObject) {
  const { command, ...rest } = input;
  if (command === undefined || command === null || command === "") return rest;
  return 'expected no "command": nothing is run at the end of a task. Call shell.exec first, then complete';
}
