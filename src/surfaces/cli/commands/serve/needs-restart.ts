/** What a change of the configuration asks for that a command which serves does only when it starts. */
import type { OpenConfig } from "../../../../open/open-config.ts";

type Settings = Pick<OpenConfig, "settings">;

/** A sentence for the log. Undefined: nothing waits for a new start. */
export function explainRestart(started: Settings, next: Settings): string | undefined {
  const wanted = ({ settings }: Settings) => settings.mcp?.permissionPrompt ?? false;
  if (wanted(next) === wanted(started)) return undefined;
  return "mcp.permission_prompt counts from the next start on.";
}
