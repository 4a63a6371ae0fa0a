/**
 * Which tasks are over: one small file for each, because the process of a hook keeps no store open and every
 * call asks. Looking for a file that is not there costs some microseconds, so the calls of a millisecond share
 * one look. Whoever ends a task waits for longer than that before saying so: then every process looks anew.
 */
import { createHash } from "node:crypto";
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { TaskEnd, TaskStore } from "../../core/ports/tasks.ts";
import { monotonicMs } from "../../core/run/monotonic.ts";
import { replacePrivateFile } from "../../safe/files/private-file.ts";
import { forgetOldSessions, isPlainName } from "../../safe/files/session-files.ts";

export function createFileTasks(stateFolder: string): TaskStore {
  const folder = join(stateFolder, endedFolder);
  const fileOf = (callerId: string, sessionId: string, turnId?: string) =>
    join(folder, fileNameOf(turnId === undefined ? [callerId, sessionId] : [callerId, sessionId, turnId]));
  /** Calls come in runs of one session. */
  let last: Look | undefined;
  return {
    endOf(callerId, sessionId, turnId) {
      const isSame = last?.callerId === callerId && last.sessionId === sessionId && last.turnId === turnId;
      const asked = isSame
        ? (last as Look)
        : {
            callerId,
            sessionId,
            turnId,
            file: fileOf(callerId, sessionId, turnId),
            seenAt: Number.NEGATIVE_INFINITY,
            seenIn: changes,
            end: undefined,
          };
      last = asked;
      const now = monotonicMs();
      if (asked.seenIn === changes && now - asked.seenAt < lookMs) return asked.end;
      asked.seenIn = changes;
      // Before the look: what is ended while it lasts may be missed.
      asked.seenAt = now;
      asked.end = statSync(asked.file, quietly) === undefined ? undefined : read(asked.file);
      return asked.end;
    },
    end({ callerId, sessionId, turnId }, end) {
      const text = `${JSON.stringify({ version: 1, ...end })}\n`;
      replacePrivateFile(fileOf(callerId, sessionId, turnId), text);
      changes += 1;
      forgetOldSessions(folder, end.at);
      return new Promise((resolve) => setTimeout(resolve, 2 * lookMs));
    },
    start(callerId, sessionId) {
      rmSync(fileOf(callerId, sessionId), { force: true });
      changes += 1;
    },
  };
}

/** What the last look saw, and where. */
interface Look {
  readonly callerId: string;
  readonly sessionId: string;
  readonly turnId: string | undefined;
  readonly file: string;
  /** When it was, and after how many changes of this process's own. */
  seenAt: number;
  seenIn: number;
  end: TaskEnd | undefined;
}

/** How long a look counts. Who ends a task waits twice as long before saying so. */
const lookMs = 1;

/** What this process itself changes is seen at once, in all its stores. */
let changes = 0;

const quietly = { throwIfNoEntry: false } as const;

/** In the state folder. The hook's script looks there, too. */
const endedFolder = "ended-tasks";

/** Names as they are, where they are plain: the hook's script finds such a file by itself. */
function fileNameOf(names: readonly string[]): string {
  if (names.every(isPlainName)) return names.join(".");
  return `~${createHash("sha256").update(JSON.stringify(names)).digest("hex")}`;
}

/** A file that cannot be read still says that the task is over. */
function read(file: string): TaskEnd | undefined {
  try {
    const { kind, by, message, at } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
    if (typeof by === "string" && typeof message === "string" && typeof at === "number")
      return { kind: kind === "rejected" ? "rejected" : "cancelled", by, message, at };
  } catch (error) {
    // Started anew since.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
  }
  return { kind: "cancelled", by: "toolgate", message: `${file} cannot be read.`, at: 0 };
}
