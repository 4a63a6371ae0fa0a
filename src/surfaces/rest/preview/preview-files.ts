/** The files that a call names, and of those it would change what is in them now and afterwards. */
import { statSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { defined } from "../../../core/input/defined.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import { quietly } from "../../../core/run/quietly.ts";
import type { LookedAtCall } from "../../../gate/look-at-call.ts";
import { redactText } from "../../../safe/redact/redact.ts";
import { type PreviewedFile, previewEdits } from "../../../sources/builtin/editing/preview.ts";
import type { PreviewFile } from "../contract.ts";
import type { ShownPath } from "./preview-path.ts";

interface Wanted {
  readonly input: JsonObject;
  readonly showContents: boolean;
  readonly askedAt?: number;
  readonly clean?: (text: string) => string;
  readonly signal: AbortSignal;
}

const mostFiles = 100;
const mostCharacters = 256 * 1024;
/** Of all files together: nobody reads more, and taking secrets out takes time. */
const mostInAll = 1024 * 1024;

export async function previewFiles(
  looked: LookedAtCall,
  shown: ShownPath,
  wanted: Wanted,
): Promise<PreviewFile[]> {
  const { tool, roots, cwd, statePaths, lines, permission, paths } = looked;
  const place = { roots, cwd, statePaths, signal: wanted.signal };
  // A workspace that is gone by now cannot be read.
  const edits = await previewEdits(tool, wanted.input, place).catch(() => undefined);
  if (edits !== undefined) {
    const [named = ""] = paths;
    const files: PreviewFile[] = [];
    let left = mostInAll;
    for (const file of edits.slice(0, mostFiles)) {
      // The calls of everybody else come between.
      await turn();
      const length = (file.before?.length ?? 0) + (file.after?.length ?? 0);
      left -= length;
      files.push(toFile({ ...file, path: file.path || named }, shown, { ...wanted, isTooMuch: left < 0 }));
    }
    return files;
  }
  // What a command line touches is told with its commands.
  if (lines.length > 0) return [];
  const access = permission === "read" ? "read" : "write";
  return paths.slice(0, mostFiles).map((path) => ({
    ...shown(path, access),
    change: access === "read" ? ("none" as const) : ("unknown" as const),
    redactions: 0,
  }));
}

function toFile(
  file: PreviewedFile,
  shown: ShownPath,
  wanted: Wanted & { readonly isTooMuch: boolean },
): PreviewFile {
  const { showContents, askedAt, isTooMuch, clean: takeOut = redactText } = wanted;
  const place = shown(file.path, "write");
  const { change, movedTo, hidden } = file;
  const reason = whyHidden(place, showContents) ?? (isTooMuch ? "There is too much to be shown." : undefined);
  const before = reason === undefined ? cleaned(file.before, takeOut) : undefined;
  const after = reason === undefined ? cleaned(file.after, takeOut) : undefined;
  const tooLong = before?.isLong === true || after?.isLong === true;
  const isChanged =
    askedAt === undefined ? undefined : quietly(() => statSync(place.path).mtimeMs > askedAt) === true;
  return defined({
    ...place,
    change,
    movedTo: movedTo === undefined ? undefined : shown(movedTo, "write").shown,
    before: tooLong ? undefined : before?.text,
    after: tooLong ? undefined : after?.text,
    redactions: (before?.count ?? 0) + (after?.count ?? 0),
    hidden: reason ?? (tooLong ? "It is too long to be shown." : hidden),
    changedSince: isChanged,
  });
}

function whyHidden(
  { inside, protected: why }: { inside: boolean; protected?: string },
  showContents: boolean,
) {
  if (!showContents) return "What is in it is shown to those who may approve.";
  if (why !== undefined) return `It is protected: ${why}.`;
  return inside ? undefined : "It is outside of the workspace.";
}

function cleaned(text: string | undefined, clean: (text: string) => string) {
  if (text === undefined) return undefined;
  if (text.length > mostCharacters) return { text: "", count: 0, isLong: true };
  const shown = clean(text);
  return { text: shown, count: marksIn(shown) - marksIn(text), isLong: false };
}

function marksIn(text: string): number {
  return text.split("[redacted:").length - 1;
}
