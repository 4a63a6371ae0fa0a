/**
 * The tools everybody's agents have, under the names everybody gives them. A rule for `Bash` holds for `shell.exec` and for every
 * agent's shell tool because both names lead to the same entry here, also for calls that another agent runs by itself.
 */
import type { InputRoles } from "../input/input-roles.ts";
import type { Permission } from "./permission.ts";

export interface KnownTool {
  readonly id: string;
  readonly category: string;
  readonly permission: Permission;
  readonly capabilities: readonly string[];
  /** Names under which it can be called. */
  readonly aliases: readonly string[];
  /**
   * What agents call their own tools that do the same. Every rule for the tool holds for its kin. A rule that names one of them concerns
   * that one alone, and a call of ours by such a name finds nothing: it would be written for another tool.
   */
  readonly kin: readonly string[];
  readonly roles: InputRoles;
}

const path = [
  "path",
  "paths",
  "file_path",
  "filePath",
  "file_paths",
  "absolute_path",
  "target_file",
  "files[].path",
  "files",
];
/** Roo writes several files as `{args: {file: [...]}}`. */
const inTags = ["args.file[].path", "args.file.path", "args"];
const directory = ["path", "dir_path", "directory", "directory_path", "target_directory"];
const newText = ["new_string", "newString", "new_str", "new_text", "newText", "replace"];
const patch = ["patch", "input", "command", "patchText", "patch_text", "diff"];

/** Tools of agents that run a line in a shell: names seen in the agents, and in their documentation. */
const bashKin = [
  "Monitor",
  "Execute",
  "Shell",
  "ShellCommand",
  "RunCommand",
  "run_command",
  "run_terminal_command",
  "run_terminal_cmd",
  "builtin_run_terminal_command",
  "run_in_terminal",
  "runInTerminal",
  "run_persistent_command",
  "execute_terminal_command",
  "execute_bash",
  "local_shell",
  "shell_command",
  "container.exec",
  "launch-process",
  "terminal",
];

/** Theirs is another language: rules see the text, and nobody here reads it. */
const powerShells = ["PowerShell", "powershell", "pwsh", "executePwsh", "execute_pwsh"];

function known(
  id: string,
  category: string,
  permission: Permission,
  capabilities: readonly string[],
  aliases: readonly string[] = [],
  roles: InputRoles = {},
  kin: readonly string[] = [],
): KnownTool {
  return Object.freeze({ id, category, permission, capabilities, aliases, kin, roles });
}

