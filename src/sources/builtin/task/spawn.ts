/** task.spawn: starts sub-tasks, each with its own context, and answers with what they found. */
import type { ToolResult } from "../../../core/call/content.ts";
import { messageOf } from "../../../core/call/errors.ts";
import { answered, failed } from "../../../core/call/tool-answer.ts";
import type { ToolContext } from "../../../core/tool/tool.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed, nonEmpty } from "../input-fields.ts";
import type { SpawnEnd, Spawner, SubTask, TaskPorts } from "./ports.ts";
import { fromOtherSpawns } from "./spawn-shapes.ts";

const maxTasks = 5;
/** All ends together stay below what the gate lets through. */
const maxTotalCharacters = 50_000;

export function createSpawn({
  spawner,
  timeoutMs = 30 * 60_000,
}: Pick<TaskPorts, "spawner"> & { readonly timeoutMs?: number }) {
  return defineBuiltin("task.spawn", {
    title: "Start sub-tasks",
    description:
      "Starts up to five sub-tasks side by side, each with a context of its own, and waits for what they find. A sub-task knows only its prompt, " +
      "may do what this session may do, and sends back a summary.",
    input: closed(["tasks"], {
      tasks: {
        type: "array",
        minItems: 1,
        maxItems: maxTasks,
        items: closed(["prompt"], {
          prompt: nonEmpty("All that the sub-task has to know.", 50_000),
          title: { type: "string", maxLength: 200, description: "A few words for people." },
          agent: nonEmpty("The kind of agent.", 100),
        }),
      },
    }),
    adapt: fromOtherSpawns,
    timeoutMs,
    // The calls of a sub-task take the lock themselves; holding it meanwhile would leave both waiting.
    lock: "none",
    run: ({ tasks }, context) => spawn(tasks, context, typeof spawner === "function" ? spawner() : spawner),
  });
}

async function spawn(
  tasks: readonly SubTask[],
  context: ToolContext,
  spawner: Spawner | undefined,
): Promise<ToolResult> {
  if (spawner === undefined) {
    const message = "No sub-task can be started here. Do the work in this session.";
    return failed({ code: "no_spawner", message });
  }
  const agents = spawner.agents?.();
  const unknown = tasks.find(({ agent }) => agent !== undefined && agents?.includes(agent) === false);
  if (agents !== undefined && unknown !== undefined) {
    const known = agents.length === 0 ? "Leave it out." : `There are: ${agents.join(", ")}.`;
    const message = `There is no agent ${JSON.stringify(unknown.agent)}. ${known}`;
    return failed({ code: "unknown_agent", message });
  }
  const { callId, sessionId, caller, cwd, roots, mode, signal, progress } = context;
  const parent = { callId, sessionId, caller, cwd, roots, mode };
  const ends = await Promise.all(
    tasks.map((task) => ended(() => spawner.run({ ...task, parent }, { signal, progress }))),
  );
  const room = Math.floor(maxTotalCharacters / tasks.length);
  const results = ends.map(({ summary, ...end }, index) => ({
    title: tasks[index]?.title ?? `task ${index + 1}`,
    ...end,
    summary:
      summary.length > room ? `${summary.slice(0, room)}\n[cut: ${summary.length} characters]` : summary,
  }));
  const text = results
    .map(({ title, ok, summary }) => `## ${title}${ok ? "" : " (failed)"}\n${summary}`)
    .join("\n\n");
  const isError = ends.every(({ ok }) => !ok);
  return answered(text, { tasks: results }, isError);
}

/** One that breaks must not take the others' results away. */
async function ended(run: () => Promise<SpawnEnd>): Promise<SpawnEnd> {
  try {
    return await run();
  } catch (error) {
    return { ok: false, summary: `It broke: ${messageOf(error)}` };
  }
}
