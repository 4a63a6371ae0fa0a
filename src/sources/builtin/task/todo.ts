/** task.todo: the agent's own list of things to do, kept with the session. */
import { sessionOf } from "../../../core/call/session-key.ts";
import { answered, failed } from "../../../core/call/tool-answer.ts";
import { defineBuiltin } from "../define-builtin.ts";
import { closed } from "../input-fields.ts";
import type { TaskPorts } from "./ports.ts";
import { todoStatuses } from "./session-state.ts";
import { changeTodos, maxTodos, showTodos } from "./todo-list.ts";
import { fromOtherLists } from "./todo-shapes.ts";

const text = { type: "string", minLength: 1, maxLength: 1_000 } as const;
const status = { enum: todoStatuses } as const;
const id = { type: "integer", minimum: 1 } as const;

export function createTodo({ state }: Pick<TaskPorts, "state">) {
  return defineBuiltin("task.todo", {
    title: "Things to do",
    description:
      "Keeps the list of things to do in this session. Without input it shows the list; `todos` replaces it; `add`, `update` and `remove` change items by their number. " +
      "At most one item is in_progress. Use it for work of several steps, and set an item to done as soon as it is.",
    input: closed([], {
      todos: {
        type: "array",
        maxItems: maxTodos,
        description: "The whole new list.",
        items: closed(["text"], { text, status }),
      },
      add: { type: "array", maxItems: maxTodos, items: text, description: "New items, at the end." },
      update: {
        type: "array",
        maxItems: maxTodos,
        description: "Changes to items by number.",
        items: closed(["id"], { id, text, status }),
      },
      remove: { type: "array", maxItems: maxTodos, items: id, description: "Numbers of items to drop." },
    }),
    synonyms: { todos: ["plan", "task_progress"] },
    annotations: { readOnlyHint: false, destructiveHint: false },
    adapt: fromOtherLists,
    run: (change, context) => {
      const session = sessionOf(context);
      const before = state.of(session).todos;
      const changed = changeTodos(before, change);
      if (!changed.ok) return failed({ code: "bad_list", message: changed.message });
      if (Object.keys(change).length > 0) state.update(session, { todos: changed.todos });
      return answered(showTodos(changed.todos), { todos: changed.todos });
    },
  });
}
