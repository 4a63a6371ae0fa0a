/**
 * The tools everybody's agents have, under the names everybody gives them. A rule for `Bash` holds for
 * `shell.exec` and for every agent's shell tool because both names lead to the same entry here, also for
 * calls that another agent runs by itself.
 */
import type { StatedRole } from "../input/input-roles.ts";
import { words } from "../text/words.ts";
import type { Permission } from "./permission.ts";

const file = "path paths file_path filePath file_paths absolute_path target_file files[].path files";
/** Roo writes several files as `{args: {file: [...]}}`. */
const inTags = "args.file[].path args.file.path args";
const directory = "path dir_path directory directory_path target_directory";
const newText = "new_string newString new_str new_text newText replace";
const patch = "patch input command patchText patch_text diff";

/** Tools of agents that run a line in a shell: names seen in the agents, and in their documentation. */
const bashKin =
  "Monitor Execute Shell ShellCommand RunCommand run_command run_terminal_command run_terminal_cmd " +
  "builtin_run_terminal_command run_in_terminal runInTerminal run_persistent_command execute_terminal_command " +
  "monitor runTerminalCommand execute_bash local_shell shell_command container.exec launch-process terminal";

/** Their tools that change files. */
const vscodeEdits =
  "replace_string_in_file multi_replace_string_in_file insert_edit_into_file edit_notebook_file editFiles";

/** Theirs is another language: rules see the text, and nobody here reads it. */
export const powerShells = "PowerShell powershell pwsh executePwsh execute_pwsh";

/** Category, permission and capabilities. */
type Kind = `${string} ${Permission}` | `${string} ${Permission} ${string}`;

/** Names of tools, and of fields by their role: a blank between two of them. */
type Names = { readonly [Word in "aliases" | "kin" | "does" | StatedRole]?: string };

/** As the table says it; `known-tools.ts` reads what it is asked for. */
export interface WrittenTool {
  readonly id: string;
  readonly kind: Kind;
  readonly names: Names;
}

function known(id: string, kind: Kind, names: Names = {}): WrittenTool {
  return { id, kind, names };
}

