/** A call in one line, for lists. */
import { isJsonObject, type Json, type JsonObject } from "../../../core/input/json.ts";
import { visible } from "../../../core/text/visible.ts";
import { redact, redactText } from "../../../safe/redact/redact.ts";
import type { CallPreview, PreviewShell } from "../contract.ts";

/** What was found in a call. */
export interface CallContent extends Pick<CallPreview, "files" | "urls"> {
  readonly shell: PreviewShell | undefined;
}

/** One line, for lists: of the call's own bytes, without secrets and without what nobody can see. */
export function summaryOf(tool: string, input: JsonObject, parts: Partial<CallContent> = {}): string {
  const { shell, files = [], urls = [] } = parts;
  const first = files[0];
  const text =
    shell?.line ??
    commandIn(input) ??
    (first !== undefined
      ? `${first.change} ${first.shown}${files.length > 1 ? ` and ${files.length - 1} more` : ""}`
      : (urls[0]?.url ?? firstText(input)));
  return visible(text === "" ? tool : text, { maxLength: 200 });
}

function commandIn({ command, cmd }: JsonObject): string | undefined {
  const line = command ?? cmd;
  return typeof line === "string" ? redactText(line.slice(0, 2_000)) : undefined;
}

/** Of a call whose fields nobody knows: the shortest way to say which one it is. */
function firstText(input: JsonObject): string {
  const { value } = redact(input as Json);
  for (const name of ["path", "file_path", "url", "query", "pattern", "name", "id"]) {
    const found = isJsonObject(value) ? value[name] : undefined;
    if (typeof found === "string") return found;
  }
  const text = JSON.stringify(value);
  return text === "{}" ? "" : text;
}
