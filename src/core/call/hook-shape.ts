/** How a hook that is a program is written. */
import { choice, closed, duration, flag, text } from "../input/shape.ts";
import { toolPatternShape } from "../tool/tool-pattern.ts";

export const hookShape = closed(
  {
    type: choice(
      ["PreToolUse", "PostToolUse", "OnError"],
      "PreToolUse: before the call is decided. PostToolUse: after it ran. OnError: after it failed.",
    ),
    toolPatterns: toolPatternShape,
    command: {
      description:
        "What is started: a line for sh, or a list of a program and its arguments. The call comes as JSON on its standard input.",
      oneOf: [
        { type: "string", minLength: 1 },
        { type: "array", items: { type: "string" }, minItems: 1 },
      ],
      examples: ["./check-call.sh", ["python3", "check_call.py"]],
    },
    timeoutMs: duration(1, "How long it may hold up a call, waiting for its turn included.", {
      default: "10s",
    }),
    failMode: choice(
      ["closed", "open"],
      "What a crash, a time-out or nonsense means. closed stops the call.",
      { default: "closed" },
    ),
    isCancellable: flag("false: it runs to its end even when the call is cancelled.", { default: true }),
    mode: choice(
      ["process", "daemon"],
      "process: started for each call. daemon: one process that stays, a line of JSON for each call.",
      { default: "process" },
    ),
    wire: choice(
      ["toolgate", "claude-code"],
      "In which words it is asked. claude-code: as that client asks its hooks.",
      { default: "toolgate" },
    ),
    env: {
      type: ["array", "null"],
      description: "Names of variables to hand over, besides PATH, HOME and the like.",
      items: { type: "string", minLength: 1 },
    },
    cwd: text("The folder it runs in. By default the one of this file.", { minLength: 1 }),
  },
  ["type", "command"],
  "A program that looks at calls: it can stop, change and comment them.",
);
