/** Changes to a list of things to do: all of a change or nothing of it. */
import type { Todo, TodoStatus } from "./session-state.ts";

export interface TodoChange {
  /** The whole new list. */
  readonly todos?: readonly { readonly text: string; readonly status?: TodoStatus }[] | undefined;
  readonly add?: readonly string[] | undefined;
  readonly update?:
    | readonly { readonly id: number; readonly text?: string; readonly status?: TodoStatus }[]
    | undefined;
  readonly remove?: readonly number[] | undefined;
}

export type ChangedTodos =
  | { readonly ok: true; readonly todos: readonly Todo[] }
  | { readonly ok: false; readonly message: string };

export const maxTodos = 200;

export function changeTodos(list: readonly Todo[], change: TodoChange): ChangedTodos {
  const { todos, add = [], update = [], remove = [] } = change;
  if (todos !== undefined && add.length + update.length + remove.length > 0)
    return refuse("`todos` replaces the whole list; give either it or add, update and remove.");
  if (todos !== undefined)
    return checked(todos.map(({ text, status = "pending" }, index) => ({ id: index + 1, text, status })));
  const missing = [...update.map(({ id }) => id), ...remove].find((id) => !list.some((one) => one.id === id));
  if (missing !== undefined) return refuse(`There is no item ${missing}. ${known(list)}`);
  const changed = new Map(update.map((one) => [one.id, one]));
  if (changed.size < update.length) return refuse("`update` names one item twice; say once what it becomes.");
  const kept = list
    .filter(({ id }) => !remove.includes(id))
    .map((todo) => ({ ...todo, ...changed.get(todo.id) }));
  let id = Math.max(0, ...list.map((one) => one.id));
  const added = add.map((text): Todo => ({ id: ++id, text, status: "pending" }));
  return checked([...kept, ...added]);
}

export function showTodos(todos: readonly Todo[]): string {
  if (todos.length === 0) return "The list is empty.";
  const lines = todos.map(({ id, text, status }) => `[${marks[status]}] ${id} ${text}`);
  const done = todos.filter(({ status }) => status === "done").length;
  return [...lines, `${done} of ${todos.length} done.`].join("\n");
}

const marks: Record<TodoStatus, string> = { pending: " ", in_progress: ">", done: "x" };

/** Two things at once are none: the list is to say what is worked on now. */
function checked(todos: readonly Todo[]): ChangedTodos {
  if (todos.length > maxTodos) return refuse(`A list has at most ${maxTodos} items, not ${todos.length}.`);
  const running = todos.filter(({ status }) => status === "in_progress").map(({ id }) => id);
  if (running.length > 1)
    return refuse(
      `At most one item is in_progress; these would be: ${running.join(", ")}. Set the others to pending or done.`,
    );
  return { ok: true, todos };
}

function known(list: readonly Todo[]): string {
  return list.length === 0 ? "The list is empty." : `Items: ${list.map(({ id }) => id).join(", ")}.`;
}

function refuse(message: string): ChangedTodos {
  return { ok: false, message };
}
