/** shell.list: the background processes of this session. */
import { answered } from "../../../core/call/tool-answer.ts";
import { visible } from "../../../core/text/visible.ts";
import { shownPath } from "../../../safe/files/workspace-files.ts";
import { howItEnded, seconds } from "../../../safe/process/how-it-ended.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed } from "../input-fields.ts";
import type { Processes } from "./processes.ts";

const maxCommand = 200;

export function createList(processes: Processes) {
  return defineBuiltin("shell.list", {
    title: "List background processes",
    description: "Lists the background processes of this session: id, state, folder and command.",
    input: closed([], {}),
    lock: "none",
    run: (_, context) => {
      const list = processes.list(context).map(({ id, command, cwd, startedAt, end, running }) => ({
        id,
        running: end === undefined,
        state: end === undefined ? `running for ${seconds(Date.now() - startedAt)}` : howItEnded(end),
        ...(end === undefined && { pid: running.pid }),
        ...(end !== undefined && { exitCode: end.exitCode }),
        cwd: shownPath(cwd, context),
        command: visible(command, { maxLength: maxCommand }),
      }));
      const lines = list.map(({ id, state, cwd, command }) => `${id}  ${state}  in ${cwd}: ${command}`);
      const text = lines.length === 0 ? "No background processes." : lines.join("\n");
      return answered(text, { processes: list });
    },
  });
}
