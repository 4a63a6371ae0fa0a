/** All task tools over one set of ports. */
import type { AnyTool } from "../../../core/tool/tool.ts";
import { createAsk } from "./ask.ts";
import { createComplete } from "./complete.ts";
import { createHandoff } from "./handoff.ts";
import { createMode } from "./mode.ts";
import type { TaskPorts } from "./ports.ts";
import { createSkillLoad } from "./skill-load.ts";
import { createSpawn } from "./spawn.ts";
import { createTodo } from "./todo.ts";

export function createTaskTools(ports: TaskPorts): readonly AnyTool[] {
  return [
    createTodo(ports),
    createMode(ports),
    createAsk(ports),
    createComplete(ports),
    createSpawn(ports),
    createHandoff(ports),
    createSkillLoad(ports),
  ];
}
