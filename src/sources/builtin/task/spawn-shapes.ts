/** The ways in which other agents name a sub-task: one prompt of many names, or `prompt_1` to `prompt_5`. */
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";

export function fromOtherSpawns(input: JsonObject): JsonObject | string {
  const { task_progress: _progress, tasks, ...one } = input;
  if (tasks !== undefined) {
    if (Object.keys(one).length > 0) return { ...one, tasks };
    return { tasks: Array.isArray(tasks) ? tasks.map(toTask) : tasks };
  }
  const numbered = Object.keys(one)
    .filter((name) => /^prompt_\d$/.test(name))
    .sort();
  if (numbered.length > 0 && numbered.length === Object.keys(one).length)
    return { tasks: numbered.map((name) => ({ prompt: one[name] ?? null })) };
  return { tasks: [toTask(one)] };
}

function toTask(task: Json): Json {
  if (typeof task === "string") return { prompt: task };
  if (!isJsonObject(task)) return task;
  const rest: Record<string, Json> = {};
  for (const [name, value] of Object.entries(inOnePrompt(task))) {
    if (ignored.has(name)) continue;
    const field = fields.get(name) ?? name;
    // Two names for one field with two values stay two fields, of which the schema refuses one.
    const same = rest[field] === undefined || rest[field] === value;
    rest[same ? field : name] = value;
  }
  return rest;
}

/** A role and a task, or a message in pieces of text: all of it is what the sub-task is told. */
function inOnePrompt(task: JsonObject): JsonObject {
  const { systemPrompt, items, ...rest } = task;
  const said = rest.prompt ?? rest.message ?? rest.task;
  if (typeof systemPrompt === "string" && typeof said === "string") {
    const { prompt: _prompt, message: _message, task: _task, ...more } = rest;
    return { ...more, prompt: `${systemPrompt}\n\n${said}`, ...(items !== undefined && { items }) };
  }
  const texts = Array.isArray(items) ? items.map((item) => (isJsonObject(item) ? item.text : item)) : [];
  if (said !== undefined || texts.length === 0 || !texts.every((text) => typeof text === "string"))
    return task;
  return { ...rest, prompt: texts.join("\n") };
}

const fields: ReadonlyMap<string, string> = new Map([
  ["message", "prompt"],
  ["context", "prompt"],
  ["task", "prompt"],
  ["description", "title"],
  ["task_name", "title"],
  ["mode", "agent"],
  ["subagent_type", "agent"],
  ["agent_type", "agent"],
  ["agent_name", "agent"],
]);

/** What a sub-task may use is its parent's and not for the model to choose. */
const ignored = new Set([
  "todos",
  "model",
  "reasoning_effort",
  "fork_context",
  "run_in_background",
  "isolation",
  "name",
  "task_id",
  "resume",
  "command",
]);
