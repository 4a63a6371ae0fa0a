import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSessionState, todoStatuses } from "../../../../../src/sources/builtin/task/session-state.ts";
import { createTodo } from "../../../../../src/sources/builtin/task/todo.ts";
import { changeTodos } from "../../../../../src/sources/builtin/task/todo-list.ts";
import { describeInput } from "../describe-input.ts";
import { taskGate } from "./task-gate.ts";

describeInput("task.todo", () => createTodo({ state: createSessionState() }), {
  good: { add: ["x"] },
  bad: [
    { add: [""] },
    { todos: [{ text: "x", status: "later" }] },
    { update: [{ text: "x" }] },
    { todos: 7 },
  ],
});

describe("task.todo", () => {
  it("keeps the list of a session: replaced, added to, changed, shortened", async () => {
    const { say, data } = await taskGate();
    expect(await say("task.todo")).toBe("The list is empty.");
    await say("task.todo", { todos: [{ text: "look", status: "done" }, { text: "plan" }] });
    await say("task.todo", { add: ["build"], update: [{ id: 2, status: "in_progress" }] });
    expect(await say("task.todo")).toBe("[x] 1 look\n[>] 2 plan\n[ ] 3 build\n1 of 3 done.");
    await say("task.todo", { remove: [1], update: [{ id: 3, text: "build it" }] });
    expect(await data("task.todo")).toEqual({
      todos: [
        { id: 2, text: "plan", status: "in_progress" },
        { id: 3, text: "build it", status: "pending" },
      ],
    });
    expect(await say("task.todo", { todos: [] })).toBe("The list is empty.");
  });

  it("leaves the numbers of the others alone when an item goes", async () => {
    const { say } = await taskGate();
    await say("task.todo", { add: ["a", "b", "c"] });
    await say("task.todo", { remove: [1] });
    expect(await say("task.todo", { add: ["d"] })).toContain("[ ] 4 d");
  });

  it("lets one item be worked on at a time, and changes nothing otherwise", async () => {
    const { say } = await taskGate();
    await say("task.todo", { add: ["a", "b"], update: [] });
    await say("task.todo", { update: [{ id: 1, status: "in_progress" }] });
    expect(await say("task.todo", { update: [{ id: 2, status: "in_progress" }] })).toMatch(
      /^bad_list .*in_progress; these would be: 1, 2/,
    );
    expect(await say("task.todo")).toContain("[ ] 2 b");
    const update = [
      { id: 1, status: "done" },
      { id: 2, status: "in_progress" },
    ];
    expect(await say("task.todo", { update })).toContain("[>] 2 b");
  });

  it("says which numbers there are when one is wrong, and takes no change by halves", async () => {
    const { say } = await taskGate();
    await say("task.todo", { add: ["a"] });
    expect(await say("task.todo", { add: ["b"], remove: [9] })).toBe(
      "bad_list There is no item 9. Items: 1.",
    );
    expect(await say("task.todo", { todos: [{ text: "x" }], add: ["b"] })).toContain(
      "replaces the whole list",
    );
    expect(await say("task.todo", { update: [{ id: 1 }, { id: 1 }] })).toContain("names one item twice");
    expect(await say("task.todo")).toBe("[ ] 1 a\n0 of 1 done.");
  });

  it("is its caller's also in a session of the same name", async () => {
    const { say } = await taskGate();
    const [bob, eve] = ["bob", "eve"].map((id) => ({ caller: { id, capabilities: [] } }));
    await say("task.todo", { add: ["bob's"] }, bob);
    expect(await say("task.todo", {}, eve)).toBe("The list is empty.");
    await say("task.todo", { todos: [] }, eve);
    expect(await say("task.todo", {}, bob)).toContain("bob's");
  });

  it("keeps sessions apart, and calls without one by their caller", async () => {
    const { say } = await taskGate();
    await say("task.todo", { add: ["mine"] });
    expect(await say("task.todo", {}, { sessionId: "s2" })).toBe("The list is empty.");
    const ann = { sessionId: undefined, caller: { id: "ann", capabilities: [] } };
    const bob = { sessionId: undefined, caller: { id: "bob", capabilities: [] } };
    await say("task.todo", { add: ["ann's"] }, ann);
    expect(await say("task.todo", {}, ann)).toContain("ann's");
    expect(await say("task.todo", {}, bob)).toBe("The list is empty.");
  });

  /** Two items, one done and one begun, under the name that an agent has for their text. */
  const two = (name: string, more: object = {}) => [
    { [name]: "a", status: "completed", ...more },
    { [name]: "b", status: "in_progress", ...more },
  ];
  const cancelled = { content: "c", status: "cancelled", priority: "low" };
  it.each([
    ["TodoWrite", { todos: two("content", { activeForm: "Doing it" }) }],
    [
      "todowrite",
      {
        todos: [...two("content", { priority: "high" }), cancelled].map((one, at) => ({
          id: `${at}`,
          ...one,
        })),
      },
    ],
    ["write_todos", { todos: two("description") }],
    ["update_plan", { explanation: "why", plan: two("step") }],
    ["update_todo_list", { todos: "[x] a\n[-] b\n" }],
    ["focus_chain", { task_progress: "- [x] a\n- [>] b" }],
    ["TodoWrite", { todos: '[{"content":"a","status":"completed"},{"content":"b","status":"in_progress"}]' }],
  ])("takes the list as %s writes it", async (name, input) => {
    const { say } = await taskGate();
    expect(await say(name, input)).toBe("[x] 1 a\n[>] 2 b\n1 of 2 done.");
  });

  it("says which line it cannot read", async () => {
    const { say } = await taskGate();
    expect(await say("update_todo_list", { todos: "[x] a\nand then b" })).toMatch(
      /^invalid_input .*and then b/,
    );
    expect(await say("update_todo_list", { todos: "[{]" })).toMatch(/^invalid_input .*no JSON list/);
  });

  it("holds at most 200 items", async () => {
    const { say } = await taskGate();
    const many = Array.from({ length: 150 }, (_, index) => `item ${index}`);
    await say("task.todo", { add: many });
    expect(await say("task.todo", { add: many })).toContain("at most 200 items, not 300");
  });

  it("never holds two items in progress, whatever is changed", () => {
    const text = fc.constantFrom("a", "b");
    const status = fc.constantFrom(...todoStatuses);
    const change = fc.record(
      {
        todos: fc.array(fc.record({ text, status }), { maxLength: 3 }),
        add: fc.array(text, { maxLength: 2 }),
        update: fc.array(fc.record({ id: fc.integer({ min: 1, max: 4 }), status }), { maxLength: 3 }),
        remove: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
        let list: Parameters<typeof changeTodos>[0] = [];
        for (const one of changes) {
          const changed = changeTodos(list, one);
          if (changed.ok) list = changed.todos;
          expect(list.filter((todo) => todo.status === "in_progress").length).toBeLessThanOrEqual(1);
          expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
        }
      }),
    );
  });
});

describe("the state of sessions", () => {
  it("forgets the session that was not used for the longest time", () => {
    const state = createSessionState({ maxSessions: 2 });
    for (const session of ["a", "b"]) state.update(session, { handoff: session });
    state.of("a");
    state.update("c", { handoff: "c" });
    expect(state.of("a").handoff).toBe("a");
    expect(state.of("b").handoff).toBeUndefined();
    state.forget("a");
    expect(state.of("a")).toEqual({ todos: [] });
  });
});
