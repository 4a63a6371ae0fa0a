/** How calls name a background process. */

export const idSchema = {
  type: "string",
  minLength: 1,
  maxLength: 100,
  description: "The id that shell.exec gave when it started the process.",
} as const;

/** The names that other agents have for it. */
export const idSynonyms = [
  "bash_id",
  "shell_id",
  "process_id",
  "session_id",
  "task_id",
  "artifact_id",
] as const;
