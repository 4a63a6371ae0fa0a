/** task.mode: enters plan mode freely; leaves it only where the gate let a person or a policy decide so. */
import type { ToolResult } from "../../../core/call/content.ts";
import { answered, failed } from "../../../core/call/tool-answer.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed, nonEmpty } from "../input-fields.ts";
import type { TaskPorts } from "./ports.ts";

/** For the gate's policies: a person ends plan mode. Without such a rule `task.mode` refuses to end it. */
export const leavingPlanModeAsks = {
  name: "leaving plan mode asks a person",
  tools: "task.mode",
  action: "ask",
  conditions: [{ type: "argument", field: "mode", operator: "equals", value: "act" }],
  modes: ["plan"],
  // Above a rule that approves everything: plan mode is there to hold until somebody looks.
  priority: 1_000,
  reason: "Plan mode ends when a person has seen the plan.",
} as const;

export function createMode({ modes }: Pick<TaskPorts, "modes">) {
  return defineBuiltin("task.mode", {
    title: "Plan or act",
    description:
      "Says which mode the session is in, or changes it. In plan mode only reading is possible, whatever the tool. " +
      "Enter it to look around before a larger change; ask to leave it (`act`) with the plan, and a person decides.",
    input: closed([], {
      mode: {
        enum: ["plan", "act"],
        description: "The mode to change to. Left out: only say which it is.",
      },
      plan: nonEmpty("What will be done in act mode, for the person who decides.", 50_000),
    }),
    synonyms: { mode: ["mode_slug"] },
    annotations: { readOnlyHint: false, destructiveHint: false },
    adapt: fromOtherModes,
    run: (input, context) => change(input, context, modes),
  });
}

const how = 'Call with mode "plan" or "act" to change it.';

async function change(
  input: { readonly mode?: "plan" | "act" | undefined },
  context: ToolContext,
  modes: TaskPorts["modes"],
): Promise<ToolResult> {
  const { mode } = input;
  if (mode === undefined || mode === context.mode)
    return answered(`The mode is ${context.mode}. ${how}`, { mode: context.mode });
  const { sessionId } = context;
  if (modes === undefined || sessionId === undefined) {
    const why = sessionId === undefined ? "This call belongs to no session" : "No session is kept here";
    return failed({ code: "no_session", message: `${why}, so there is no mode to change.` });
  }
  if (mode === "act") {
    const may = await modes.mayLeavePlan(input, context);
    if (may !== true)
      return failed({ code: "plan_mode", message: `${may} Present the plan and wait for a person.` });
  }
  await modes.set(sessionId, mode, context.caller.id);
  return answered(
    mode === "plan"
      ? "Plan mode: from the next call on only reading is possible. Ask to leave it when the plan is ready."
      : "Act mode: the plan may be carried out.",
    { mode },
  );
}

/** Others have a tool to enter plan mode, with a reason, and one to leave it, with the plan or its file. */
function fromOtherModes(input: JsonObject): JsonObject | string {
  const { mode, plan, reason, plan_path, plan_filename, ...others } = input;
  const file = plan_path ?? plan_filename;
  const text = plan ?? (file === undefined ? reason : `The plan is in ${String(file)}.`);
  const rest = Object.fromEntries(Object.entries(others).filter(([name]) => !unused.has(name)));
  const wanted = mode ?? (plan !== undefined || file !== undefined ? "act" : reason && "plan");
  return {
    ...rest,
    ...(text !== undefined && { plan: text }),
    ...(wanted !== undefined && { mode: modeNames.get(String(wanted)) ?? wanted }),
  };
}

/** What is said to a person while planning or acting changes no mode. */
const unused = new Set(["response", "needs_more_exploration", "allowedPrompts", "task_progress"]);

const modeNames: ReadonlyMap<string, string> = new Map([
  ["architect", "plan"],
  ["code", "act"],
]);
