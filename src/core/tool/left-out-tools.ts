/** Tools of agents that are left out on purpose, and what to use in their place. */

const ofAnotherServer =
  "Look for a tool of an upstream MCP server with tools.search, or ask a person to add such a server under upstreams.";
const automatic =
  "There is nothing to ask for in advance: call the tool itself. The rules, or a person, decide.";
const conversation =
  "How long a conversation may be is up to who runs it. Write down where things stand with task.handoff.";
const schedule = "toolgate starts nothing by itself. Ask a person to use the system's own scheduler.";
const worktree = "Make a working tree with shell.exec and git worktree, and name its folder as cwd.";

const instead: ReadonlyMap<string, string> = new Map([
  ["generate_image", `toolgate makes no images. ${ofAnotherServer}`],
  [
    "report_bug",
    `Write the report into your answer, or file it where the project keeps its issues. ${ofAnotherServer}`,
  ],
  ["generate_explanation", "Explain it in your answer; git.diff and fs.read show what there is to explain."],
  ["current_time", 'Use shell.exec with {"command": "date"}.'],
  ["sleep", "Use shell.output with waitMs to wait for a process, or shell.exec with the command sleep."],
  ["request_permissions", automatic],
  ["get_context_remaining", conversation],
  ["new_context", conversation],
  ["CronCreate", schedule],
  ["CronDelete", schedule],
  ["CronList", schedule],
  ["EnterWorktree", worktree],
  ["ExitWorktree", worktree],
  ["get_internal_docs", "Find tools with tools.search, and read what they take with tools.describe."],
  ["update_topic", "Say it in your answer, or keep the list of what is to be done with task.todo."],
  ["Artifact", "Write a file with fs.write, and say where it is."],
]);

/** Undefined: nobody decided about it. */
export function insteadOf(name: string): string | undefined {
  return instead.get(name);
}
