/** Finds skills in the configured folders. Only a plain name leads to one; files are read by handle. */
import type { Failure } from "../../../../core/call/tool-answer.ts";
import { createInsideRoot, type InsideRoot } from "../../../../safe/files/inside-root/inside-root.ts";
import { parseSkill, type SkillText } from "./front-matter.ts";

export interface FoundSkill extends SkillText {
  readonly id: string;
  /** Relative to the skill's folder. */
  readonly files: readonly string[];
}

export interface SkillList {
  readonly skills: readonly { readonly id: string; readonly description: string }[];
  /** Files and folders that could not be used, and why. */
  readonly problems: readonly string[];
}

const maxSkills = 200;
const maxBytes = 256 * 1024;
const maxFiles = 100;
const skillName = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$/;

export async function listSkills(folders: readonly string[], signal: AbortSignal): Promise<SkillList> {
  const skills = new Map<string, string>();
  const problems: string[] = [];
  for (const [index, folder] of folders.entries()) {
    const root = open(folder);
    if (root === undefined) {
      problems.push(`skill folder ${index + 1} is not there or cannot be read`);
      continue;
    }
    const listing = await root.list(".", { limit: maxSkills * 2, details: false, signal });
    if (!listing.ok) problems.push(`skill folder ${index + 1}: ${listing.message}`);
    for (const { path: id, kind } of listing.ok ? listing.entries : []) {
      if (kind !== "directory" || !skillName.test(id) || skills.has(id) || skills.size >= maxSkills) continue;
      const text = await readSkill(root, id, signal);
      if (typeof text === "string") problems.push(`${id}: ${text}`);
      else if (text !== undefined) skills.set(id, text.description);
    }
  }
  return { skills: [...skills].map(([id, description]) => ({ id, description })), problems };
}

/** Undefined when no folder has it. */
export async function findSkill(
  folders: readonly string[],
  id: string,
  signal: AbortSignal,
): Promise<FoundSkill | Failure | undefined> {
  if (!skillName.test(id)) return undefined;
  for (const folder of folders) {
    const root = open(folder);
    if (root === undefined) continue;
    const text = await readSkill(root, id, signal);
    if (typeof text === "string")
      return { code: "bad_skill", message: `The skill "${id}" cannot be used: ${text}.` };
    if (text === undefined) continue;
    const listing = await root.list(id, { depth: 3, limit: maxFiles, details: false, signal });
    const files = (listing.ok ? listing.entries : [])
      .filter(({ path, kind, protected: secret }) => kind === "file" && path !== "SKILL.md" && !secret)
      .map(({ path }) => path);
    return { id, ...text, files };
  }
  return undefined;
}

/** A file beside SKILL.md. */
export async function readSkillFile(
  folders: readonly string[],
  id: string,
  file: string,
  signal: AbortSignal,
): Promise<string | Failure> {
  const parts = file.split(/[\\/]/);
  // A step upwards stays inside the folder of all skills, but no longer in the one that was asked for.
  if (!skillName.test(id) || parts.includes("..") || parts[0] === "" || /^[A-Za-z]:/.test(file))
    return { code: "invalid_path", message: "`file` must be a path inside the skill's own folder." };
  for (const folder of folders) {
    const root = open(folder);
    if (root === undefined || (await readSkill(root, id, signal)) === undefined) continue;
    const read = await root.read(`${id}/${file}`, { maxBytes, signal });
    if (!read.ok) return read;
    if (read.bytes.includes(0))
      return { code: "not_text", message: `${JSON.stringify(file)} is not a text file.` };
    return read.bytes.toString("utf8");
  }
  return { code: "not_found", message: `There is no skill ${JSON.stringify(id)}.` };
}

/** A missing folder is no reason to stop. The list says so, without the path, which is the operator's. */
function open(folder: string): InsideRoot | undefined {
  try {
    return createInsideRoot({ roots: [folder], maxBytes });
  } catch {
    return undefined;
  }
}

/** A text says why it cannot be used; undefined: there is none. */
async function readSkill(
  root: InsideRoot,
  id: string,
  signal: AbortSignal,
): Promise<SkillText | string | undefined> {
  const read = await root.read(`${id}/SKILL.md`, { maxBytes, signal });
  if (read.ok) return parseSkill(read.bytes.toString("utf8"));
  return read.code === "not_found" || read.code === "not_a_directory" ? undefined : read.message;
}
