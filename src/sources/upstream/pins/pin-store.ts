/**
 * The definitions of upstream tools that were accepted, and those that were seen since and differ: two private files for each upstream in the
 * state folder. What is accepted is written at first sight and by a person only; every process reads it again when it changes.
 */
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf, ToolgateError } from "../../../core/call/errors.ts";
import type { JsonObject } from "../../../core/input/json.ts";
import { withFileLock } from "../../../safe/files/file-lock.ts";
import { createPrivateFile, replacePrivateFile } from "../../../safe/files/private-file.ts";
import type { ToolPin } from "./definition.ts";

export interface AcceptedPin extends ToolPin {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly by: "first-sight" | "person";
}

export interface Accepted {
  readonly tools: readonly AcceptedPin[];
  readonly instructions?: string;
}

export interface Seen {
  readonly at: number;
  /** Only those that are not accepted as they are. */
  readonly tools: readonly ToolPin[];
  /** Names of accepted tools that the server no longer has. */
  readonly gone: readonly string[];
  readonly instructions?: string;
  readonly serverInfo?: JsonObject;
  readonly capabilities?: JsonObject;
  readonly protocolVersion?: string;
}

export interface PinStore {
  readonly folder: string;
  /** Undefined: never seen. Throws where the file is there and cannot be used: then nothing of the server is offered. */
  accepted(key: string): Accepted | undefined;
  seen(key: string): Seen | undefined;
  /** Of several processes that see a server for the first time one writes; answers what counts. */
  acceptFirst(key: string, accepted: Accepted): Accepted;
  /** `change` gets what is accepted now, and answers what shall be. */
  change(key: string, change: (now: Accepted) => Accepted): Promise<Accepted>;
  saw(key: string, seen: Seen): void;
  forget(key: string): void;
  /** Tells every running process to start the server anew. */
  askRestart(key: string): void;
  restartAskedAt(key: string): number | undefined;
}

export function createPinStore(stateFolder: string): PinStore {
  const folder = join(stateFolder, "upstreams");
  const file = (key: string, kind: "accepted" | "seen" | "restart") => join(folder, `${key}.${kind}.json`);
  const lastSeen = new Map<string, string>();
  const store: PinStore = {
    folder,
    accepted: (key) => readPart<Accepted>(file(key, "accepted")),
    seen: (key) => {
      try {
        return readPart<Seen>(file(key, "seen"));
      } catch {
        // It is only what somebody saw; the next look writes it anew.
        return undefined;
      }
    },
    acceptFirst(key, accepted) {
      if (createPrivateFile(file(key, "accepted"), written(accepted))) return accepted;
      return store.accepted(key) ?? accepted;
    },
    // Two people who accept at the same time must not undo each other's answer.
    change: (key, change) =>
      withFileLock(join(folder, `${key}.lock`), () => {
        const next = change(store.accepted(key) ?? { tools: [] });
        replacePrivateFile(file(key, "accepted"), written(next));
        return next;
      }),
    saw(key, seen) {
      const { at: _at, ...what } = seen;
      const text = JSON.stringify(what);
      // Each start would otherwise write it, and wake every other process.
      if (lastSeen.get(key) === text) return;
      const before = store.seen(key);
      lastSeen.set(key, text);
      if (before !== undefined) {
        const { at: _then, ...old } = before;
        if (JSON.stringify(old) === text) return;
      }
      replacePrivateFile(file(key, "seen"), written(seen));
    },
    forget(key) {
      lastSeen.delete(key);
      for (const kind of ["accepted", "seen", "restart"] as const) rmSync(file(key, kind), { force: true });
    },
    askRestart: (key) => replacePrivateFile(file(key, "restart"), written({})),
    restartAskedAt: (key) => statSync(file(key, "restart"), { throwIfNoEntry: false })?.mtimeMs,
  };
  return store;
}

function written(part: object): string {
  return `${JSON.stringify({ version: 1, ...part })}\n`;
}

function readPart<Part extends Accepted | Seen>(file: string): Part | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unusable(file, error);
  }
  try {
    const part = JSON.parse(text) as Part & { version?: unknown };
    if (part.version !== 1 || !Array.isArray(part.tools) || !part.tools.every(isPin))
      throw new TypeError("it does not hold what this version of toolgate writes");
    return part;
  } catch (error) {
    throw unusable(file, error);
  }
}

function isPin(value: unknown): value is ToolPin {
  const { name, digest, definition } = (value ?? {}) as Record<string, unknown>;
  return typeof name === "string" && typeof digest === "string" && typeof definition === "object";
}

function unusable(file: string, error: unknown): ToolgateError {
  return new ToolgateError(
    `${file} cannot be read, so no tool of this upstream is offered: ${messageOf(error)}. Remove it, then accept its tools anew.`,
  );
}
