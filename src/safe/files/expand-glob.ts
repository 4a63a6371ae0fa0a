/** The names that a glob stands for on the disk right now, for rules to see. For decisions only. */
import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import type { ExpandGlob } from "../../core/ports/location.ts";
import { quietly } from "../../core/run/quietly.ts";
import { fitsName } from "./name-pattern.ts";

const maxMatches = 200;
const maxEntries = 20_000;
const wild = /[*?[]/;

/** Undefined: too much to look at, or an unknown spelling. Rather too many names than too few. */
export const expandGlob: ExpandGlob = (glob, cwd) => {
  // A quoted special character has lost its quotes here; a backslash may still hide one.
  if (glob.includes("\\") || /^~[^/]/.test(glob)) return undefined;
  const spelled = glob.startsWith("~/") ? `${homedir()}${glob.slice(1)}` : glob;
  const state = { entries: 0 };
  let found = [spelled.startsWith("/") ? "" : cwd];
  const parts = spelled.split("/");
  for (const [index, part] of parts.entries()) {
    if (part === "") continue;
    // What a slash follows is a folder: `*/` names no file.
    const kind = index < parts.length - 1 ? "folder" : "any";
    const next: string[] = [];
    for (const folder of found) {
      if (!wild.test(part)) next.push(`${folder}/${part}`);
      else
        for (const name of matchesIn(folder === "" ? "/" : folder, part, kind, state))
          next.push(`${folder}/${name}`);
      if (next.length > maxMatches || state.entries > maxEntries) return undefined;
    }
    found = next;
  }
  return found;
};

function matchesIn(
  folder: string,
  part: string,
  kind: "folder" | "any",
  state: { entries: number },
): string[] {
  const entries = quietly(() => readdirSync(folder, { withFileTypes: true }));
  if (entries === undefined) return [];
  state.entries += entries.length;
  // A link may lead to a folder, and some file systems do not tell.
  const names = entries.filter((entry) => kind === "any" || !entry.isFile()).map(({ name }) => name);
  const pattern = simplified(part);
  const dotted = part.startsWith(".");
  // Before bash 5.2 `.*` stood for `..` too.
  const all = dotted ? [".", "..", ...names] : names;
  return all.filter((name) => name.startsWith(".") === dotted && fitsName(pattern, [...name.toLowerCase()]));
}

/** A class counts as any text: whether its brackets were quoted is no longer known. */
function simplified(part: string): string[] {
  return [
    ...part
      .replace(/\[[\s\S]*\]/, "*")
      .replace(/\*+/g, "*")
      .toLowerCase(),
  ];
}
