/** Reads the settings files of other programs: JSON with comments, TOML, or any text. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { isRecord } from "../../core/input/json.ts";
import { inOneLine, parseLooseJson } from "../loose-json.ts";

export type Settings = Readonly<Record<string, unknown>>;

/** Remembers what was looked for, found, and cannot be read. */
export class SettingsReader {
  readonly files: string[] = [];
  readonly lookedFor: string[] = [];
  readonly problems: string[] = [];

  json(file: string): Settings | undefined {
    return this.#parsed(file, parseLooseJson);
  }

  toml(file: string): Settings | undefined {
    return this.#parsed(file, parseToml);
  }

  text(file: string): string | undefined {
    this.lookedFor.push(file);
    const text = this.#read(file);
    if (text !== undefined) this.files.push(file);
    return text;
  }

  /** The files of a folder whose names end so, in the order of their names. */
  list(folder: string, ending: string): readonly string[] {
    this.lookedFor.push(join(folder, `*${ending}`));
    try {
      const names = readdirSync(folder).filter((name) => name.endsWith(ending));
      return names.sort().map((name) => join(folder, name));
    } catch (error) {
      this.#tell(folder, error as NodeJS.ErrnoException);
      return [];
    }
  }

  fail(file: string, why: string): void {
    this.problems.push(`${file} cannot be read: ${why}`);
  }

  #parsed(file: string, parse: (text: string) => unknown): Settings | undefined {
    const text = this.text(file);
    if (text === undefined) return undefined;
    try {
      const value = parse(text);
      if (isRecord(value)) return value;
      this.fail(file, "it holds no mapping");
    } catch (error) {
      this.fail(file, inOneLine(error as Error));
    }
    return undefined;
  }

  #read(file: string): string | undefined {
    try {
      return readFileSync(file, "utf8");
    } catch (error) {
      this.#tell(file, error as NodeJS.ErrnoException);
      return undefined;
    }
  }

  #tell(file: string, { code, message }: NodeJS.ErrnoException): void {
    if (code !== "ENOENT" && code !== "ENOTDIR") this.fail(file, message);
  }
}

export function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}

export function recordIn(value: unknown, ...keys: readonly string[]): Settings {
  const found = keys.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);
  return isRecord(found) ? found : {};
}