export const writtenTools: readonly WrittenTool[] = [
  known("fs.read", "filesystem read fs:read", {
    aliases: "read_file file_read file-reader read_files read_many_files Read read",
    kin: "view read_code",
    path: `${file} include ${inTags}`,
  }),
  known("fs.list", "filesystem read fs:read", {
    aliases: "list_files list_directory directory_list ls LS tree",
    kin: "list_dir",
    path: directory,
  }),
  known("fs.stat", "filesystem read fs:read", { path: file }),
  known("fs.view_image", "filesystem read fs:read", {
    aliases: "view_image",
    kin: "ReadMediaFile zoom_image display_image",
    path: file,
  }),
  known("search.grep", "search read fs:read", {
    aliases: "search_files grep_search grep Grep search_file_content",
    path: `${directory} paths`,
  }),
  known("search.glob", "search read fs:read", {
    aliases: "find glob Glob",
    path: `${directory} paths folder`,
  }),
  known("search.codebase", "search read fs:read", {
    aliases: "codebase_search search_codebase",
    path: `${directory} target_directories`,
  }),
  known("fs.write", "editing write fs:write", {
    aliases: "write_to_file write_file file_write new_rule Write write",
    kin: "create create_file createFile Create",
    path: file,
    content: "content contents file_text",
  }),
  known("fs.edit", "editing write fs:write", {
    aliases:
      "replace_in_file edit edit_file search_replace search_and_replace replace editor Edit MultiEdit NotebookEdit",
    path: `${file} notebook_path replacements[].filePath replacements`,
    content: `${newText} ${within("edits")} ${within("operations")} ${within("replacements")} edits operations replacements diff content code new_source file_text insert_text`,
    // The `command` of the first two is the kind of the edit.
    kin: `str_replace_based_edit_tool str_replace_editor multiedit write_code StrReplace EditNotebook notebook_edit ${vscodeEdits}`,
  }),
  known("fs.apply_diff", "editing write fs:write", {
    aliases: "apply_diff",
    path: `${file} ${inTags}`,
    content: "diff files[].diff args",
  }),
  known("fs.apply_patch", "editing write fs:write", {
    aliases: "apply_patch patch",
    kin: "ApplyPatch",
    // An agent that has it has no other tool to write with.
    does: "fs.write fs.edit",
    path: file,
    content: patch,
    patch,
  }),
  known("fs.delete", "editing write fs:write", {
    aliases: "delete_file",
    kin: "deleteFile Delete",
    path: file,
  }),
  known("fs.move", "editing write fs:write", { aliases: "move_file", path: "from to source destination" }),
  known("fs.mkdir", "editing write fs:write", { aliases: "create_directory", path: `${directory} dirPath` }),
  known("shell.exec", "shell execute shell:run", {
    aliases: "execute_command run_commands run_shell_command exec_command shell bash Bash",
    kin: `${bashKin} ${powerShells}`,
    command: "command cmd commands commandLine CommandLine command_line shell_command",
    path: "cwd workdir directory dir_path Cwd cd working_directory workingDirectory working_dir",
    // A monitor may listen to a socket instead.
    url: "ws.url",
    // Text in the command that the agent itself applies; its adapter says so.
    patch: "patch",
  }),
  known("shell.output", "shell read shell:run", {
    aliases: "read_command_output read_background_output BashOutput",
    kin: "TaskOutput read_bash get_command_or_subagent_output get_terminal_output job_output",
  }),
  known("shell.input", "shell execute shell:run", {
    aliases: "write_stdin",
    // Their `command` is typed into whatever runs in the terminal.
    kin: "write_bash send_to_terminal",
    stdin: "text chars input command",
    content: "text chars input command",
  }),
  known("shell.list", "shell read shell:run", { aliases: "list_background_processes", kin: "list_bash" }),
  known("shell.kill", "shell execute shell:run", {
    aliases: "KillShell",
    kin: "TaskStop stop_bash kill_command_or_subagent job_kill",
  }),
  known("git.status", "git read fs:read", { aliases: "git-status", path: directory }),
  known("git.diff_summary", "git read fs:read", { aliases: "git-diff-summary", path: directory }),
  known("git.diff", "git read fs:read", { path: `${directory} paths` }),
  known("git.log", "git read fs:read", { path: directory }),
  known("git.commit", "git write fs:write", { path: file, content: "message" }),
  known("git.checkpoint", "git write fs:write"),
  known("web.fetch", "web read net:fetch", {
    aliases: "web_fetch webfetch fetch_web_content WebFetch",
    kin: "fetch_webpage FetchUrl FetchURL Fetch fetch agentic_fetch",
    url: "url urls requests[].url",
  }),
  known("web.search", "web read net:fetch", { aliases: "web_search websearch google_web_search WebSearch" }),
  known("browser.open", "browser execute browser:use net:fetch", { url: "url" }),
  // What is read or shown came with a page that was opened before.
  known("browser.read", "browser read browser:use"),
  known("browser.click", "browser execute browser:use net:fetch"),
  known("browser.type", "browser execute browser:use net:fetch", { content: "text" }),
  known("browser.scroll", "browser execute browser:use net:fetch"),
  known("browser.screenshot", "browser read browser:use"),
  known("browser.close", "browser read browser:use"),
  // As mcp.call. An agent that has a tool of this name does all of it.
  known("browser.action", "browser execute browser:use net:fetch", {
    does: "browser.open browser.click browser.type browser.scroll",
    url: "url",
    content: "text",
  }),
  known("workspace.info", "workspace read fs:read", { aliases: "workspace-info" }),
  known("code.definitions", "code read fs:read", {
    // `LSP` of other agents asks about symbols and definitions, not about errors.
    aliases: "list_code_definition_names lsp LSP",
    path: `${file} dir_path directory directory_path target_directory folder`,
  }),
  // Runs the workspace's compiler, or a command of the operator: whatever lies in node_modules is executed.
  known("code.diagnostics", "code execute fs:read shell:run", { path: file }),
  known("task.todo", "task read", {
    aliases: "update_todo_list todowrite write_todos TodoWrite update_plan focus_chain",
    kin:
      "TaskCreate TaskUpdate TaskGet TaskList todo_write manage_todo_list task_create task_update task_list TodoList todos " +
      "tracker_create_task tracker_update_task tracker_get_task tracker_list_tasks tracker_add_dependency tracker_visualize",
  }),
  known("task.mode", "task read", {
    aliases:
      "switch_mode EnterPlanMode ExitPlanMode enter_plan_mode exit_plan_mode plan_exit plan_mode_respond act_mode_respond",
    kin: "ExitSpecMode",
  }),
  known("task.ask", "task read", {
    aliases: "ask_followup_question ask_question ask_user question request_user_input AskUserQuestion",
    kin: "ask_user_question",
  }),
  known("task.complete", "task read", { aliases: "attempt_completion submit_and_exit complete_task" }),
  known("task.spawn", "task execute", {
    aliases: "new_task use_subagents spawn_agent invoke_agent task Task Agent",
    kin: "spawn_subagent runSubagent AgentSwarm agent",
  }),
  known("task.handoff", "task read", { aliases: "condense summarize_task" }),
  known("skill.load", "task read", {
    aliases: "use_skill skill skills activate_skill run_slash_command Skill",
  }),
  // It only passes a call on: what its target does is judged as a call of the target.
  known("mcp.call", "mcp read", { aliases: "use_mcp_tool" }),
  known("mcp.resource_list", "mcp read", { aliases: "list_mcp_resources ListMcpResourcesTool" }),
  known("mcp.resource_read", "mcp read", {
    aliases: "access_mcp_resource read_mcp_resource ReadMcpResourceTool",
    url: "uri",
  }),
  known("mcp.prompt_list", "mcp read"),
  // The server does with them what it likes, as with those of its tools.
  known("mcp.prompt_get", "mcp read", { arguments: "arguments" }),
  known("tools.search", "mcp read", { aliases: "load_mcp_documentation tool_search ToolSearch" }),
  known("tools.describe", "mcp read"),
  // As mcp.call: what its target does is judged as a call of the target.
  known("tools.call", "mcp read"),
  known("cs.user_get", "customer_support read support:read"),
  known("cs.user_list", "customer_support read support:read"),
  known("cs.tenant_get", "customer_support read support:read"),
  known("cs.tenant_list", "customer_support read support:read"),
  known("cs.ticket_get", "customer_support read support:read"),
  known("cs.ticket_list", "customer_support read support:read"),
  known("cs.ticket_create", "customer_support write support:write", { content: "subject body" }),
  known("cs.ticket_update", "customer_support write support:write", { content: "subject comment" }),
];

/** Tools that only agents have. */
export const agentsOwnTools: readonly WrittenTool[] = [
  known("web.download", "web write net:fetch fs:write", {
    kin: "download",
    // It writes what it fetches.
    does: "web.fetch fs.write",
    url: "url",
    path: file,
  }),
];

/** The new text of each edit in a list of this name. */
function within(list: string): string {
  return words(newText)
    .map((name) => `${list}[].${name}`)
    .join(" ");
}
