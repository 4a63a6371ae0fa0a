/** shell.exec: runs a command line, waiting for its end or leaving it in the background. */
import type { ToolResult } from "../../../core/call/content.ts";
import { answered, failed } from "../../../core/call/tool-answer.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed, flag, nonEmpty, wholeNumber } from "../input-fields.ts";
import { fromOtherShapes, timeoutInSeconds, timeoutOfBash } from "./command-shapes.ts";
import { maxTimeoutMs, type ShellSettings } from "./options.ts";
import { createPrepare } from "./prepare-command.ts";
import type { Processes, StartRequest } from "./processes.ts";
import { runForeground } from "./run-foreground.ts";

export function createExec(settings: ShellSettings, processes: Processes) {
  const prepare = createPrepare(settings);
  return defineBuiltin("shell.exec", {
    title: "Run a command",
    description:
      `Runs a line of ${settings.shell} and answers its output, both streams as a terminal shows them, and its exit code. ` +
      `It has ${settings.defaultTimeoutMs / 1000} s unless timeoutMs says otherwise; its input is empty; whatever it leaves running is ended with it. ` +
      "For servers, watchers and long jobs use background: true: it answers an id at once, for shell.output, shell.input and shell.kill.",
    input: closed(["command"], {
      command: nonEmpty("The line to run.", 100_000),
      cwd: nonEmpty("A folder of the workspace. Default: the working folder."),
      timeoutMs: wholeNumber(
        1_000,
        maxTimeoutMs,
        `Milliseconds, at most ${maxTimeoutMs}. Not for background.`,
      ),
      background: flag("Start it and go on. Default false."),
      stdin: flag("Keep its input open for shell.input; background only."),
      description: {
        type: "string",
        maxLength: 1_000,
        description: "What it is for, in a few words, for people.",
      },
    }),
    synonyms: {
      command: ["cmd"],
      cwd: ["workdir", "directory", "dir_path"],
      timeoutMs: ["timeout", "timeout_ms"],
      background: ["run_in_background", "is_background"],
    },
    shapes: { execute_command: timeoutInSeconds, bash: timeoutOfBash },
    adapt: fromOtherShapes,
    timeoutMs: maxTimeoutMs + 20_000,
    hidesSecrets: () => settings.sandbox().mode === "required",
    validate: ({ background = false, stdin = false, timeoutMs }) => {
      if (stdin && !background) return "stdin: true needs background: true.";
      if (background && timeoutMs !== undefined)
        return "timeoutMs is not for background processes: they run until they end or shell.kill ends them.";
      return undefined;
    },
    run: async ({ command, cwd, timeoutMs, background = false, stdin = false }, context) => {
      const prepared = await prepare({ line: command, folder: cwd, background }, context);
      if (!prepared.ok) return failed(prepared);
      const { process } = prepared;
      if (background) return startBackground(processes, { command, process, takesInput: stdin }, context);
      const { defaultTimeoutMs, maxOutputBytes } = settings;
      const limits = { timeoutMs: timeoutMs ?? defaultTimeoutMs, maxOutputBytes };
      return runForeground(process, limits, context);
    },
  });
}

async function startBackground(
  processes: Processes,
  request: StartRequest,
  context: ToolContext,
): Promise<ToolResult> {
  const started = await processes.start(request, context);
  if (!started.ok) return failed(started);
  const { id, running } = started.process;
  const example = `shell.output {"id": "${id}", "waitMs": 5000}`;
  const write = request.takesInput ? " Write to it with shell.input." : "";
  const text = `Started in the background as ${id}. Read its output with ${example}, end it with shell.kill.${write}`;
  return answered(text, { id, pid: running.pid });
}
