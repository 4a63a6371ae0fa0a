/** Reads a patch in whichever of the two formats it is. */
import { patchLines, pathsInPatch, readSection } from "../../../../core/input/patch-headers.ts";
import { isMarker, readBeginPatch } from "./begin-patch.ts";
import { pathsOf, type ReadPatch } from "./operations.ts";
import { readUnifiedDiff, startsFile } from "./unified-diff.ts";

export function readPatch(text: string): ReadPatch {
  const read = readByFormat(text);
  if (!read.ok) return read;
  // The rules have judged the paths that `pathsInPatch` found. No other path may be touched.
  const judged = new Set(pathsInPatch(text));
  const unseen = read.operations.flatMap(pathsOf).find((path) => !judged.has(path));
  if (unseen !== undefined)
    return wrong(`The patch names ${JSON.stringify(unseen)} in a way that no rule could see.`);
  const twoWays = read.operations.flatMap(pathsOf).find((path) => path.includes("\\"));
  if (twoWays === undefined) return read;
  const why = "a backslash separates folders on some systems and is part of a name on others";
  return wrong(`The patch names ${JSON.stringify(twoWays)}: ${why}. Separate folders with /.`);
}

function readByFormat(text: string): ReadPatch {
  const lines = patchLines(text);
  if (lines.some((line) => isMarker(line, "Begin Patch"))) return readBeginPatch(text);
  if ([...lines.keys()].some((at) => startsFile(lines, at))) return readUnifiedDiff(text);
  if (lines.some((line) => readSection(line) !== undefined))
    return wrong('The patch must begin with a line "*** Begin Patch" and end with "*** End Patch".');
  const forms =
    '"*** Begin Patch", then "*** Update File: path" and lines that begin with a space, + or -; or a unified diff with "--- a/path" and "+++ b/path"';
  return wrong(`This is not a patch. It takes ${forms}.`);
}

function wrong(message: string): ReadPatch {
  return { ok: false, message };
}
