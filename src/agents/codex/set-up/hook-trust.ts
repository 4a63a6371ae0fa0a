/**
 * Codex starts a hook only if its config.toml has the hash of it, under the file and the place of the hook in it.
 * Without that it skips the hook, and `codex exec` says nothing. `/hooks` in Codex writes the same lines.
 */
import { createHash } from "node:crypto";
import { isRecord, type Json, type JsonObject } from "../../../core/input/json.ts";
import { memberOf, membersOf, readJsonFile } from "../../read-json-file.ts";
import type { FilePart } from "../../set-up/file-part.ts";
import { ourWords } from "../../set-up/hook-lines.ts";
import type { ScopedPlace } from "../../set-up/set-up-agent.ts";
import { setTables, type TomlTable } from "../../set-up/toml-tables.ts";
import { hooksFile, userConfig } from "../places.ts";

export interface HookIdentity {
  /** `/home/ann/.codex/hooks.json:pre_tool_use:0:0`. */
  readonly key: string;
  readonly event: string;
  readonly hash: string;
}

/** Of our hooks that stand in the file now. */
export function findIdentities(place: ScopedPlace): HookIdentity[] {
  const file = hooksFile(place);
  const read = readJsonFile(file);
  const events = read.state === "read" ? membersOf(memberOf(read.value, "hooks")) : [];
  return events.flatMap(([event, groups]) =>
    listOf(groups).flatMap((group, at) =>
      listOf(memberOf(group, "hooks")).flatMap((entry, index) => {
        if (!isRecord(entry) || ourWords(entry.command, "codex") === undefined) return [];
        const label = labelOf(event);
        return { key: `${file}:${label}:${at}:${index}`, event, hash: hashOf(label, group, entry) };
      }),
    ),
  );
}

/** Put in: each of them is trusted. */
export function trustPart(place: ScopedPlace): FilePart {
  const identities = findIdentities(place);
  const tables = identities.map(
    ({ key, hash }): TomlTable => ({
      path: ["hooks", "state", key],
      isElement: false,
      value: { trusted_hash: hash },
    }),
  );
  const isOurs = ({ path: [top, state, key, ...deeper] }: TomlTable) =>
    top === "hooks" &&
    state === "state" &&
    deeper.length === 0 &&
    identities.some((identity) => identity.key === key);
  return {
    file: userConfig(place),
    put: (text) => setTables(text, tables, isOurs),
    take: (text) => setTables(text, [], isOurs),
    find: () => [],
  };
}

/** PreToolUse: pre_tool_use. */
function labelOf(event: string): string {
  return event.replace(/(?<=.)[A-Z]/g, "_$&").toLowerCase();
}

/** Only these events are about a tool; of the others Codex forgets the matcher. */
const withMatcher = ["PreToolUse", "PostToolUse", "PermissionRequest"].map(labelOf);

/** As measured with 0.166.0: of the entry with all its defaults, its keys in order. */
function hashOf(label: string, group: unknown, entry: Readonly<Record<string, unknown>>): string {
  const { command, timeout = 600, async: isAsync = false, statusMessage } = entry;
  const matcher = withMatcher.includes(label) ? memberOf(group, "matcher") : undefined;
  const hook = { async: isAsync, command, statusMessage, timeout, type: "command" } as JsonObject;
  const identity: JsonObject = { event_name: label, hooks: [hook], matcher: matcher as Json };
  return `sha256:${createHash("sha256").update(JSON.stringify(identity)).digest("hex")}`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
