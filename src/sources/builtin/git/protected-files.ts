/** Files whose contents no tool shows unless a rule names them: git does not show them either. */
import { isUtf8 } from "node:buffer";
import type { Failure } from "../../../core/call/tool-answer.ts";
import { protectedReason } from "../../../safe/files/inside-root/protected-names.ts";
import { partsOf } from "../../../safe/files/inside-root/request-path.ts";

export interface LeftOut {
  /** How many paths there are. */
  readonly count: number;
  readonly leftOut: readonly string[];
  /** What git is told to leave out. */
  readonly pathspecs: readonly string[];
}

/** More would not fit into arguments. */
const maxLeftOut = 500;

/** `paths`: from the top, each ended by a zero byte. */
export function leaveOutProtected(paths: Buffer, top: string): LeftOut | Failure {
  const names = [...new Set(paths.toString("latin1").split("\0"))].filter((name) => name.trim() !== "");
  const base = partsOf(top);
  const leftOut: string[] = [];
  for (const name of names) {
    const bytes = Buffer.from(name, "latin1");
    const path = bytes.toString();
    if (protectedReason([...base, ...path.split("/")], "read") === undefined) continue;
    if (!isUtf8(bytes) || leftOut.length >= maxLeftOut) {
      const message =
        "There are protected files here (.env, keys) that cannot be left out. Name the files to look at in paths.";
      return { code: "protected", message };
    }
    leftOut.push(path);
  }
  return { count: names.length, leftOut, pathspecs: leftOut.map((path) => `:(top,exclude,literal)${path}`) };
}
