/** Definitions of upstream tools in files: for each upstream what is accepted, and what was seen since. */
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf, ToolgateError } from "../../core/call/errors.ts";
import type { Accepted, PinStore, Seen, ToolPin } from "../../core/ports/pins.ts";
import { withFileLock } from "../../safe/files/file-lock.ts";
import { createPrivateFile, replacePrivateFile } from "../../safe/files/private-file.ts";
import { afterFirstAnswers, createInputWatch } from "../../safe/files/watch-inputs.ts";

export function createFilePins(stateFolder: string): PinStore {
  const folder = join(stateFolder, "upstreams");
  const file = (key: string, kind: "accepted" | "seen" | "restart") => join(folder, `${key}.${kind}.json`);
  const readAccepted = (key: string) => readPart<Accepted>(file(key, "accepted"));
  const readSeen = (key: string): Seen | undefined => {
    try {
      return readPart<Seen>(file(key, "seen"));
    } catch {
      return undefined;
    }
  };
  const lastSeen = new Map<string, string>();
  return {
    accepted: async (key) => readAccepted(key),
    seen: async (key) => readSeen(key),
    async acceptFirst(key, accepted) {
      return createPrivateFile(file(key, "accepted"), written(accepted)) ? undefined : readAccepted(key);
    },
    // Two people who accept at the same time must not undo each other's answer.
    change: (key, change) =>
      withFileLock(join(folder, `${key}.lock`), () => {
        const next = change(readAccepted(key) ?? { tools: [] }, readSeen(key));
        replacePrivateFile(file(key, "accepted"), written(next));
        return next;
      }),
    async saw(key, seen) {
      const text = withoutTime(seen);
      // Each start would otherwise write it, and wake every other process.
      if (lastSeen.get(key) === text) return;
      const before = readSeen(key);
      lastSeen.set(key, text);
      if (before === undefined || withoutTime(before) !== text)
        replacePrivateFile(file(key, "seen"), written(seen));
    },
    async forget(key) {
      lastSeen.delete(key);
      for (const kind of ["accepted", "seen", "restart"] as const) rmSync(file(key, kind), { force: true });
    },
    askRestart: async (key) => replacePrivateFile(file(key, "restart"), written({})),
    restartAskedAt: async (key) => statSync(file(key, "restart"), { throwIfNoEntry: false })?.mtimeMs,
    async *changes(signal, tell) {
      await afterFirstAnswers(signal);
      if (signal.aborted) return;
      using watch = createInputWatch([folder], tell, { busyFolders: [stateFolder] });
      // What changed before the watch began.
      yield;
      for (;;) {
        await watch.nextChange(signal);
        if (signal.aborted) return;
        watch.follow([folder]);
        yield;
      }
    },
  };
}

function withoutTime({ at: _at, ...what }: Seen): string {
  return JSON.stringify(what);
}

function written(part: object): string {
  return `${JSON.stringify({ version: 1, ...part })}\n`;
}

function readPart<Part extends Accepted | Seen>(file: string): Part | undefined {
  try {
    const { version, ...part } = JSON.parse(readFileSync(file, "utf8")) as {
      readonly version?: unknown;
      readonly tools?: unknown;
    };
    if (version !== 1 || !Array.isArray(part.tools) || !part.tools.every(isPin))
      throw new TypeError("it does not hold what this version of toolgate writes");
    return part as Part;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new ToolgateError(
      `${file} cannot be read, so no tool of this upstream is offered: ${messageOf(error)}. Remove it, then accept its tools anew.`,
    );
  }
}

function isPin(value: unknown): value is ToolPin {
  const { name, digest, definition } = (value ?? {}) as Record<string, unknown>;
  return typeof name === "string" && typeof digest === "string" && typeof definition === "object";
}
