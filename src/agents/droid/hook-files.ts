/**
 * The files in which droid finds hooks: `hooks.json` (or the older `hooks/hooks.json`) with the events at its top,
 * and `hooks` in `settings.json`. Of an event that both name, only the hooks of the first count.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ParseError, parse } from "jsonc-parser";
import type { JsonObject } from "../../core/input/json.ts";
import type { ProjectPlace } from "../agent-setup.ts";
import { memberOf, readTextFile } from "../read-json-file.ts";
import type { FilePart } from "../set-up/file-part.ts";
import { type HookLines, ourWords } from "../set-up/hook-lines.ts";
import { hooksInJson } from "../set-up/json-hooks.ts";
import type { ScopedPlace } from "../set-up/set-up-agent.ts";

export interface HookFile {
  readonly file: string;
  /** Where the events are in it. */
  readonly at: readonly string[];
}

/** Of one folder; the one that counts first. */
export function hookFilesIn(folder: string): readonly HookFile[] {
  const older = join(folder, "hooks", "hooks.json");
  const newer = join(folder, "hooks.json");
  return [
    { file: existsSync(newer) || !existsSync(older) ? newer : older, at: [] },
    { file: join(folder, "settings.json"), at: ["hooks"] },
  ];
}

export function factoryFolders({ home, projectDir }: ProjectPlace): { user: string; project: string } {
  return { user: join(home, ".factory"), project: join(projectDir, ".factory") };
}

/** What droid makes of the file: comments are fine, with any mistake the whole file is nothing. */
export function readEvents({ file, at }: HookFile): unknown {
  const read = readTextFile(file);
  if (read.state !== "read") return undefined;
  const errors: ParseError[] = [];
  const value: unknown = parse(read.text, errors);
  return errors.length > 0 ? undefined : at.reduce(memberOf, value);
}

const entry = (command: string, timeout: number) => ({ hooks: [{ type: "command", command, timeout }] });

function groupsOf({ before, after, task }: HookLines): Readonly<Record<string, readonly JsonObject[]>> {
  return {
    PreToolUse: [{ matcher: "*", ...entry(before.line, before.seconds) }],
    PostToolUse: [{ matcher: "*", ...entry(after.line, after.seconds) }],
    UserPromptSubmit: [entry(task.line, task.seconds)],
  };
}

const ourEvents = ["PreToolUse", "PostToolUse", "UserPromptSubmit"];

/** Each event goes where it counts and takes nothing from anybody: into `hooks.json` only where it stands there. */
export function droidParts(place: ScopedPlace): FilePart[] {
  const { user, project } = factoryFolders(place);
  const [first, settings] = hookFilesIn(place.scope === "project" ? project : user) as [HookFile, HookFile];
  const inFirst = ourEvents.filter((event) => memberOf(readEvents(first), event) !== undefined);
  const inSettings = ourEvents.filter((event) => !inFirst.includes(event));
  return [...partIn(first, inFirst), ...partIn(settings, inSettings)];
}

function partIn(where: HookFile, events: readonly string[]): FilePart[] {
  const { file, at } = where;
  const chosen = (lines: HookLines) =>
    Object.fromEntries(Object.entries(groupsOf(lines)).filter(([event]) => events.includes(event)));
  const part = hooksInJson({ agent: "droid", file, at, withComments: true, hooks: chosen });
  const others = ourEvents.filter((event) => !events.includes(event));
  // Ours that stand here for nothing any more: the other file has taken their place.
  const isLeftOver = others.some((event) => hasOurs(memberOf(readEvents(where), event)));
  if (!isLeftOver) return events.length > 0 ? [part] : [];
  const put: FilePart["put"] = (text, hook) => {
    const bare = part.take(text ?? "");
    return bare.ok && events.length > 0 ? part.put(bare.text, hook) : bare;
  };
  return [{ ...part, put }];
}

function hasOurs(groups: unknown): boolean {
  const hooks = listOf(groups).flatMap((group) => listOf(memberOf(group, "hooks")));
  return hooks.some((hook) => ourWords(memberOf(hook, "command"), "droid") !== undefined);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
