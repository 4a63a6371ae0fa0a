/**
 * Which tasks are over: one small file for each, because the process of a hook keeps no store open and every
 * call asks. Looking for a file that is not there costs some microseconds, so calls that came in one event
 * share one look.
 */
import { createHash } from "node:crypto";
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { TaskEnd, TaskStore } from "../../core/ports/tasks.ts";
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
            seenIn: -1,
            end: undefined,
          };
      last = asked;
      if (asked.seenIn === moment) return asked.end;
      asked.end = statSync(asked.file, quietly) === undefined ? undefined : read(asked.file);
      asked.seenIn = moment;
      if (!isEnding) {
        isEnding = true;
        process.nextTick(endMoment);
      }
      return asked.end;
    },
    end({ callerId, sessionId, turnId }, end) {
      const text = `${JSON.stringify({ version: 1, ...end })}\n`;
      replacePrivateFile(fileOf(callerId, sessionId, turnId), text);
      moment += 1;
      forgetOldSessions(folder, end.at);
    },
    start(callerId, sessionId) {
      rmSync(fileOf(callerId, sessionId), { force: true });
      moment += 1;
    },
  };
}

/** What the last look saw, and where. */
interface Look {
  readonly callerId: string;
  readonly sessionId: string;
  readonly turnId: string | undefined;
  readonly file: string;
  /** The moment of the look. */
  seenIn: number;
  end: TaskEnd | undefined;
}

/**
 * One event of this process, as a chunk with many calls: they had all come when the first of them looked, so
 * what another process ends afterwards ends later calls. What this process itself changes ends the moment.
 */
let moment = 0;
let isEnding = false;

function endMoment(): void {
  isEnding = false;
  moment += 1;
}

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
