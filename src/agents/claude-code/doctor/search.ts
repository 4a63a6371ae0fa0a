/** One look through the client's files: what was asked for, found or not, and what must be said about it. */
import { readdirSync } from "node:fs";
import { type JsonFile, readJsonFile } from "../../read-json-file.ts";

export class Search {
  /** Every file and folder whose appearance or change could change the result. */
  readonly inputs = new Set<string>();
  readonly notes: string[] = [];
  /** A marketplace is asked once for each of its plugins. */
  readonly #read = new Map<string, JsonFile>();

  /** The value in a JSON file; undefined and a note if it is broken. */
  json(file: string, maxBytes?: number): unknown {
    const read = this.read(file, maxBytes);
    if (read.state === "broken") this.notes.push(`${file} is skipped: ${read.why}.`);
    return read.state === "read" ? read.value : undefined;
  }

  read(file: string, maxBytes?: number): JsonFile {
    this.inputs.add(file);
    const read = this.#read.get(file) ?? readJsonFile(file, maxBytes);
    this.#read.set(file, read);
    return read;
  }

  /** Names in a folder, sorted. */
  list(folder: string, max: number): string[] {
    this.inputs.add(folder);
    let names: string[];
    try {
      names = readdirSync(folder).sort();
    } catch (error) {
      const { code = "unknown error" } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT" && code !== "ENOTDIR") this.notes.push(`${folder} cannot be listed (${code}).`);
      return [];
    }
    if (names.length > max)
      this.notes.push(`${folder} holds ${names.length} entries; only the first ${max} are looked at.`);
    return names.slice(0, max);
  }
}
