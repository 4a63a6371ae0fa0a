/** The one field that says what a call of Claude Code's tools is about, by the name of the tool. */

export const mainFields: Readonly<Record<string, string>> = {
  Bash: "command",
  Monitor: "command",
  PowerShell: "command",
  Read: "file_path",
  Write: "file_path",
  Edit: "file_path",
  MultiEdit: "file_path",
  NotebookEdit: "notebook_path",
  LS: "path",
  Glob: "pattern",
  Grep: "pattern",
  WebFetch: "url",
  WebSearch: "query",
  Skill: "skill",
};
