/** Finds what to compile for some paths: the nearest tsconfig.json, those it refers to, and the compiler. */
import { dirname, join, resolve } from "node:path";
import type { InsideRoot } from "../../../../safe/files/inside-root/inside-root.ts";

export interface TypescriptProject {
  readonly config: string;
  /** The script to run with node; undefined when the project has no TypeScript installed. */
  readonly compiler: string | undefined;
}

export interface ProjectPlace {
  readonly files: InsideRoot;
  readonly root: string;
  readonly signal: AbortSignal;
}

export const maxProjects = 10;
const maxConfigBytes = 256 * 1024;

/** `folder` is absolute and lies in the root. */
export async function projectsFor(
  place: ProjectPlace,
  folder: string,
): Promise<readonly TypescriptProject[]> {
  const config = await findUpwards(place, folder, "tsconfig.json");
  if (config === undefined) return [];
  const configs = await withReferences(place, config);
  return Promise.all(
    configs.map(async (one) => ({
      config: one,
      compiler: await findUpwards(place, dirname(one), join("node_modules", "typescript", "bin", "tsc")),
    })),
  );
}

/** Not above the root: a compiler that lies elsewhere belongs to another project. */
async function findUpwards({ files, root, signal }: ProjectPlace, from: string, name: string) {
  for (let folder = from; ; folder = dirname(folder)) {
    const facts = await files.stat(join(folder, name), { signal });
    if (facts.ok && facts.kind === "file") return facts.absolute;
    if (folder === root || folder === dirname(folder)) return undefined;
  }
}

/** A configuration without files of its own only points to others: compiling it would check nothing. */
async function withReferences(place: ProjectPlace, config: string): Promise<readonly string[]> {
  const file = await place.files.read(config, { maxBytes: maxConfigBytes, signal: place.signal });
  const content = file.ok ? parseJsonc(file.bytes.toString("utf8")) : undefined;
  const { files, include, references } = (content ?? {}) as Readonly<Record<string, unknown>>;
  const isEmpty = Array.isArray(files) && files.length === 0 && include === undefined;
  if (!isEmpty || !Array.isArray(references)) return [config];
  const found: string[] = [];
  for (const reference of references.slice(0, maxProjects * 2) as unknown[]) {
    const path = (reference as { readonly path?: unknown } | null)?.path;
    if (typeof path !== "string") continue;
    const target = resolve(dirname(config), path);
    const facts = await place.files.stat(target, { signal: place.signal });
    if (!facts.ok) continue;
    const whole = facts.kind === "directory" ? join(facts.absolute, "tsconfig.json") : facts.absolute;
    if (!found.includes(whole)) found.push(whole);
  }
  return found.length === 0 ? [config] : found;
}

/** A text in quotes, in which nothing is a comment. One that is never closed reaches to the end. */
const quoted = /"(?:[^"\\]|\\[\s\S]?)*(?:"|$)/;
const comments = new RegExp(`${quoted.source}|//[^\\n]*|/\\*[\\s\\S]*?(?:\\*/|$)`, "g");
const extraCommas = new RegExp(`${quoted.source}|,(?=\\s*[}\\]])`, "g");

/** JSON as in tsconfig files: with comments, and with commas at the end. Undefined: it is not even that. */
function parseJsonc(text: string): unknown {
  const keepText = (piece: string) => (piece.startsWith('"') ? piece : "");
  try {
    return JSON.parse(
      text
        .replace(/^\ufeff/, "")
        .replace(comments, keepText)
        .replace(extraCommas, keepText),
    );
  } catch {
    return undefined;
  }
}
