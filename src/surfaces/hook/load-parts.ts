/** Loads the files beside the hook, compiled if they can be had compiled. */
import { Script } from "node:vm";
import { type KeptCode, readBytes, readKeptCode } from "./code-cache.ts";

export interface LoadedPart {
  readonly script: Script;
  /** Undefined: V8 compiled it now. */
  readonly kept: KeptCode | undefined;
  readonly exports: unknown;
}

export interface CodePlace {
  readonly file: (part: string) => string;
  readonly forWhom: string;
}

export class Parts {
  readonly loaded = new Map<string, LoadedPart>();
  readonly folder: string;
  readonly code: CodePlace;

  constructor(folder: string, code: CodePlace) {
    this.folder = folder;
    this.code = code;
  }

  load(name: string): unknown {
    const known = this.loaded.get(name);
    if (known !== undefined) return known.exports;
    const filename = `${this.folder}/${name}.cjs`;
    const bytes = readBytes(filename, false);
    if (bytes === undefined) throw new Error(`${filename} cannot be read; install toolgate again`);
    const kept = readKeptCode(this.code.file(name), this.code.forWhom);
    // The build has put each part into a function, as Node does with a module, and uses no letter outside ASCII.
    const script = new Script(bytes.toString("latin1"), { filename, ...(kept && { cachedData: kept.data }) });
    const run = script.runInThisContext() as (load: (id: string) => unknown) => unknown;
    const exports = run((id) => (id.startsWith("./") ? this.load(id.slice(2, -4)) : require(id)));
    this.loaded.set(name, { script, kept: script.cachedDataRejected === false ? kept : undefined, exports });
    return exports;
  }
}
