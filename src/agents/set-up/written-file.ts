/** What install did to a file, kept so that uninstall can bring back every byte. */
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import type { SettingsChange } from "../agent-setup.ts";
import { removeEmpty } from "../made-folders.ts";
import { type TextFile, textOf } from "./text-file.ts";

/** `before` undefined: there was no file. */
export function describeChange(
  before: string | undefined,
  after: string,
  madeFolder: string | undefined,
): SettingsChange {
  const old = before ?? "";
  let start = 0;
  while (start < old.length && start < after.length && old[start] === after[start]) start++;
  let end = 0;
  while (end < old.length - start && end < after.length - start && old.at(-1 - end) === after.at(-1 - end))
    end++;
  return {
    after: digest(after),
    start,
    end,
    replaced: old.slice(start, old.length - end),
    put: after.slice(start, after.length - end),
    wasMissing: before === undefined,
    ...(madeFolder !== undefined && { madeFolder }),
  };
}

/** The text as it was before; undefined if there was no file. False: it was changed since, nobody knows. */
export function textBefore(text: string | undefined, change: SettingsChange): string | undefined | false {
  if (text === undefined || digest(text) !== change.after) return false;
  if (change.wasMissing) return undefined;
  return text.slice(0, change.start) + change.replaced + text.slice(text.length - change.end);
}

/** The same where others have changed the rest since. Undefined: what we put there is not there any more. */
export function textWithoutPut(
  text: string,
  { put = "", replaced, wasMissing }: SettingsChange,
): string | undefined {
  const at = put === "" || wasMissing ? -1 : text.indexOf(put);
  if (at === -1 || text.includes(put, at + 1)) return undefined;
  return text.slice(0, at) + replaced + text.slice(at + put.length);
}

/** Takes away a file that install made, and the folders that it made for it while they are empty. Text: why not. */
export function removeMade({ target, text }: TextFile, madeFolder: string | undefined): string | undefined {
  if (textOf(target) !== text)
    return `${target} changed in the meantime; nothing was written. Run the command again.`;
  try {
    rmSync(target, { force: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return `${target} could not be removed (${code ?? message}).`;
  }
  if (madeFolder !== undefined) removeEmpty(dirname(target), madeFolder);
  return undefined;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
