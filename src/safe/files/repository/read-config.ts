/** What the repository's own files say about configuration: `config`, `config.worktree`, and includes. */
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { readSmallFile } from "../small-file.ts";
import type { FoundRepository } from "./find-git-dir.ts";
import { type ConfigEntry, parseConfig } from "./parse-config.ts";

export interface ReadEntry extends ConfigEntry {
  readonly file: string;
}

export type ReadConfig =
  | {
      readonly entries: readonly ReadEntry[];
      /** Those that are not there yet, too. */
      readonly files: readonly string[];
    }
  | { readonly problem: string };

const maxFiles = 32;
const maxBytes = 512 * 1024;

/** Conditions of `includeIf` are taken to hold: they depend on things that somebody else may change. */
export function readConfig({ gitDir, commonDir }: FoundRepository): ReadConfig {
  const entries: ReadEntry[] = [];
  const waiting = [
    join(commonDir, "config"),
    join(gitDir, "config.worktree"),
    join(commonDir, "config.worktree"),
  ];
  const seen = new Set<string>();
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    if (seen.has(file)) continue;
    seen.add(file);
    if (seen.size > maxFiles) return { problem: "its configuration includes too many files" };
    const read = readSmallFile(file, maxBytes);
    // What is not there says nothing.
    if (read === "missing") continue;
    const parsed = typeof read === "string" ? undefined : parseConfig(read.text);
    if (parsed === undefined) return { problem: `${file} cannot be read as configuration` };
    for (const entry of parsed) {
      entries.push({ ...entry, file });
      if ((entry.section !== "include" && entry.section !== "includeif") || entry.key !== "path") continue;
      const path = inFull(entry.value, dirname(file));
      if (path === undefined) return { problem: `${file} includes ${entry.value}, which nobody can find` };
      waiting.push(path);
      if (waiting.length > maxFiles) return { problem: "its configuration includes too many files" };
    }
  }
  return { entries, files: [...seen] };
}

/** `~/x` is in the home folder; undefined where somebody else's home is meant. */
export function inFull(path: string, from: string): string | undefined {
  if (path.startsWith("~/")) return join(homedir(), path.slice(2));
  return path.startsWith("~") || path.startsWith("%(") ? undefined : resolve(from, path);
}
