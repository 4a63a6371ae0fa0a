/** Reads a file of an agent's, whatever state it is in; never throws. */

import { readFileSync, statSync } from "node:fs";
import { isRecord } from "../core/input/json.ts";

export type JsonFile =
  | { readonly state: "missing" }
  /** `text` if it could be read at all. */
  | { readonly state: "broken"; readonly why: string; readonly text?: string }
  | { readonly state: "read"; readonly value: unknown; readonly text: string };

/** More than any real file of this kind holds. */
const defaultMaxBytes = 4 * 1024 * 1024;

type TextFileRead =
  | { readonly state: "missing" }
  | { readonly state: "broken"; readonly why: string }
  | { readonly state: "read"; readonly text: string };

export function readTextFile(file: string, maxBytes = defaultMaxBytes): TextFileRead {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return { state: "missing" };
    // Opening a pipe would wait for a writer forever.
    if (!stats.isFile()) return { state: "broken", why: "it is not a regular file" };
    if (stats.size > maxBytes) return { state: "broken", why: `it is larger than ${maxBytes} bytes` };
    return { state: "read", text: readFileSync(file, "utf8") };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { state: "missing" };
    return { state: "broken", why: `it cannot be read (${code ?? message})` };
  }
}

export function readJsonFile(file: string, maxBytes = defaultMaxBytes): JsonFile {
  const read = readTextFile(file, maxBytes);
  if (read.state !== "read") return read;
  const { text } = read;
  try {
    // Agents take a byte order mark, too.
    const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return { state: "read", value, text };
  } catch (error) {
    const why = text.trim() === "" ? "it is empty" : `it is not valid JSON: ${(error as Error).message}`;
    return { state: "broken", why, text };
  }
}

/** The members of an object, own ones only; of anything else none. */
export function membersOf(value: unknown): [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : [];
}

/** A member by name; names such as `constructor` find nothing that is not really there. */
export function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