export const knownTools: readonly KnownTool[] = [
  known(
    "fs.read",
    "filesystem",
    "read",
    ["fs:read"],
    ["read_file", "file_read", "file-reader", "read_files", "read_many_files", "Read", "read"],
    { path: [...path, "include", ...inTags] },
  ),
  known(
    "fs.list",
    "filesystem",
    "read",
    ["fs:read"],
    ["list_files", "list_directory", "directory_list", "ls", "LS", "tree"],
    { path: directory },
  ),
  known("fs.stat", "filesystem", "read", ["fs:read"], [], { path }),
  known("fs.view_image", "filesystem", "read", ["fs:read"], ["view_image"], { path }),
  known(
    "search.grep",
    "search",
    "read",
    ["fs:read"],
    ["search_files", "grep_search", "grep", "Grep", "search_file_content"],
    { path: directory },
  ),
  known("search.glob", "search", "read", ["fs:read"], ["find", "glob", "Glob"], { path: directory }),
  known("search.codebase", "search", "read", ["fs:read"], ["codebase_search", "search_codebase"], {
    path: [...directory, "target_directories"],
  }),
  known(
    "fs.write",
    "editing",
    "write",
    ["fs:write"],
    ["write_to_file", "write_file", "file_write", "new_rule", "Write", "write"],
    { path, content: ["content", "contents", "file_text"] },
  ),
  known(
    "fs.edit",
    "editing",
    "write",
    ["fs:write"],
    [
      "replace_in_file",
      "edit",
      "edit_file",
      "search_replace",
      "search_and_replace",
      "replace",
      "editor",
      "Edit",
      "MultiEdit",
      "NotebookEdit",
    ],
    {
      path: [...path, "notebook_path"],
      content: [
        ...newText,
        ...newText.map((name) => `edits[].${name}`),
        ...newText.map((name) => `operations[].${name}`),
        "edits",
        "operations",
        "diff",
        "content",
        "new_source",
        "file_text",
        "insert_text",
      ],
    },
    // Their `command` is the kind of the edit.
    ["str_replace_based_edit_tool", "str_replace_editor"],
  ),
  known("fs.apply_diff", "editing", "write", ["fs:write"], ["apply_diff"], {
    path: [...path, ...inTags],
    content: ["diff", "files[].diff", "args"],
  }),
  known("fs.apply_patch", "editing", "write", ["fs:write"], ["apply_patch", "patch"], {
    path,
    content: patch,
    patch,
  }),
  known("fs.delete", "editing", "write", ["fs:write"], ["delete_file"], { path }),
  known("fs.move", "editing", "write", ["fs:write"], ["move_file"], {
    path: ["from", "to", "source", "destination"],
  }),
  known("fs.mkdir", "editing", "write", ["fs:write"], ["create_directory"], { path: directory }),
  known(
    "shell.exec",
    "shell",
    "execute",
    ["shell:run"],
    ["execute_command", "run_commands", "run_shell_command", "exec_command", "shell", "bash", "Bash"],
    {
      command: ["command", "cmd", "commands", "commandLine", "CommandLine", "command_line", "shell_command"],
      path: ["cwd", "workdir", "directory", "dir_path", "Cwd", "cd", "working_directory", "workingDirectory"],
      // A monitor may listen to a socket instead.
      url: ["ws.url"],
    },
    [...bashKin, ...powerShells],
  ),
  known(
    "shell.output",
    "shell",
    "read",
    ["shell:run"],
    ["read_command_output", "read_background_output", "BashOutput"],
    {},
    ["TaskOutput"],
  ),
  known("shell.input", "shell", "execute", ["shell:run"], ["write_stdin"], {
    stdin: ["text", "chars", "input"],
    content: ["text", "chars", "input"],
  }),
  known("shell.list", "shell", "read", ["shell:run"], ["list_background_processes"]),
  known("shell.kill", "shell", "execute", ["shell:run"], ["KillShell"], {}, ["TaskStop"]),
  known("git.status", "git", "read", ["fs:read"], ["git-status"], { path: directory }),
  known("git.diff_summary", "git", "read", ["fs:read"], ["git-diff-summary"], { path: directory }),
  known("git.diff", "git", "read", ["fs:read"], [], { path: [...directory, "paths"] }),
  known("git.log", "git", "read", ["fs:read"], [], { path: directory }),
  known("git.commit", "git", "write", ["fs:write"], [], { path, content: ["message"] }),
  known("git.checkpoint", "git", "write", ["fs:write"], [], {}),
  known(
    "web.fetch",
    "web",
    "read",
    ["net:fetch"],
    ["web_fetch", "webfetch", "fetch_web_content", "WebFetch"],
    { url: ["url", "urls", "requests[].url"] },
  ),
  known(
    "web.search",
    "web",
    "read",
    ["net:fetch"],
    ["web_search", "websearch", "google_web_search", "WebSearch"],
  ),
  known("workspace.info", "workspace", "read", ["fs:read"], ["workspace-info"]),
  known(
    "code.definitions",
    "code",
    "read",
    ["fs:read"],
    ["list_code_definition_names", "lsp", "LSP"],
    // `LSP` of other agents asks about symbols and definitions, not about errors.
    { path: [...path, ...directory.slice(1), "folder"] },
  ),
  // Runs the compiler that the workspace brings along, or a command of the operator: whatever lies in node_modules is executed.
  known("code.diagnostics", "code", "execute", ["fs:read", "shell:run"], [], { path }),
  known(
    "task.todo",
    "task",
    "read",
    [],
    ["update_todo_list", "todowrite", "write_todos", "TodoWrite", "update_plan", "focus_chain"],
    {},
    ["TaskCreate", "TaskUpdate", "TaskGet", "TaskList"],
  ),
  known(
    "task.mode",
    "task",
    "read",
    [],
    [
      "switch_mode",
      "EnterPlanMode",
      "ExitPlanMode",
      "enter_plan_mode",
      "exit_plan_mode",
      "plan_exit",
      "plan_mode_respond",
      "act_mode_respond",
    ],
  ),
  known(
    "task.ask",
    "task",
    "read",
    [],
    [
      "ask_followup_question",
      "ask_question",
      "ask_user",
      "question",
      "request_user_input",
      "AskUserQuestion",
    ],
  ),
  known("task.complete", "task", "read", [], ["attempt_completion", "submit_and_exit", "complete_task"]),
  known(
    "task.spawn",
    "task",
    "execute",
    [],
    ["new_task", "use_subagents", "spawn_agent", "invoke_agent", "task", "Task", "Agent"],
  ),
  known("task.handoff", "task", "read", [], ["condense", "summarize_task"]),
  known(
    "skill.load",
    "task",
    "read",
    [],
    ["use_skill", "skill", "skills", "activate_skill", "run_slash_command", "Skill"],
  ),
  // It only passes a call on: what its target does is judged as a call of the target.
  known("mcp.call", "mcp", "read", [], ["use_mcp_tool"]),
  known("mcp.resource_list", "mcp", "read", [], ["list_mcp_resources", "ListMcpResourcesTool"]),
  known(
    "mcp.resource_read",
    "mcp",
    "read",
    [],
    ["access_mcp_resource", "read_mcp_resource", "ReadMcpResourceTool"],
    { url: ["uri"] },
  ),
  known("mcp.prompt_list", "mcp", "read", []),
  // The server does with them what it likes, as with those of its tools.
  known("mcp.prompt_get", "mcp", "read", [], [], { arguments: ["arguments"] }),
  known("tools.search", "mcp", "read", [], ["load_mcp_documentation", "tool_search", "ToolSearch"]),
  known("tools.describe", "mcp", "read", []),
  // As mcp.call: what its target does is judged as a call of the target.
  known("tools.call", "mcp", "read", []),
  known("cs.user_get", "customer_support", "read", ["support:read"]),
  known("cs.user_list", "customer_support", "read", ["support:read"]),
  known("cs.tenant_get", "customer_support", "read", ["support:read"]),
  known("cs.tenant_list", "customer_support", "read", ["support:read"]),
  known("cs.ticket_get", "customer_support", "read", ["support:read"]),
  known("cs.ticket_list", "customer_support", "read", ["support:read"]),
  known("cs.ticket_create", "customer_support", "write", ["support:write"], [], {
    content: ["subject", "body"],
  }),
  known("cs.ticket_update", "customer_support", "write", ["support:write"], [], {
    content: ["subject", "comment"],
  }),
];

const byName = new Map<string, KnownTool>();
const byKin = new Map<string, KnownTool>();
for (const tool of knownTools) {
  for (const name of [tool.id, tool.id.replaceAll(".", "_"), ...tool.aliases]) byName.set(name, tool);
  for (const name of tool.kin) byKin.set(name, tool);
}

export function findKnownTool(name: string): KnownTool | undefined {
  return byName.get(name);
}

/** The tool that an agent means by this name of its own. */
export function findAgentsTool(name: string): KnownTool | undefined {
  return byName.get(name) ?? byKin.get(name);
}

const inPowerShell: ReadonlySet<string> = new Set(powerShells);

/** In which language a shell of this name reads its lines; undefined: the usual one. */
export function shellLanguage(name: string): "powershell" | undefined {
  return inPowerShell.has(name) ? "powershell" : undefined;
}
