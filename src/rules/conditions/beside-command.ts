/**
 * What a call of a shell may say beside its command without asking for more: where, how long, what for. Every
 * other field is a wish that the words of the command do not tell: out of the sandbox, another shell, other
 * variables. Agents invent new ones, so what is not listed here is never approved by a condition on commands.
 */
import { isRecord } from "../../core/input/json.ts";
import { wordSet } from "../../core/text/words.ts";

const plainFields = wordSet(
  "command commands cmd command_line commandLine CommandLine " +
    "description explanation goal summary justification riskLevel riskLevelReason requires_approval " +
    "cwd Cwd workdir workingDir working_dir workingDirectory working_directory directory dir_path " +
    "timeout timeoutMs timeout_ms timeout_secs timeoutSec yield_time_ms delay_ms initial_wait block_until_ms " +
    "background run_in_background runInBackground is_background isBackground auto_background_after " +
    "async detach fireAndForget wait_for_previous max_output_tokens login tty mode sessionId session_id shellId",
);

export function asksForMore(args: unknown): boolean {
  return isRecord(args) && Object.entries(args).some(([name, value]) => !isPlain(name, value));
}

function isPlain(name: string, value: unknown): boolean {
  if (plainFields.has(name) || value === undefined || value === null || value === false) return true;
  if (name === "stdin") return value === true;
  if (name === "sandbox_permissions") return value === "use_default";
  return name === "shell" && typeof value === "string" && /^(?:\/(?:usr\/)?bin\/)?(?:ba|z)?sh$/.test(value);
}
